import fc from 'fast-check';
import type { ZonedDate } from '../../../src/core/calendar.ts';
import type { Activity, ChangedStory } from '../../../src/core/story/activity.ts';
import type { Attachment } from '../../../src/core/story/attachment.ts';
import type { Iteration } from '../../../src/core/story/iteration.ts';
import type {
  Integration,
  Invitation,
  Membership,
  NewMembership,
  NewProject,
  Project,
} from '../../../src/core/story/project.ts';
import type { Note, Story, StoryEdit, Task, Ticket } from '../../../src/core/story/story.ts';
import type { SourceCommit } from '../../../src/core/story/storyAddress.ts';
import { replacedCharacters } from '../../../src/v3/assumptions.ts';
import { zonedDate } from '../../../src/v3/dates.ts';
import type { Element } from '../../../src/v3/element.ts';

const noNull = { noNullPrototype: true } as const;

/** Any text that XML can hold: all of Unicode, white space at the ends, nothing at all. */
export const text = fc
  .oneof(
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.string({
      unit: fc.constantFrom(' ', '\n', '\r', '\t', '<', '>', '&', '"', "'", ']', '-', '/', 'é', '\u00a0', '\u2028'),
      maxLength: 12,
    }),
    fc.constantFrom('007', '1e5', 'true', ' lead', ']]>', '<!--', '&amp;', '&eacute;', '__proto__'),
  )
  .map(replacedCharacters);
const filled = text.filter((value) => value.trim() !== '');
const nonEmpty = text.filter((value) => value !== '');
const word = text.map((value) => value.trim()).filter((value) => value !== '');
const label = word.map((value) => value.replaceAll(',', '').trim()).filter((value) => value !== '');
const labels = fc.array(label, { maxLength: 3 });
const id = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });
const small = fc.integer({ min: -1, max: 1000 });
const decimal = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => (value === 0 ? 0 : value));
const date: fc.Arbitrary<ZonedDate> = fc.oneof(
  fc.integer({ min: 0, max: Date.UTC(9999, 1) }).map(zonedDate),
  fc.constantFrom({ text: '2010/05/19 12:00:00 XYZ' }, { text: 'soon' }),
);

/** A model names all fields, so that one that is new is written and read too. */
function record<T>(
  model: { [K in keyof T]-?: fc.Arbitrary<Exclude<T[K], undefined>> },
  requiredKeys: readonly (keyof T & string)[],
): fc.Arbitrary<T> {
  return fc.record(model, { ...noNull, requiredKeys: [...requiredKeys] }) as unknown as fc.Arbitrary<T>;
}

export const note = record<Note>({ id, text, author: filled, notedAt: date }, ['id', 'text']);
export const task = record<Task>({ id, description: text, position: small, complete: fc.boolean(), createdAt: date }, [
  'id',
  'description',
  'complete',
]);
const filename = text
  .map((value) => value.replace(/[\\/]/g, ''))
  .filter((value) => value === '' || value.trim() !== '');
export const attachment = record<Attachment>(
  { id, filename, description: text, uploadedBy: filled, uploadedAt: date, url: word, size: id, status: word },
  ['id', 'filename'],
);
const ticket = record<Ticket>(
  {
    prefix: fc.constantFrom('other', 'jira', 'get_satisfaction', 'Lighthouse', 'x.y-z'),
    externalId: filled,
    url: word,
    integrationId: id,
  },
  ['prefix', 'externalId'],
);

const storyModel = {
  id,
  projectId: id,
  type: fc.oneof(fc.constantFrom('feature', 'bug', 'chore', 'release', ''), word),
  state: fc.oneof(fc.constantFrom('unstarted', 'accepted', ''), word),
  name: text,
  url: word,
  estimate: small,
  description: nonEmpty,
  requestedBy: filled,
  ownedBy: filled,
  createdAt: date,
  updatedAt: date,
  acceptedAt: date,
  deadline: date,
  labels,
  rank: word,
  ticket,
  attachments: fc.array(attachment, { maxLength: 2 }),
  notes: fc.array(note, { maxLength: 2 }),
  tasks: fc.array(task, { maxLength: 2 }),
};
export const story = record<Story>(storyModel, [
  'id',
  'type',
  'state',
  'name',
  'labels',
  'attachments',
  'notes',
  'tasks',
]);

export const membership = record<Membership>(
  {
    id,
    person: record<Membership['person']>({ name: text, email: filled, initials: filled }, ['name']),
    role: word,
    project: record<{ id: number; name: string }>({ id, name: text }, ['id', 'name']),
    invitation: record<Invitation>({ url: word, expiresAt: date, mailed: fc.boolean() }, []),
  },
  ['id', 'person', 'role'],
);
export const newMembership = record<NewMembership>(
  { role: word, person: record<NewMembership['person']>({ email: word, name: filled, initials: filled }, ['email']) },
  ['role', 'person'],
);
export const integration = record<Integration>(
  { id, type: word, name: text, fieldName: word, fieldLabel: text, active: fc.boolean(), baseUrl: word },
  ['id', 'type', 'name', 'fieldName', 'active'],
);
const pointScale = fc.array(decimal, { maxLength: 5 });
export const project = record<Project>(
  {
    id,
    name: text,
    iterationLength: small,
    weekStartDay: word,
    pointScale,
    account: text,
    startDate: date,
    firstIterationStartTime: date,
    currentIterationNumber: small,
    enableTasks: fc.boolean(),
    velocityScheme: text,
    currentVelocity: decimal,
    initialVelocity: decimal,
    numberOfDoneIterationsToShow: small,
    labels,
    lastActivityAt: date,
    orderDigest: word,
    allowAttachments: fc.boolean(),
    public: fc.boolean(),
    useHttps: fc.boolean(),
    bugsAndChoresAreEstimatable: fc.boolean(),
    commitMode: fc.boolean(),
    memberships: fc.array(membership, { maxLength: 2 }),
    integrations: fc.array(integration, { maxLength: 2 }),
  },
  ['id', 'name', 'pointScale', 'labels', 'memberships', 'integrations'],
);
export const newProject = record<NewProject>(
  {
    name: text,
    noOwner: fc.boolean(),
    iterationLength: small,
    weekStartDay: word,
    pointScale,
    account: filled,
    startDate: date,
    initialVelocity: decimal,
    velocityScheme: word,
    numberOfDoneIterationsToShow: small,
    enableTasks: fc.boolean(),
    allowAttachments: fc.boolean(),
    useHttps: fc.boolean(),
    bugsAndChoresAreEstimatable: fc.boolean(),
    commitMode: fc.boolean(),
  },
  ['name'],
);
export const iteration = record<Iteration>(
  { id, number: id, start: date, finish: date, teamStrength: decimal, stories: fc.array(story, { maxLength: 2 }) },
  ['id', 'number', 'stories'],
);
export const sourceCommit = record<SourceCommit>({ commitId: word, message: text, author: text, url: word }, [
  'commitId',
  'message',
  'author',
]);

/** The fields of a story in the order in which cleared ones are listed. */
const changeable = {
  projectId: id,
  type: word,
  state: word,
  name: nonEmpty,
  estimate: small,
  description: nonEmpty,
  requestedBy: filled,
  ownedBy: filled,
  createdAt: date,
  updatedAt: date,
  acceptedAt: date,
  deadline: date,
  labels: fc.array(label, { minLength: 1, maxLength: 3 }),
  attachments: fc.array(attachment, { minLength: 1, maxLength: 2 }),
  notes: fc.array(note, { minLength: 1, maxLength: 2 }),
  tasks: fc.array(task, { minLength: 1, maxLength: 2 }),
  ticket,
};
const changedFields = Object.keys(changeable) as (keyof typeof changeable)[];
const changedStory: fc.Arbitrary<ChangedStory> = fc
  .tuple(
    record<Partial<Story>>(changeable as never, []),
    fc.subarray(changedFields),
    id,
    fc.option(word, { nil: undefined }),
  )
  .map(([changed, wished, storyId, url]) => {
    const cleared = wished.filter((field) => !(field in changed));
    return url === undefined ? { id: storyId, changed, cleared } : { id: storyId, url, changed, cleared };
  });
export const activity = record<Activity>(
  {
    id,
    version: id,
    eventType: word,
    occurredAt: date,
    author: filled,
    projectId: id,
    description: text,
    stories: fc.array(changedStory, { maxLength: 2 }),
  },
  ['id', 'version', 'eventType', 'description', 'stories'],
);

const ticketEdit = fc.oneof(
  fc.constant(null),
  record<{ prefix: string; externalId: string; integrationId: number }>(
    { prefix: fc.constantFrom('other', 'jira'), externalId: filled, integrationId: id },
    ['prefix', 'externalId'],
  ),
  fc.record({ prefix: fc.constantFrom('other', 'jira'), externalId: fc.constant(''), integrationId: id }, noNull),
);
export const storyEdit = record<StoryEdit>(
  {
    type: word,
    state: word,
    name: text,
    estimate: fc.option(small),
    description: fc.option(nonEmpty),
    requestedBy: filled,
    ownedBy: fc.option(filled),
    labels,
    deadline: fc.option(date),
    createdAt: date,
    acceptedAt: date,
    ticket: ticketEdit,
  } as never,
  [],
);

const name = fc.oneof(
  fc.stringMatching(/^[A-Za-z_][\w.-]{0,8}$/),
  fc.constantFrom('__proto__', 'constructor', 'xml-like', 'toString'),
);
const attributes = fc.dictionary(name, text, { maxKeys: 3, noNullPrototype: false });

/** Any element that can be written: text or children, not both. */
export const { element } = fc.letrec<{ element: Element }>((tie) => ({
  element: fc.oneof(
    { depthSize: 'small', maxDepth: 4, withCrossShrink: true },
    fc.record({ name, attributes, children: fc.constant([]), text }, noNull),
    fc.record(
      { name, attributes, children: fc.array(tie('element'), { maxLength: 3, minLength: 1 }), text: fc.constant('') },
      noNull,
    ),
  ),
}));
