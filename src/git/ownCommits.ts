import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { SimpleGit } from 'simple-git';
import { isProvisional } from '../core/marker/commitMessage.ts';
import { parseMarkers } from '../core/marker/markerSyntax.ts';
import type { Commit } from '../core/ports/history.ts';
import { type DatedCommit, portions, RECORD_FORMAT, readDatedRecords } from './commitRecords.ts';
import { type SeenTips, type Tips, unseen } from './seenTips.ts';

/** Clocks of machines that commits come from may be somewhat behind. */
const SLACK_MS = 2000;

export interface Looking {
  readonly git: SimpleGit;
  readonly repository: string;
  readonly seen: SeenTips;
}

/**
 * The commits with markers that are on these tips since they were seen and whose author is this person, oldest first. What was
 * committed before the first look is history, on whatever branch it comes later.
 */
export async function newOwnCommits(
  looking: Looking,
  tips: Tips,
  emails: readonly string[],
): Promise<readonly Commit[]> {
  const { git, repository, seen } = looking;
  const since = seen.firstAt - SLACK_MS;
  const own = await unseenOwnCommits(looking, tips, emails);
  const old = own.filter(({ committedAt }) => committedAt < Math.floor(since / 1000) * 1000);
  const hashes = old.map(({ commit }) => commit.hash);
  const redated = await madeHere(git, repository, hashes, since);
  const isHistory = new Set(hashes.filter((hash) => !redated.has(hash)));
  return own.flatMap(({ commit }) => (isHistory.has(commit.hash) ? [] : [commit]));
}

/** Git itself leaves out what others made and what names nothing, so that what remains is little after a long absence too. */
async function unseenOwnCommits({ git, seen }: Looking, tips: Tips, emails: readonly string[]) {
  const { from, without } = unseen(seen, tips);
  if (from.length === 0) return [];
  const own = new Set([...(await configuredEmails(git)), ...emails].map((email) => email.trim().toLowerCase()));
  own.delete('');
  if (own.size === 0) return [];
  const looks = ['--fixed-strings', '--regexp-ignore-case', '--grep=#', ...[...own].map((one) => `--author=<${one}>`)];
  const options = ['--topo-order', '--reverse', '--ignore-missing', ...looks];
  const fixed = ['rev-list', RECORD_FORMAT, '--encoding=UTF-8', '--no-show-signature', '--no-color', ...options];
  const found = new Map<string, DatedCommit>();
  for (const some of portions(from)) {
    const revisions = [...some, ...without.map((hash) => `^${hash}`)];
    const records = readDatedRecords(await git.raw([...fixed, '--end-of-options', ...revisions, '--']));
    for (const record of records) found.set(record.commit.hash, record);
  }
  return [...found.values()].filter(
    ({ commit: { authorEmail, message } }) =>
      own.has(authorEmail.toLowerCase()) && parseMarkers(message).length > 0 && !isProvisional(message),
  );
}

async function configuredEmails(git: SimpleGit): Promise<readonly string[]> {
  const answer = await git.raw(['config', '--null', '--get-regexp', '^(user|author)\\.email$']);
  const { GIT_AUTHOR_EMAIL = '', EMAIL = '' } = process.env;
  return [...answer.split('\0').map((entry) => entry.slice(entry.indexOf('\n') + 1)), GIT_AUTHOR_EMAIL, EMAIL];
}

const MOST_STEPS = 2000;

/** Steps of a reflog that make a commit; to check one out, to reset or to fast-forward to it makes none. */
const MAKES = /^(?:commit|cherry-pick|revert|am|merge|pull|rebase)\b/;
const MAKES_NOT = /: fast-forward$|\((?:start|finish|abort)\)/i;

/**
 * Which of these commits were made in this working tree since `since`, whatever their dates say: somebody may have set them
 * back. The reflog tells what was made here, and when is told by the file that Git wrote for it; one that was packed since
 * is taken for history.
 */
async function madeHere(
  git: SimpleGit,
  commonFolder: string,
  hashes: readonly string[],
  since: number,
): Promise<ReadonlySet<string>> {
  if (hashes.length === 0) return new Set();
  const made = await madeInReflog(git);
  const candidates = hashes.filter((hash) => made.has(hash));
  const times = await Promise.all(candidates.map((hash) => writtenAt(commonFolder, hash)));
  return new Set(candidates.filter((_, index) => (times[index] ?? 0) >= since));
}

async function madeInReflog(git: SimpleGit): Promise<ReadonlySet<string>> {
  const fixed = ['log', '--walk-reflogs', '--format=tformat:%H%x00%gs', '--no-show-signature', '--no-color'];
  const answer = await git.raw([...fixed, `--max-count=${MOST_STEPS}`, '--end-of-options', 'HEAD', '--']);
  const steps = answer.split('\n').map((line) => line.split('\0'));
  return new Set(
    steps.flatMap(([hash, step = '']) => (hash && MAKES.test(step) && !MAKES_NOT.test(step) ? [hash] : [])),
  );
}

async function writtenAt(commonFolder: string, hash: string): Promise<number> {
  const file = join(commonFolder, 'objects', hash.slice(0, 2), hash.slice(2));
  return stat(file).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
}
