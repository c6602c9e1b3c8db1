import { type Backlog, findStory, withStory } from '../backlog/backlog.ts';
import { withUnsent } from '../intents/edit.ts';
import type { Intent } from '../intents/intent.ts';
import { withIntent } from '../intents/intentRules.ts';
import { parseMarkers } from '../marker/markerSyntax.ts';
import type { Note } from '../story/story.ts';
import type { EntryState, OutboxEntry } from './outbox.ts';

/** What someone wants and no server has done yet, with its `id` once it is in the outbox. */
export type UnsentIntent = Pick<OutboxEntry, 'intent' | 'place' | 'problem'> &
  Partial<Pick<OutboxEntry, 'id' | 'state'>>;

/** The backlog as it will look once these were sent in their order; the stories of those that have to wait are marked. */
export function withUnsentIntents(backlog: Backlog, unsent: readonly UnsentIntent[]): Backlog {
  // What comes after one that has to wait waits behind it.
  const waitsFrom = unsent.findIndex(({ problem, state }) => problem && state !== 'failed');
  return unsent.reduce((known, one, index) => {
    const { intent, place, state } = one;
    const changed = intent.kind === 'link' ? withCommit(known, intent, one) : withIntent(known, intent, place);
    const waits = waitsFrom >= 0 && index >= waitsFrom && state !== 'failed';
    return waits ? withUnsent(changed, intent.storyId) : changed;
  }, backlog);
}

/** The commit on each of its stories that the server does not show it on. */
function withCommit(backlog: Backlog, link: Intent<'link'>, unsent: UnsentIntent): Backlog {
  const note = unsentCommitNote(link, unsent);
  return link.stories.reduce((known, { projectId, storyId }) => {
    const story = projectId === backlog.project.id ? findStory(known, storyId) : undefined;
    if (!story || story.notes.some(({ id, text }) => id === note.id || text.includes(link.commit.commitId)))
      return known;
    return withStory(known, { ...story, notes: [...story.notes, note] });
  }, backlog);
}

/** A commit on a story: `linked` when the server shows it, else as it stands in the outbox. */
export interface ShownCommit {
  readonly state: EntryState | 'linked';
  /** Absent where the server's comment names none. */
  readonly hash?: string;
  readonly subject: string;
  /** All of it, without what a server put before it, as far as we know its form. */
  readonly message: string;
  /** Who made it; absent where the comment does not tell. */
  readonly author?: string;
  /** Address of its page. */
  readonly url?: string;
  /** Why it waits or failed, in the server's words where it gave some. */
  readonly problem?: string;
  /** Of its entry in the outbox, until it is linked. */
  readonly entryId?: string;
}

/** A commit that no server shows yet, in a comment's place; no server says so. */
interface UnsentCommit extends Note {
  readonly unsentCommit: ShownCommit;
}

type Unsent = Partial<Pick<OutboxEntry, 'id' | 'state' | 'problem'>> & Pick<OutboxEntry, 'place'>;

const HASH = /(?<![0-9a-z])(?:[0-9a-f]{64}|[0-9a-f]{40})(?![0-9a-z])/i;
/** A shorter id, as other servers' ids may be: the line's first word or the end of its address. */
const IN_ADDRESS = /(?<=^|\/)[0-9a-z._-]{4,}(?=$|\s)/i;
const ADDRESS = /\bhttps?:\/\/[^\s<>"'[\]]+[^\s<>"'[\].,;:!?)]/i;
/** How our service begins such a comment; the address, the id of the commit in it or before it, is in its second line. */
const OURS = /^Commit by (?<author>[^\n]*)\n(?<address>[^\n]+)\n/;

/** The comment that shows a commit on its way. Its id is negative, which no server gives. */
function unsentCommitNote({ commit }: Intent<'link'>, { place, id, state, problem }: Unsent): Note {
  const { commitId, message, author, url } = commit;
  const unsentCommit: ShownCommit = {
    ...{ state: state ?? 'waiting', hash: commitId, subject: message.trim().split('\n', 1)[0] ?? '' },
    ...{ message, author },
    ...(url !== undefined && { url }),
    ...(problem && { problem: problem.message }),
    ...(id !== undefined && { entryId: id }),
  };
  const note: UnsentCommit = { id: -1 - place, text: message, author, unsentCommit };
  return note;
}

/** Characters at the beginning of a comment in which a commit is looked for: what follows may be all brackets, which take long to read. */
const LOOKED_AT = 20_000;

/**
 * The commit that a comment is about; `undefined` for one that people wrote. Not shown: how a server words the comment of a
 * commit. Its marker is in it, so that is what tells; our service's form tells more.
 */
export function commitOf(note: Note): ShownCommit | undefined {
  if (isUnsentCommit(note)) return note.unsentCommit;
  const text = note.text.slice(0, LOOKED_AT);
  if (parseMarkers(text).length === 0) return undefined;
  const form = OURS.exec(text);
  const address = form?.groups?.address ?? text;
  const hash = HASH.exec(address)?.[0] ?? (form ? IN_ADDRESS.exec(address)?.[0] : undefined);
  const url = ADDRESS.exec(address)?.[0];
  const author = form?.groups?.author?.trim();
  return {
    state: 'linked',
    subject: form ? firstLine(text.slice(form[0].length)) : subjectIn(text),
    message: form ? note.text.slice(form[0].length).trim() : note.text,
    ...(author && { author }),
    ...(hash !== undefined && { hash }),
    ...(url !== undefined && { url }),
  };
}

/** Whether servers have this comment. */
function isUnsentCommit(note: Note): note is UnsentCommit {
  return 'unsentCommit' in note;
}

/** The first line of the message, which may follow a paragraph of the server's that has no marker itself. */
function subjectIn(text: string): string {
  const [first = '', ...rest] = text.trim().split(/\n\s*\n/);
  return firstLine(parseMarkers(first).length === 0 && rest.length > 0 ? rest.join('\n') : first);
}

function firstLine(text: string): string {
  return text.split('\n').find((line) => line.trim() !== '') ?? '';
}
