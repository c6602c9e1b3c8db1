import { type Backlog, findStory } from '../../core/backlog/backlog.ts';
import { isInProgress } from '../../core/backlog/workflow.ts';
import { messageOf } from '../../core/errors.ts';
import type { Project } from '../../core/story/project.ts';
import type { ProjectKey } from '../../core/story/projectKey.ts';
import type { Story } from '../../core/story/story.ts';
import type { App } from '../../host/app.ts';

/** Where in a line a story is being named, and with which words. */
export interface CompletionContext {
  /** What has been typed of the story's id or name, without `#`. */
  readonly query: string;
  /** Column where the replaced text starts; it ends at the cursor. */
  readonly start: number;
  /** Column where the word ends that the cursor is in. */
  readonly wordEnd: number;
  readonly hash: boolean;
  /** Whether an open bracket is before it, so that only the id is to be inserted. */
  readonly inBracket: boolean;
}

/**
 * Tells whether a story may be named at the end of `before`, the line up to the cursor: behind a `#` that begins a word,
 * or at a word inside an open bracket, as in `[fixes log`; with `atWords` also at any other word of some letters. Not in `C#`,
 * nor in the comment lines of a commit file, but at a `#` that begins a line, where `commentChar` as in `readCommitMessage` is one.
 */
export function completionContext(
  before: string,
  after: string,
  commentChar: string,
  atWords = false,
): CompletionContext | undefined {
  if (isComment(before, commentChar)) return undefined;
  const [rest = ''] = /^[\p{L}\p{N}_-]*/u.exec(after) ?? [];
  const wordEnd = before.length + rest.length;
  const inBracket = /\[[^[\]]*$/.test(before);
  const [, hashed] =
    /(?:^|[\s[(,*、，。：；（「【\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Bopo}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}])#([\p{L}\p{N}_-]*)$/u.exec(
      before,
    ) ?? [];
  if (hashed !== undefined) {
    return { query: hashed, start: before.length - hashed.length - 1, wordEnd, hash: true, inBracket };
  }
  const [, bracketed] = /\[(?:[^[\]]*[\s,])?([\p{L}\p{N}][\p{L}\p{N}_-]*)$/u.exec(before) ?? [];
  const [, plain] = (atWords && /(?:^|[\s(,])(\p{L}[\p{L}\p{N}_-]{2,})$/u.exec(before)) || [];
  const word = bracketed ?? (inBracket ? undefined : plain);
  return word === undefined
    ? undefined
    : { query: word, start: before.length - word.length, wordEnd, hash: false, inBracket };
}

function isComment(before: string, commentChar: string): boolean {
  if (commentChar === '#') return /^#\s/.test(before);
  return commentChar !== '' && before.startsWith(commentChar);
}

/** A backlog to look through, and what the person is called in it where that is known. */
export interface SearchedBacklog {
  readonly backlog: Backlog;
  readonly ownName?: string | undefined;
  /** The story of it that is worked on in the repository. */
  readonly activeId?: number | undefined;
  /** Where it is, if there are several servers or people. */
  readonly server?: string | undefined;
}

/** A story to be named, and where it is. */
export interface StoryMatch extends Pick<SearchedBacklog, 'server'> {
  readonly story: Story;
  readonly project: Project;
}

/**
 * At most `limit` stories whose id begins with `query` or whose name has it, of all projects: the active one, what one has
 * started oneself, then what else is begun, each time one's own first, then what is planned in priority order, the icebox, and last
 * what is done.
 */
export function storyMatches(
  searched: readonly SearchedBacklog[],
  query: string,
  limit: number,
): readonly StoryMatch[] {
  const isMeant = matcher(query);
  const found = searched.flatMap((one) => activeMatch(one, isMeant)).slice(0, limit);
  const orders = searched.map((one) => ({ ...one, lists: inOrderOfInterest(one) }));
  for (let interest = 0; interest < INTERESTS; interest += 1) {
    for (const { backlog, activeId, server, lists } of orders) {
      for (const story of lists[interest] ?? []) {
        if (found.length === limit) return found;
        if (story.id !== activeId && isMeant(story)) found.push({ story, project: backlog.project, server });
      }
    }
  }
  return found;
}

type Matcher = (story: Story) => boolean;

/** Looks at names as they are: to write 50,000 of them small takes longer than all else that a key asks for. */
function matcher(query: string): Matcher {
  const inName = new RegExp(query.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), 'iu');
  return /^\d+$/.test(query)
    ? ({ id, name }) => String(id).startsWith(query) || inName.test(name)
    : ({ name }) => inName.test(name);
}

function activeMatch({ backlog, activeId, server }: SearchedBacklog, isMeant: Matcher): readonly StoryMatch[] {
  const story = activeId === undefined ? undefined : findStory(backlog, activeId);
  return story && isMeant(story) ? [{ story, project: backlog.project, server }] : [];
}

interface Ordered {
  readonly ownName: string | undefined;
  readonly lists: readonly (readonly Story[])[];
}

/** Of backlogs, which are other values when anything in them changes. */
const ordered = new WeakMap<Backlog, Ordered>();

const INTERESTS = 7;
const [OWN_STARTED, OWN_BEGUN, STARTED, PLANNED, ICEBOX, ACCEPTED, DONE] = [0, 1, 2, 3, 4, 5, 6] as const;

/** Each story is in one of these lists. */
function inOrderOfInterest({ backlog, ownName }: SearchedBacklog): readonly (readonly Story[])[] {
  const known = ordered.get(backlog);
  if (known?.ownName === ownName && known) return known.lists;
  const lists: Story[][] = Array.from({ length: INTERESTS }, () => []);
  for (const { stories } of backlog.iterations) {
    for (const story of stories) lists[interestOf(story, ownName)]?.push(story);
  }
  lists[ICEBOX] = [...backlog.icebox];
  lists[DONE] = backlog.done.toReversed().flatMap(({ stories }) => stories);
  ordered.set(backlog, { ownName, lists });
  return lists;
}

function interestOf({ state, ownedBy }: Story, ownName: string | undefined): number {
  const isOwn = ownName !== undefined && ownedBy === ownName;
  if (state === 'started') return isOwn ? OWN_STARTED : STARTED;
  if (isOwn && isInProgress(state)) return OWN_BEGUN;
  return state === 'accepted' ? ACCEPTED : PLANNED;
}

interface LoadedBacklog {
  readonly key: ProjectKey;
  readonly backlog: Backlog;
}

/**
 * The backlogs that are there at once, the others being loaded in the meantime; waits only while there is none. What cannot be
 * loaded is logged: a suggestion is no place for errors.
 */
export async function loadedBacklogs({
  backlogs,
  log,
}: Pick<App, 'backlogs' | 'log'>): Promise<readonly LoadedBacklog[]> {
  const projects = await backlogs.projects();
  const missing = projects.filter(({ key }) => !backlogs.peek(key));
  const loading = missing.map(({ key, project }) =>
    backlogs.backlog(key).catch((thrown) => log.warn(`${project.name}: ${messageOf(thrown)}`)),
  );
  if (missing.length === projects.length) await Promise.all(loading);
  return projects.flatMap(({ key }) => {
    const backlog = backlogs.peek(key);
    return backlog ? [{ key, backlog }] : [];
  });
}
