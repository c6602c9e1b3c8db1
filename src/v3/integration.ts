import type { Integration } from '../core/story/project.ts';
import type { IntegrationEdit, NewIntegration, SettingsIntegration } from '../core/story/projectSettings.ts';
import { DEFAULT_TICKET_PREFIX, INTEGRATION_COUNT_ELEMENT, INTEGRATION_URL_ELEMENT } from './assumptions.ts';
import { arrayElement, type Element, integerElement, parent, textElement, untypedElement } from './element.ts';
import { boolean, id, integer, present, rawText, word } from './fields.ts';

export function readIntegration(element: Element): Integration {
  return present({
    id: id(element),
    type: word(element, 'type') ?? '',
    name: rawText(element, 'name') ?? '',
    fieldName: word(element, 'field_name') ?? `${DEFAULT_TICKET_PREFIX}_id`,
    fieldLabel: rawText(element, 'field_label'),
    active: boolean(element, 'active') ?? true,
    baseUrl: word(element, INTEGRATION_URL_ELEMENT),
  });
}

function integrationElement(integration: Integration, more: readonly (Element | undefined)[] = []): Element {
  return parent('integration', [
    integerElement('id', integration.id),
    textElement('type', integration.type),
    textElement('name', integration.name),
    textElement('field_name', integration.fieldName),
    textElement('field_label', integration.fieldLabel),
    untypedElement('active', integration.active),
    textElement(INTEGRATION_URL_ELEMENT, integration.baseUrl),
    ...more,
  ]);
}

/** Those inside a project. */
export function integrationsElement(integrations: readonly Integration[]): Element {
  return arrayElement(
    'integrations',
    integrations.map((integration) => integrationElement(integration)),
  );
}

/** With all that can be set of it. */
export function readSettingsIntegration(element: Element): SettingsIntegration {
  return {
    ...readIntegration(element),
    baseUrl: word(element, INTEGRATION_URL_ELEMENT) ?? '',
    storyCount: integer(element, INTEGRATION_COUNT_ELEMENT) ?? 0,
  };
}

export function settingsIntegrationElement(integration: SettingsIntegration): Element {
  return integrationElement(integration, [integerElement(INTEGRATION_COUNT_ELEMENT, integration.storyCount)]);
}

/** The element of each field of a new integration. */
const ELEMENTS: Readonly<Record<keyof NewIntegration, string>> = {
  name: 'name',
  type: 'type',
  fieldName: 'field_name',
  fieldLabel: 'field_label',
  baseUrl: INTEGRATION_URL_ELEMENT,
  active: 'active',
};

const FIELDS: ReadonlyMap<string, string> = new Map(Object.entries(ELEMENTS).map(([field, name]) => [name, field]));

/** The field that goes by this element; the name of the element where none does. */
export function integrationFieldOf(element: string): string {
  return FIELDS.get(element) ?? element;
}

/** The body of `PUT …/integrations/I`. */
export function readIntegrationEdit(element: Element): IntegrationEdit {
  return present({
    name: rawText(element, 'name'),
    fieldLabel: rawText(element, 'field_label'),
    baseUrl: rawText(element, INTEGRATION_URL_ELEMENT),
    active: boolean(element, 'active'),
  });
}

/** The body of `POST …/integrations`; a missing name comes as empty text, for the service to refuse. */
export function readNewIntegration(element: Element): NewIntegration {
  return present({
    ...readIntegrationEdit(element),
    name: rawText(element, 'name') ?? '',
    type: word(element, 'type'),
    fieldName: word(element, 'field_name'),
  });
}

export function integrationEditElement(edit: IntegrationEdit & Partial<NewIntegration>): Element {
  return parent('integration', [
    textElement('type', edit.type),
    textElement('name', edit.name),
    textElement('field_name', edit.fieldName),
    textElement('field_label', edit.fieldLabel),
    textElement(INTEGRATION_URL_ELEMENT, edit.baseUrl),
    untypedElement('active', edit.active),
  ]);
}
