import { type Backlog, findStory, withStory } from '../backlog/backlog.ts';
import { intoIcebox, outOfIcebox } from '../backlog/ordering.ts';
import { isEstimatable, isScheduled, type WorkflowRules } from '../backlog/workflow.ts';
import { type NewStory, type Story, type StoryEdit, type Ticket, UNESTIMATED } from '../story/story.ts';
import { comparableField } from '../story/storyFields.ts';
import { fieldsOf, itsStory, placeOf, type RulesOfKind } from './rulesOfKind.ts';

/** The story after an edit; what a server derives from it, such as the time of acceptance, stays as it was. */
export function editedStory(story: Story, edit: StoryEdit): Story {
  const { ticket, ...fields } = edit;
  const set = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null));
  const cleared = Object.entries(edit).flatMap(([name, value]) => (value === null ? [name] : []));
  const after: Story = { ...story, ...set, ...(ticket && { ticket: ticketOf(story, ticket) }) };
  return withoutFields(after, cleared);
}

function ticketOf({ ticket: before }: Story, { prefix, ...given }: NonNullable<StoryEdit['ticket']>): Ticket {
  return { prefix: prefix ?? before?.prefix ?? '', ...given };
}

function withoutFields(story: Story, names: readonly string[]): Story {
  if (names.length === 0) return story;
  const copy = { ...story };
  for (const name of names) Reflect.deleteProperty(copy, name);
  return copy;
}

const BLANK = { type: 'feature', state: 'unscheduled', labels: [], attachments: [], notes: [], tasks: [] } as const;

/** A story as it is shown before a server has it. `storyId` is negative. */
export function pendingStory(storyId: number, story: NewStory): Story {
  return editedStory({ ...BLANK, id: storyId, name: story.name }, story);
}

/** A story that no server has yet has a negative id, which none gives. */
export function isPendingStory({ id }: Pick<Story, 'id'>): boolean {
  return id < 0;
}

/** A story as it is shown while something that was done to it waits in the outbox; no server says so. */
interface UnsentStory extends Story {
  readonly isUnsent: true;
}

/** The backlog with a story marked as one that waits for its server. */
export function withUnsent(backlog: Backlog, storyId: number): Backlog {
  const story = findStory(backlog, storyId);
  if (!story || isUnsent(story)) return backlog;
  const marked: UnsentStory = { ...story, isUnsent: true };
  return withStory(backlog, marked);
}

export function isUnsent(story: Story): story is UnsentStory {
  return 'isUnsent' in story;
}

export const editRules: RulesOfKind<'edit'> = {
  apply: (backlog, { storyId, edit }) => {
    const story = findStory(backlog, storyId);
    return story ? withEdit(backlog, story, edit) : backlog;
  },
  touches: ({ storyId, edit }) => [fieldsOf(storyId), ...(edit.state === undefined ? [] : [placeOf(storyId)])],
  undo: {
    reverse: (story, { kind, storyId, edit, known }) => {
      const back = { kind, storyId, edit: { ...lostWith(story, edit), ...valuesIn(story, edit) } };
      return known ? { ...back, known: edit } : back;
    },
    isAsLeft: (story, { edit }) => {
      const [now, left]: readonly Fields[] = [{ ...story }, { ...editedStory(story, edit) }];
      // Some servers say themselves when a story was accepted.
      return Object.keys(edit).every(
        (name) => name === 'acceptedAt' || comparableField(name, now?.[name]) === comparableField(name, left?.[name]),
      );
    },
  },
  isRepeatable: true,
  showsPlace: false,
  needsStories: itsStory,
};

function withEdit(backlog: Backlog, story: Story, edit: StoryEdit): Backlog {
  const edited = ofItsType(editedStory(story, edit), edit, backlog.project);
  const inPlace = withStory(backlog, edited);
  if (edit.state === undefined) return inPlace;
  const isFrozen = backlog.icebox.some(({ id }) => id === story.id);
  if (!isScheduled(edited.state)) return isFrozen ? inPlace : intoIcebox(inPlace, edited);
  return isFrozen ? outOfIcebox(inPlace, edited) : inPlace;
}

/** A story of another type has what stories of that type have: a deadline is of a release, an estimate of a type that is estimated. */
function ofItsType(story: Story, edit: StoryEdit, project: WorkflowRules): Story {
  if (edit.type === undefined && edit.estimate !== null) return story;
  const { estimate, deadline, ...others } = story;
  const isEstimated = typeof edit.estimate === 'number' || isEstimatable(story.type, project);
  const hasDeadline = deadline !== undefined && (edit.deadline !== undefined || story.type === 'release');
  return { ...others, ...(isEstimated && { estimate: estimate ?? UNESTIMATED }), ...(hasDeadline && { deadline }) };
}

type Fields = Readonly<Record<string, unknown>>;

/** What servers take off a story beside what an edit says. */
function lostWith(story: Story, edit: StoryEdit): StoryEdit {
  return { ...lostWithType(story, edit), ...lostWithAcceptance(story, edit) };
}

/** They estimate some types only, and give deadlines to releases. */
function lostWithType({ type, estimate, deadline }: Story, edit: StoryEdit): StoryEdit {
  if (edit.type === undefined || edit.type === type) return {};
  return {
    ...(estimate !== undefined && estimate >= 0 && { estimate }),
    ...(deadline !== undefined && { deadline }),
  };
}

/** A story that is accepted anew is of today, in another iteration than the one that it was done in. */
function lostWithAcceptance({ state, acceptedAt }: Story, edit: StoryEdit): StoryEdit {
  const isReopened = state === 'accepted' && edit.state !== undefined && edit.state !== state;
  return isReopened && acceptedAt !== undefined ? { acceptedAt } : {};
}

/** The values that a story has in the fields of an edit; `null` for those that it has not. */
export function valuesIn(story: Story, edit: StoryEdit): StoryEdit {
  const before: Fields = { ...story, ticket: story.ticket && withoutUrl(story.ticket) };
  return Object.fromEntries(Object.keys(edit).map((name) => [name, valueBefore(name, before[name])]));
}

/** A story that has no estimate yet says so with a negative one, which is no estimate to send. */
function valueBefore(name: string, value: unknown): unknown {
  return value === undefined || (name === 'estimate' && Number(value) < 0) ? null : value;
}

function withoutUrl({ url: _url, ...ticket }: NonNullable<Story['ticket']>) {
  return ticket;
}
