import { stateAfterCommit } from '../../core/backlog/workflow.ts';
import { MAX_LINKED_TEXT, MAX_TEXT } from '../../core/limits.ts';
import { type MarkerEffect, storyEffects, strongestEffects } from '../../core/marker/markerSyntax.ts';
import type { Note } from '../../core/story/story.ts';
import type { SourceCommit } from '../../core/story/storyAddress.ts';
import { type Caller, type Change, carried } from '../auth/projectAccess.ts';
import { forbidden, Refusal, unprocessable } from '../ground/errors.ts';
import { rest, shareOfTransaction } from '../ground/slices.ts';
import type { Tx } from '../store/database.ts';
import { renumberedFrom } from '../store/imports.ts';
import type { UserRow } from '../store/people/users.ts';
import { roleIn } from '../store/projects/memberships.ts';
import { lockProject, projectIdsOfUser, rulesOf } from '../store/projects/projects.ts';
import { insertLinkedCommit, isLinked } from '../store/stories/notes.ts';
import { type LocatedStory, placesOfStories, presentIds } from '../store/stories/storyRows.ts';
import { changeState } from './stories.ts';
import { addedBy, writeNote } from './storyParts.ts';
import { changedStory, noRoom } from './storyRules.ts';

const MAX_COMMIT_ID = 255;
const MAX_STORIES = 200;
/** What the hosts of code send at once, at most. */
const MAX_COMMITS = 2_048;
/** Links of one request. */
const MAX_LINKS = 2_000;
/** Links that are made in one transaction, while others wait, at most. */
const LINKS_AT_ONCE = 50;
/** Links that are made in one, however long they take: a commit to a few stories is on all of them or on none. */
const LINKS_TOGETHER = 10;

type Linker = Pick<Caller, 'service' | 'user' | 'now' | 'isPrivate'>;

/** One commit and some of the stories that it names. */
export interface CommitLinks {
  readonly commit: SourceCommit;
  readonly effects: ReadonlyMap<number, MarkerEffect>;
  /** Characters of the comment that the commit becomes. */
  readonly textLength: number;
}

export interface Linked {
  /** The comments that were made. */
  readonly notes: readonly Note[];
  /** How many of the named stories the user may write to. */
  readonly allowed: number;
  /** How many they may only look at. */
  readonly refused: number;
  /** Why one has no room for the comment. */
  readonly full: Refusal | undefined;
}

/**
 * What commits link, in parts that keep others waiting for a moment only: each is to be linked in a transaction of its own, which
 * may be done again, since a story that has a commit keeps it. A part is made when its turn comes: all of them take many times as much as
 * was sent. Comments are cut where all of them would be too long together. Throws `Refusal` 422 for what is wrong with any of them.
 */
export function partsOfLinks(commits: readonly SourceCommit[]): Iterable<readonly CommitLinks[]> {
  if (commits.length > MAX_COMMITS) throw unprocessable(`At most ${MAX_COMMITS} commits can be linked at once.`);
  for (const commit of commits) refuseWrongCommit(commit);
  const named = commits.map(({ message }) => effectsOf(message).size);
  const links = named.reduce((sum, count) => sum + Math.min(count, MAX_STORIES), 0);
  if (links > MAX_LINKS)
    throw unprocessable(`At most ${MAX_LINKS} stories can be named by the commits of one request.`);
  if (named.some((count) => count > MAX_STORIES))
    throw unprocessable(`A commit can name at most ${MAX_STORIES} stories.`);
  const linking = commits.filter((_, index) => (named[index] ?? 0) > 0);
  return parts(linking, Math.min(MAX_TEXT, Math.floor(MAX_LINKED_TEXT / Math.max(links, 1))));
}

function* parts(commits: readonly SourceCommit[], textLength: number): Generator<readonly CommitLinks[]> {
  let part: CommitLinks[] = [];
  let count = 0;
  for (const commit of commits) {
    const all = [...effectsOf(commit.message)];
    while (all.length > 0) {
      const some = all.splice(0, LINKS_AT_ONCE - count);
      count += some.length;
      part.push({ commit, effects: new Map(some), textLength });
      if (count < LINKS_AT_ONCE) continue;
      yield part;
      part = [];
      count = 0;
    }
  }
  if (part.length > 0) yield part;
}

/** What one transaction did, and what is left to the next. */
interface LinkedSome {
  readonly linked: Linked;
  readonly left: readonly CommitLinks[];
}

/**
 * Endpoints 6 and 7: comments on every story that a message names and moves it on as the markers say. Passed over are
 * stories that do not exist for the user, by their IDs or former ones, that they may only look at, or that have no room for one more
 * comment, and a commit that a story has already. Goes as far as there is time: for some stories at least, then until `startShare` says that it is over.
 */
export async function linkCommits(
  tx: Tx,
  linker: Linker,
  named: readonly CommitLinks[],
  startShare = shareOfTransaction,
): Promise<LinkedSome> {
  const part = await withPresentIds(tx, linker.user, named);
  await lockNamedProjects(tx, linker.user, part);
  const isOver = startShare();
  const linked: Linked[] = [];
  for (const [index, links] of part.entries()) {
    const places = await placesOfStories(tx, [...links.effects.keys()]);
    for (const [done, place] of places.entries()) {
      if (linked.length >= LINKS_TOGETHER && isOver()) {
        const left = { ...links, effects: effectsOn(places.slice(done), links) };
        return { linked: together(linked), left: [left, ...part.slice(index + 1)] };
      }
      linked.push(await linkPlace(tx, linker, place, links));
      await rest();
    }
  }
  return { linked: together(linked), left: [] };
}

/**
 * A number that no story of the user's projects has means the one that had it before it came here with its project. Where several
 * projects had it, nobody can tell which is meant, and it means none.
 */
async function withPresentIds(tx: Tx, user: UserRow, part: readonly CommitLinks[]): Promise<readonly CommitLinks[]> {
  const named = new Set(part.flatMap(({ effects }) => [...effects.keys()]));
  const projectIds = projectIdsOfUser(tx, user.id);
  const present = new Set(await presentIds(tx, projectIds, [...named]));
  const others = [...named].filter((id) => !present.has(id)).map(String);
  const former = Map.groupBy(await renumberedFrom(tx, projectIds, others), ({ externalId }) => externalId);
  if (former.size === 0) return part;
  const idNow = (id: number): number => {
    const [one, ...more] = former.get(String(id)) ?? [];
    return one && more.length === 0 ? one.storyId : id;
  };
  return part.map((links) => ({ ...links, effects: strongestEffects([...links.effects], idNow) }));
}

function effectsOn(places: readonly LocatedStory[], { effects }: CommitLinks): ReadonlyMap<number, MarkerEffect> {
  const ids = new Set(places.map(({ id }) => id));
  return new Map([...effects].filter(([id]) => ids.has(id)));
}

/**
 * The comments that were made. Throws `Refusal` 403 when the user may only look at all stories that exist, and 422 when nothing was
 * linked because there is no room: a state never changes without the comment that says why.
 */
export function madeNotes(linked: readonly Linked[]): readonly Note[] {
  const { notes, allowed, refused, full } = together(linked);
  if (allowed === 0 && refused > 0) throw forbidden('You can only view the stories mentioned here.');
  if (full && notes.length === 0) throw full;
  return notes;
}

function together(linked: readonly Linked[]): Linked {
  return {
    notes: linked.flatMap(({ notes }) => notes),
    allowed: linked.reduce((sum, { allowed }) => sum + allowed, 0),
    refused: linked.reduce((sum, { refused }) => sum + refused, 0),
    full: linked.find(({ full }) => full)?.full,
  };
}

/** All at once and in one order, before anything is written: two who link to the same projects never wait for each other. */
async function lockNamedProjects(tx: Tx, user: UserRow, part: readonly CommitLinks[]): Promise<void> {
  const projectIds = new Set<number>();
  for (const { effects } of part) {
    for (const { projectId } of await placesOfStories(tx, [...effects.keys()])) projectIds.add(projectId);
  }
  for (const projectId of [...projectIds].sort((one, other) => one - other)) {
    if (canChange(await roleIn(tx, projectId, user.id))) await lockProject(tx, projectId);
  }
}

async function linkPlace(tx: Tx, linker: Linker, { id, projectId }: LocatedStory, links: CommitLinks): Promise<Linked> {
  const { user, now } = linker;
  const role = await roleIn(tx, projectId, user.id);
  if (!canChange(role)) return { ...NOTHING, refused: role === 'Viewer' ? 1 : 0 };
  const project = await lockProject(tx, projectId);
  if (project) carried(linker, project);
  if (!project || (await isLinked(tx, projectId, id, links.commit.commitId))) return { ...NOTHING, allowed: 1 };
  const outcome = await linkToStory({ tx, project, user, now, log: linker.service.log }, id, links);
  if (outcome instanceof Refusal) return { ...NOTHING, allowed: 1, full: outcome };
  return { ...NOTHING, allowed: 1, notes: [outcome] };
}

const NOTHING: Linked = { notes: [], allowed: 0, refused: 0, full: undefined };

/** Markers stand in what is shown of a message. */
function effectsOf(message: string): ReadonlyMap<number, MarkerEffect> {
  return storyEffects(message.slice(0, MAX_TEXT));
}

function canChange(role: string | undefined): boolean {
  return role !== undefined && role !== 'Viewer';
}

/** The comment that was made, or why there is none. */
async function linkToStory(
  change: Change,
  storyId: number,
  { commit, effects, textLength }: CommitLinks,
): Promise<Note | Refusal> {
  const { tx, project, now } = change;
  const text = commentText(commit, change.user, textLength);
  const refusal = await noRoom(change, storyId, addedBy(text));
  if (refusal) return refusal;
  const story = await changedStory(change, storyId);
  const note = await writeNote(change, story, text);
  await insertLinkedCommit(tx, {
    projectId: project.id,
    storyId,
    commitId: commit.commitId,
    noteId: note.id,
    receivedAt: now,
  });
  const effect = effects.get(storyId) ?? 'comment';
  const state = stateAfterCommit({ ...story, estimate: story.estimate ?? -1 }, effect, rulesOf(project));
  if (state !== story.state) await changeState(change, { ...story, updatedAt: now }, state);
  return note;
}

/** The comment as it is shown on the story, cut where it is too long; it leads to the commit when its address is known. */
function commentText({ author, message, commitId, url }: SourceCommit, user: UserRow, most: number): string {
  const address = url === undefined ? commitId : url.includes(commitId) ? url : `${commitId} ${url}`;
  const text = `Commit by ${author.trim() || user.name}\n${address}\n\n${message.trim()}`;
  return text.length > most ? `${text.slice(0, most - 1).toWellFormed()}…` : text;
}

function refuseWrongCommit({ commitId, message }: SourceCommit): void {
  const sentences: string[] = [];
  if (commitId === '') sentences.push('A source commit needs its commit_id.');
  if (commitId.length > MAX_COMMIT_ID) sentences.push(`A commit_id has at most ${MAX_COMMIT_ID} characters.`);
  if (message.trim() === '') sentences.push('A source commit needs its message.');
  if (sentences.length > 0) throw unprocessable(sentences);
}
