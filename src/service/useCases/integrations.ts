import { MAX_INTEGRATIONS_OF_PROJECT, MAX_LINE } from '../../core/limits.ts';
import type { IntegrationEdit, NewIntegration, SettingsIntegration } from '../../core/story/projectSettings.ts';
import { ANY_TICKET_PREFIXES, INTEGRATION_URL_ELEMENT, ticketPrefix } from '../../v3/assumptions.ts';
import type { Change } from '../auth/projectAccess.ts';
import { notFound, type Objection, unprocessable } from '../ground/errors.ts';
import type { Tx } from '../store/database.ts';
import {
  addIntegration,
  deleteIntegration,
  type IntegrationRow,
  integrationsOfProject,
  updateIntegration,
} from '../store/projects/projectParts.ts';
import { linkedStories } from '../store/projects/projectUse.ts';
import { quoted, record } from './recordActivity.ts';

const MAX_URL = 2_000;

/** Those of a project with all that can be set of them. */
export async function settingsIntegrations(tx: Tx, projectId: number): Promise<SettingsIntegration[]> {
  const [rows, used] = [await integrationsOfProject(tx, projectId), await linkedStories(tx, projectId)];
  return rows.map((row) => settingsIntegration(row, used.get(row.id) ?? 0));
}

function settingsIntegration(row: IntegrationRow, storyCount: number): SettingsIntegration {
  const { id, type, name, fieldName, fieldLabel, ticketUrl, active } = row;
  return { id, type, name, fieldName, fieldLabel, active: active === 1, baseUrl: ticketUrl ?? '', storyCount };
}

/** Throws `Refusal` 422. */
export async function createIntegration(change: Change, wanted: NewIntegration): Promise<SettingsIntegration> {
  const { tx, project } = change;
  const { type = 'Other', fieldName = `${ANY_TICKET_PREFIXES[0]}_id` } = wanted;
  refuse(integrationObjections({ ...wanted, type, fieldName }));
  const all = await integrationsOfProject(tx, project.id);
  if (all.length >= MAX_INTEGRATIONS_OF_PROJECT)
    throw unprocessable(`A project has at most ${MAX_INTEGRATIONS_OF_PROJECT} integrations.`);
  const name = wanted.name.trim();
  const id = await addIntegration(tx, {
    ...{ projectId: project.id, type, name, fieldName, fieldLabel: wanted.fieldLabel?.trim() || name },
    ...{ ticketUrl: wanted.baseUrl?.trim() || null, active: Number(wanted.active ?? true) },
  });
  await record(change, 'project_update', `added the integration ${quoted(name)}`);
  return theIntegration(tx, project.id, id);
}

/** What is not said stays. Throws `Refusal` 404 and 422. */
export async function editIntegration(change: Change, id: number, edit: IntegrationEdit): Promise<SettingsIntegration> {
  const { tx, project } = change;
  const before = await theIntegration(tx, project.id, id);
  refuse(editObjections(edit));
  const name = edit.name?.trim() ?? before.name;
  await updateIntegration(tx, project.id, id, {
    name,
    fieldLabel: edit.fieldLabel === undefined ? (before.fieldLabel ?? name) : edit.fieldLabel.trim() || name,
    ticketUrl: (edit.baseUrl ?? before.baseUrl).trim() || null,
    active: Number(edit.active ?? before.active),
  });
  const after = await theIntegration(tx, project.id, id);
  if (JSON.stringify(after) !== JSON.stringify(before)) {
    await record(change, 'project_update', `${deedOf(before, after)} the integration ${quoted(name)}`);
  }
  return after;
}

function deedOf(before: SettingsIntegration, after: SettingsIntegration): string {
  if (before.active === after.active) return 'changed';
  return after.active ? 'put back into use' : 'retired';
}

/** Only one that no story has a ticket of. Throws `Refusal` 404 and 422. */
export async function removeIntegration(change: Change, id: number): Promise<SettingsIntegration> {
  const { tx, project } = change;
  const before = await theIntegration(tx, project.id, id);
  if (before.storyCount > 0) {
    const stories = before.storyCount === 1 ? '1 story has a ticket' : `${before.storyCount} stories have tickets`;
    throw unprocessable(`${stories} of this integration. Retire it instead: set active to false.`);
  }
  await deleteIntegration(tx, project.id, id);
  await record(change, 'project_update', `removed the integration ${quoted(before.name)}`);
  return before;
}

async function theIntegration(tx: Tx, projectId: number, id: number): Promise<SettingsIntegration> {
  const found = (await settingsIntegrations(tx, projectId)).find((each) => each.id === id);
  if (!found) throw notFound(`There is no integration ${id} in this project.`);
  return found;
}

/** Whether addresses of tickets may begin with this. */
export function isTicketUrl(text: string): boolean {
  const address = text.length > MAX_URL ? null : URL.parse(text);
  return address !== null && ['http:', 'https:'].includes(address.protocol);
}

/** All that is wrong with a new one. */
export function integrationObjections(
  wanted: NewIntegration & { readonly type: string; readonly fieldName: string },
): readonly Objection[] {
  return [...editObjections(wanted), ...kindObjections(wanted.type, wanted.fieldName)];
}

function editObjections({ name = 'x', fieldLabel = '', baseUrl = '' }: IntegrationEdit): readonly Objection[] {
  const isAddress = baseUrl.trim() === '' || isTicketUrl(baseUrl.trim());
  return wrongOnes([
    [
      'name',
      name.trim() === '' || name.length > MAX_LINE,
      `An integration needs a name of at most ${MAX_LINE} characters.`,
    ],
    ['field_label', fieldLabel.length > MAX_LINE, `The label of a ticket ID has at most ${MAX_LINE} characters.`],
    [
      INTEGRATION_URL_ELEMENT,
      !isAddress,
      'The address of tickets begins with https or http, such as https://jira.example.org/browse/.',
    ],
  ]);
}

function kindObjections(type: string, fieldName: string): readonly Objection[] {
  const isField = fieldName.length <= MAX_LINE && /^[a-z][a-z0-9_]*$/.test(fieldName) && ticketPrefix(fieldName);
  return wrongOnes([
    ['type', type.length > MAX_LINE, `The type of an integration has at most ${MAX_LINE} characters.`],
    ['field_name', !isField, 'The element of a ticket is in small letters and ends with _id, such as jira_id.'],
  ]);
}

function wrongOnes(checks: readonly (readonly [field: string, isWrong: boolean, sentence: string])[]) {
  return checks.filter(([, isWrong]) => isWrong).map(([field, , sentence]) => ({ field, sentence }));
}

function refuse(objections: readonly Objection[]): void {
  if (objections.length > 0) throw unprocessable(objections);
}
