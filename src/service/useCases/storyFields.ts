import { isEstimatable } from '../../core/backlog/workflow.ts';
import type { ZonedDate } from '../../core/calendar.ts';
import { type StoryEdit, type StoryFields, UNESTIMATED } from '../../core/story/story.ts';
import { ANY_TICKET_PREFIXES, DEFAULT_TICKET_PREFIX } from '../../v3/assumptions.ts';
import type { Change } from '../auth/projectAccess.ts';
import { unprocessable } from '../ground/errors.ts';
import type { Tx } from '../store/database.ts';
import { isSameName, memberCalled } from '../store/projects/memberships.ts';
import { type IntegrationRow, integrationsOfProject } from '../store/projects/projectParts.ts';
import { rulesOf } from '../store/projects/projects.ts';
import type { StoryRow } from '../store/stories/storyRows.ts';

/** Every week since the first acceptance is an iteration, so their number must be limited. */
export const EARLIEST = Date.UTC(1990, 0, 1);
/** Dates are written with years of four digits. */
export const TOO_LATE = Date.UTC(10_000, 0, 1);
/** Milliseconds by which the clock of an importer may be ahead. */
const CLOCK_TOLERANCE = 60_000;

/** The fields of a row that an edit sets, before the rules are asked. */
export type EditedFields = Omit<StoryRow, 'id' | 'projectId' | 'inIcebox' | 'rank' | 'updatedAt'>;

/** Of a new story, before anything is said of it. */
export function blankFields({ user, now }: Change): EditedFields {
  return {
    type: 'feature',
    state: 'unscheduled',
    name: '',
    estimate: null,
    description: null,
    requestedBy: user.name,
    requesterId: user.id,
    ownedBy: null,
    ownerId: null,
    createdAt: now,
    acceptedAt: null,
    deadline: null,
    integrationId: null,
    externalId: null,
  };
}
/** `before` with the edit applied; what follows from a new type or state is set right. */
export async function editedFields(change: Change, before: EditedFields, edit: StoryEdit): Promise<EditedFields> {
  const { tx, project } = change;
  const type = edit.type ?? before.type;
  const state = edit.state ?? before.state;
  const { integrationId, externalId } =
    edit.ticket === undefined ? before : await linkedTicket(tx, project.id, edit.ticket, before);
  return {
    type,
    state,
    name: edit.name ?? before.name,
    estimate: estimateAfter(change, before, edit, type),
    description: edit.description === undefined ? before.description : edit.description,
    ...(await requester(change, before, edit)),
    ...(await owner(change, before, edit)),
    createdAt: edit.createdAt === undefined ? before.createdAt : timeOf(edit.createdAt, 'created_at'),
    acceptedAt: acceptedAtAfter(change, before, edit, state),
    deadline: deadlineAfter(before, edit, type),
    integrationId,
    externalId,
  };
}

async function requester(change: Change, before: EditedFields, { requestedBy }: StoryEdit) {
  const { name, id } = { name: before.requestedBy, id: before.requesterId };
  if (requestedBy === undefined) return { requestedBy: name, requesterId: id };
  const person = await namedPerson(change, 'requested_by', requestedBy, { name, id });
  return { requestedBy: person.name, requesterId: person.id };
}

async function owner(change: Change, before: EditedFields, { ownedBy }: StoryEdit) {
  if (ownedBy === null) return { ownedBy: null, ownerId: null };
  const { name, id } = { name: before.ownedBy, id: before.ownerId };
  if (ownedBy === undefined) return { ownedBy: name, ownerId: id };
  const person = await namedPerson(change, 'owned_by', ownedBy, { name, id });
  return { ownedBy: person.name, ownerId: person.id };
}

interface Person {
  readonly name: string | null;
  /** Null for who is no user. */
  readonly id: number | null;
}

/**
 * The member of this name. A story goes on naming who left the project, or who a file said: sent back as it is, that is no change. Throws
 * `Refusal` 422 for anyone else (protocol.md, Proven since).
 */
async function namedPerson({ tx, project }: Change, element: string, sent: string, before: Person): Promise<Person> {
  const name = sent.trim();
  const member = await memberCalled(tx, project.id, name);
  if (before.name !== null && isSameName(name, before.name)) return { ...before, id: before.id ?? member?.id ?? null };
  if (member) return member;
  throw unprocessable(`The provided ${element} user '${name}' is not a valid member of the project.`);
}

/** A story that becomes one of a type without estimates loses its estimate; others keep theirs, though it may not count now. -1 means none. */
function estimateAfter({ project }: Change, before: EditedFields, edit: StoryEdit, type: string): number | null {
  const { estimate } = edit;
  if (estimate === null || estimate === UNESTIMATED) return null;
  if (estimate !== undefined && estimate < 0) throw unprocessable('An estimate cannot be negative; -1 means none.');
  if (estimate !== undefined) return estimate;
  return type === before.type || isEstimatable(type, rulesOf(project)) ? before.estimate : null;
}

function deadlineAfter(before: EditedFields, { deadline }: StoryEdit, type: string): number | null {
  if (deadline === undefined) return type === 'release' ? before.deadline : null;
  return deadline === null ? null : timeOf(deadline, 'deadline');
}

/** Set on acceptance, kept while accepted, cleared when a story leaves that state; importers may say when it was. */
function acceptedAtAfter({ now }: Change, before: EditedFields, edit: StoryEdit, state: string): number | null {
  if (state !== 'accepted') return null;
  if (edit.acceptedAt === undefined) return before.acceptedAt ?? now;
  const time = timeOf(edit.acceptedAt, 'accepted_at');
  if (time > now + CLOCK_TOLERANCE) throw unprocessable('A story cannot have been accepted in the future.');
  return time;
}

/** The moment of a date that can be planned with. Throws `Refusal` 422 for any other. */
export function timeOf({ time, text }: ZonedDate, element: string): number {
  if (time === undefined) throw unprocessable(`"${text}" in ${element} is not a date this service understands.`);
  if (time < EARLIEST) throw unprocessable(`"${text}" in ${element} is too long ago.`);
  if (time >= TOO_LATE) throw unprocessable(`"${text}" in ${element} is too far away.`);
  return time;
}

export type Linked = Pick<StoryRow, 'integrationId' | 'externalId'>;

/** What a story has of a ticket that has none. */
export const UNLINKED: Linked = { integrationId: null, externalId: null };

/**
 * Endpoint 4: which integration and ticket a story is linked to. The ticket that it has may be of an integration that was switched off
 * since. Throws `Refusal` 422 with the sentences of protocol.md.
 */
async function linkedTicket(tx: Tx, projectId: number, ticket: StoryFields['ticket'], before: Linked): Promise<Linked> {
  if (ticket === null) return UNLINKED;
  const externalId = ticket.externalId.trim();
  if (externalId === before.externalId && ticket.integrationId === before.integrationId) return before;
  if (externalId === '') {
    throw unprocessable('Both the external_id and integration need to be set, but external_id is blank.');
  }
  const active = (await integrationsOfProject(tx, projectId)).filter((integration) => integration.active === 1);
  const integration = namedIntegration(active, ticket.prefix, ticket.integrationId);
  return { integrationId: integration.id, externalId };
}

/** `other_id` and `external_id` stand for any kind of integration, since existing clients write nothing else. */
function namedIntegration(
  active: readonly IntegrationRow[],
  prefix: string = DEFAULT_TICKET_PREFIX,
  integrationId: number | undefined,
): IntegrationRow {
  const fieldName = `${prefix}_id`;
  const isAnyKind = ANY_TICKET_PREFIXES.includes(prefix);
  const ofKind = active.filter((integration) => integration.fieldName === fieldName);
  const candidates = ofKind.length > 0 || !isAnyKind ? ofKind : active;
  if (integrationId !== undefined) {
    const named = active.find(({ id }) => id === integrationId);
    if (!named) throw unprocessable(`This project has no active integration ${integrationId}.`);
    if (isAnyKind || named.fieldName === fieldName) return named;
    throw unprocessable(`Integration ${integrationId} of this project takes ${named.fieldName}, not ${fieldName}.`);
  }
  const [only, second] = candidates;
  if (!only) throw unprocessable(`This project has no active integration that takes ${fieldName}.`);
  if (second)
    throw unprocessable('This project has several integrations of this kind. Choose one with integration_id.');
  return only;
}
