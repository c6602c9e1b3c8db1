import { TrackerError } from '../core/errors.ts';
import type { Intent } from '../core/intent.ts';
import type { Note, Story, StoryRef } from '../core/story.ts';
import type { CallOptions, Tracker } from '../core/tracker.ts';
import { fieldsOf, isEdited, isPlaced, noteOfOurs } from './outboxComparison.ts';
import type { Before, OutboxRow } from './outboxRows.ts';
import { showsCommit } from './showsCommit.ts';

/** What a server made of an intent. */
export interface Done {
  readonly story?: Story;
  readonly note?: Note;
  /** The server had it before it was ever sent. */
  readonly isRepeated?: boolean;
}

export interface AttemptNeeds {
  readonly tracker: Tracker;
  /** Writes down that the entry is going out, with what was so before, and then runs `write`. */
  readonly send: <T>(write: () => Promise<T>, before?: Before) => Promise<T>;
  /** The story as this machine knows it. */
  readonly knownStory: (storyId: number) => Story | undefined;
  /** Whether a server was seen to take a commit for all these stories after that time, in milliseconds since the epoch. */
  readonly isLinkedSince: (commitId: string, stories: readonly StoryRef[], at: number) => boolean;
  readonly options: CallOptions;
}

type Of<K extends Intent['kind']> = Extract<Intent, { readonly kind: K }>;

/**
 * Sends one entry. One that was sent before and never answered is looked for on the server first, and sent again only
 * when it is not there. @throws TrackerError
 */
export function attempt(needs: AttemptNeeds, row: OutboxRow): Promise<Done> {
  const { intent } = row;
  switch (intent.kind) {
    case 'edit':
      return edit(needs, row, intent);
    case 'move':
      return move(needs, row, intent);
    case 'comment':
      return comment(needs, row, intent);
    case 'link':
      return link(needs, row, intent);
  }
}

async function edit(needs: AttemptNeeds, row: OutboxRow, { storyId, edit: wanted }: Of<'edit'>): Promise<Done> {
  const { tracker, send, options } = needs;
  const ref = { projectId: row.project.projectId, storyId };
  if (row.sentAt !== undefined) {
    const story = await tracker.getStory(ref, options);
    if (isEdited(story, wanted, row.before?.fields)) return { story };
  }
  const known = needs.knownStory(storyId);
  const before = known && { fields: fieldsOf(known, wanted) };
  return { story: await send(() => tracker.updateStory(ref, wanted, options), before) };
}

async function move(
  { tracker, send, options }: AttemptNeeds,
  { project: { projectId }, sentAt }: OutboxRow,
  { storyId, place, targetId }: Of<'move'>,
): Promise<Done> {
  if (sentAt !== undefined) {
    const [iterations, icebox] = await Promise.all([
      tracker.currentBacklog(projectId, options),
      tracker.listStories(projectId, { filter: 'state:unscheduled' }, options),
    ]);
    if (isPlaced({ iterations, icebox }, storyId, place, targetId)) return {};
  }
  return { story: await send(() => tracker.moveStory({ projectId, storyId }, place, targetId, options)) };
}

/** Somebody else's comment of the same words, made while ours was on its way and lost, would be taken for ours. */
async function comment(
  { tracker, send, options }: AttemptNeeds,
  { project: { projectId }, sentAt, before }: OutboxRow,
  { storyId, text }: Of<'comment'>,
): Promise<Done> {
  const ref = { projectId, storyId };
  const notes = await tracker.listNotes(ref, options);
  const ours = sentAt === undefined ? undefined : noteOfOurs(notes, text, before?.noteIds);
  if (ours) return { note: ours };
  const noteIds = notes.map(({ id }) => id);
  return { note: await send(() => tracker.addNote(ref, text, options), { noteIds }) };
}

/**
 * A commit that all its stories show is not posted, whether or not it was sent before, nor one that this machine saw taken
 * for them since the entry was added. One that only some show is, for the others: our service ignores it where it is shown
 * (protocol.md, Commit markers); another server may show it a second time there. On a server that does not know which
 * commits it has, this cannot cover an answer that was lost while the comment is not seen yet when it is looked for: done
 * later than it was looked for, or read from a copy that lags behind; nor comments without the commit's id, abbreviated
 * to seven digits at least.
 */
async function link(
  { tracker, send, options, isLinkedSince }: AttemptNeeds,
  { sentAt, before, addedAt }: OutboxRow,
  { stories, commit }: Of<'link'>,
): Promise<Done> {
  if (stories.length > 0 && isLinkedSince(commit.commitId, stories, addedAt)) return { isRepeated: true };
  const answers = await Promise.allSettled(stories.map((ref) => tracker.listNotes(ref, options)));
  const notes = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
  // A story that was deleted meanwhile keeps the commit from none of the others.
  const failures: readonly unknown[] = answers.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  const failure = failures.find((one) => !isGone(one)) ?? (notes.length === 0 ? failures[0] : undefined);
  if (failure) throw failure;
  const isSince = ({ id }: Note) => before?.noteIds !== undefined && !before.noteIds.includes(id);
  const isShown = notes.every((ofStory) => ofStory.some((note) => showsCommit(note, commit, isSince(note))));
  if (isShown && stories.length > 0) return { isRepeated: sentAt === undefined };
  const noteIds = notes.flat().map(({ id }) => id);
  await send(() => tracker.postSourceCommit(commit, options), { noteIds });
  return {};
}

function isGone(thrown: unknown): boolean {
  return thrown instanceof TrackerError && thrown.kind === 'notFound';
}
