import type { Integration } from '../core/story/project.ts';
import { DEFAULT_TICKET_PREFIX } from './assumptions.ts';
import type { Element } from './element.ts';
import { arrayElement, integerElement, parent, textElement, untypedElement } from './elements.ts';
import { boolean, id, present, rawText, word } from './fields.ts';

export function readIntegration(element: Element): Integration {
  return present({
    id: id(element),
    type: word(element, 'type') ?? '',
    name: rawText(element, 'name') ?? '',
    fieldName: word(element, 'field_name') ?? `${DEFAULT_TICKET_PREFIX}_id`,
    fieldLabel: rawText(element, 'field_label'),
    active: boolean(element, 'active') ?? true,
  });
}

export function integrationElement(integration: Integration): Element {
  return parent('integration', [
    integerElement('id', integration.id),
    textElement('type', integration.type),
    textElement('name', integration.name),
    textElement('field_name', integration.fieldName),
    textElement('field_label', integration.fieldLabel),
    untypedElement('active', integration.active),
  ]);
}

export function integrationsElement(integrations: readonly Integration[]): Element {
  return arrayElement('integrations', integrations.map(integrationElement));
}
