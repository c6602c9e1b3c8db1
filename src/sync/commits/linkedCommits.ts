import type { DatabaseSync } from 'node:sqlite';
import type { LinkedCommit, LinkedCommits, ReplicaAccount } from '../../core/replica/replica.ts';
import type { Note, StoryRef } from '../../core/story/story.ts';
import type { SourceCommit } from '../../core/story/storyAddress.ts';
import { asServersKeep, normalized } from '../../core/text.ts';
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
const ENTITY = /&(?:([a-z]+)|#(\d{1,7})|#x([0-9a-f]{1,6}));/g;
/** What a message has escaped itself, a server escapes once more, and some twice. */
const TIMES_ESCAPED = 3;
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
  let unescaped = text.toLowerCase();
  for (let times = 0; times < TIMES_ESCAPED; times += 1) unescaped = unescaped.replaceAll(ENTITY, character);
  return unescaped.replaceAll(TAG, ' ').replaceAll(/&(?:[a-z]+|#\d+);/g, ' ');
}

function character(whole: string, name?: string, code?: string, hex?: string): string {
  if (name !== undefined) return ENTITIES.get(name) ?? whole;
  const point = hex === undefined ? Number(code) : Number.parseInt(hex, 16);
  return point <= 0x10ffff ? String.fromCodePoint(point) : whole;
}

/** The id of a commit, in full or abbreviated, which has digits and letters then; not a part of a UUID. */
const COMMIT_ID = /(?<![0-9a-z-])(?:[0-9a-f]{40}|[0-9a-f]{64}|(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,39})(?![0-9a-z-])/;
const IN_WORD = /[\p{L}\p{M}\p{N}]/u;

/**
 * Whether a comment holds a commit's whole message, as servers that tell no ids of commits write it: trimmed, with line ends, white
 * space and HTML of their own, the author before it and an address behind it. None that names another commit does.
 */
export function holdsMessage({ text }: Note, { message }: SourceCommit): boolean {
  const forms = [words, (one: string) => words(plain(one)), bareWords];
  return forms.some((form) => isWithin(form(message), form(text)));
}

/** Where what was escaped is escaped once more, ampersands cannot be told from what they begin. */
function plain(text: string): string {
  return withoutTags(text).replaceAll('&', ' ');
}

/** In lower case, with no white space but one between two words, whatever a server makes of it. */
function words(text: string): string {
  const kept = normalized(asServersKeep(text), 'NFC').toLowerCase().replaceAll(/\s+/g, ' ');
  return kept.replaceAll(/ ?([^\p{L}\p{M}\p{N} ]) ?/gu, '$1').trim();
}

/**
 * Letters and digits alone: servers change quotation marks and dots, leave out what has no width, and some keep no characters beyond the
 * first 65,536, as emoji, but write something else in their place.
 */
function bareWords(text: string): string {
  const kept = normalized(plain(text).replaceAll(/[\u{10000}-\u{10ffff}]/gu, ' '), 'NFKC').toLowerCase();
  const bare = kept.replaceAll(/[\p{Cf}\p{Variation_Selector}]/gu, '').replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, ' ');
  return bare.trim();
}

function isWithin(message: string, text: string): boolean {
  if (message === '') return false;
  for (let at = text.indexOf(message); at >= 0; at = text.indexOf(message, at + message.length)) {
    const end = at + message.length;
    if (isBetweenWords(text, at) && isBetweenWords(text, end))
      return !COMMIT_ID.test(text.slice(0, at)) && !COMMIT_ID.test(text.slice(end));
  }
  return false;
}

function isBetweenWords(text: string, at: number): boolean {
  return !(IN_WORD.test(text.charAt(at - 1)) && IN_WORD.test(text.charAt(at)));
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
