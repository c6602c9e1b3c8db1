import type { DatabaseSync } from 'node:sqlite';
import type { LinkedCommit, LinkedCommits, ReplicaAccount } from '../../core/replica/replica.ts';
import type { Note, StoryRef } from '../../core/story/story.ts';
import type { SourceCommit } from '../../core/story/storyAddress.ts';
import { normalized } from '../../core/text.ts';
import type { ReplicaFile } from '../file/replicaFile.ts';
import { rowOf, rowsOf } from '../file/replicaRows.ts';

const KEPT = 5000;

/** Remembers that a server has taken a commit for these stories. */
export function rememberLinked(
  database: DatabaseSync,
  { accountId, address }: ReplicaAccount,
  hash: string,
  stories: readonly StoryRef[],
  at: number,
): void {
  const insert = database.prepare('INSERT OR REPLACE INTO linkedCommit VALUES (?, ?, ?, ?, ?, ?)');
  for (const { projectId, storyId } of stories) insert.run(accountId, address, projectId, storyId, hash, at);
  database
    .prepare('DELETE FROM linkedCommit WHERE rowid NOT IN (SELECT rowid FROM linkedCommit ORDER BY at DESC LIMIT ?)')
    .run(KEPT);
}

/** Whether a server was seen to take a commit for all these stories after that time. */
export function isLinkedSince(
  database: DatabaseSync,
  { accountId, address }: ReplicaAccount,
  hash: string,
  stories: readonly StoryRef[],
  at: number,
): boolean {
  const sql = `SELECT 1 FROM linkedCommit
    WHERE accountId = ? AND address = ? AND project = ? AND story = ? AND hash = ? AND at > ?`;
  return stories.every(
    ({ projectId, storyId }) => rowOf(database, sql, accountId, address, projectId, storyId, hash, at) !== undefined,
  );
}

/** The commits that were linked on this machine, as the replica's file has them. */
export class StoredLinkedCommits implements LinkedCommits {
  private readonly file: ReplicaFile;

  constructor(file: ReplicaFile) {
    this.file = file;
  }

  async linked(): Promise<readonly LinkedCommit[]> {
    await this.file.ready();
    const rows = this.file.run((database) => rowsOf(database, 'SELECT * FROM linkedCommit ORDER BY at'));
    return rows.map(({ accountId, address, project, story, hash, at }) => ({
      account: { accountId: String(accountId), address: String(address) },
      ...{ projectId: Number(project), storyId: Number(story), hash: String(hash), linkedAt: Number(at) },
    }));
  }
}

/** What Git itself writes into the message of another commit. */
const MENTION = /(?:reverts commits?|reversing changes made to|picked from(?: commit)?)\s+[0-9a-f]{7,64}/g;
const BRACKETS = /\[[^[\]]*\]/g;
const TAG = /<\/?[a-z!][^<>]*>/g;
const HASH = /(?<![0-9a-z])[0-9a-f]{7,64}(?![0-9a-z])/g;
const FULL_HASH = /^[0-9a-f]{40,64}$/;
const ENTITIES: ReadonlyMap<string, string> = new Map(
  Object.entries({ lt: '<', gt: '>', amp: '&', quot: '"', apos: "'", nbsp: ' ' }),
);
/** No hash is abbreviated further. */
const SHORTEST = 7;
/** So many letters at the beginning of a message tell it from what a person would write of its commit. */
const ENOUGH = 24;

/**
 * Whether a comment is what a server made of a commit. It holds the commit's id, or seven digits and more of it, elsewhere
 * than where Git names another commit; and, unless it came since the commit was first sent, the beginning of the message,
 * as far as it was not cut off. HTML, letter case, white space, markers and the author's name do not matter.
 */
export function showsCommit({ text }: Note, { commitId, message }: SourceCommit, isSince: boolean): boolean {
  const id = commitId.toLowerCase();
  if (!text.toLowerCase().includes(id.slice(0, SHORTEST))) return false;
  const plain = withoutTags(text);
  const own = plain.replaceAll(MENTION, ' ');
  const end = endOf(own, id);
  const isNamed = end !== undefined || (endOf(plain, id) === undefined && endOf(text.toLowerCase(), id) !== undefined);
  if (!isNamed || isSince) return isNamed;
  const start = letters(withoutTags(firstLine(message))).slice(0, ENOUGH);
  const rest = end === undefined ? '' : letters(own.slice(end));
  return letters(own).includes(start) || (rest !== '' && start.startsWith(rest));
}

/** Where the last mention of an id ends; a hash may be abbreviated. */
function endOf(text: string, id: string): number | undefined {
  if (!FULL_HASH.test(id)) return text.includes(id) ? text.lastIndexOf(id) + id.length : undefined;
  const last = [...text.matchAll(HASH)].findLast(([hash]) => id.startsWith(hash));
  return last && last.index + last[0].length;
}

/** In lower case; what is escaped and what is not become the same. */
function withoutTags(text: string): string {
  const unescaped = text
    .toLowerCase()
    .replaceAll(/&(?:([a-z]+)|#(\d{1,6}));/g, (whole, name?: string, code?: string) =>
      name === undefined ? String.fromCodePoint(Number(code)) : (ENTITIES.get(name) ?? whole),
    );
  return unescaped.replaceAll(TAG, ' ').replaceAll(/&(?:[a-z]+|#\d+);/g, ' ');
}

function letters(text: string): string {
  return normalized(withoutMarkers(text), 'NFKC').replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** The first line that has more than markers. */
function firstLine(message: string): string {
  return message.split('\n').find((line) => letters(line) !== '') ?? '';
}

function withoutMarkers(text: string): string {
  return text.replaceAll(BRACKETS, (brackets) => (/#\d/.test(brackets) ? '' : brackets));
}
