import { realpath, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { SimpleGit } from 'simple-git';
import { isProvisional } from '../core/marker/commitMessage.ts';
import { parseMarkers } from '../core/marker/markerSyntax.ts';
import type { Commit, CommitFinder, CommitFindingQuery, NewCommit, NewCommits } from '../core/ports/git.ts';
import { type DatedCommit, portions, RECORD_FORMAT, readDatedRecords } from './commitRecords.ts';
import { asGitError, safeGit } from './safeGit.ts';

/** The commit that each ref stands at; `HEAD` and full names of local branches. */
type Tips = ReadonlyMap<string, string>;

/** Where a repository stood when it was last looked at. */
interface SeenTips {
  /** When it was first looked at, in milliseconds since the epoch: what was committed before is history. */
  readonly firstAt: number;
  /** The latest first. */
  readonly tips: readonly { readonly ref: string; readonly hash: string }[];
}

const MOST_WITHOUT = 100;

/** Read from lines of a hash and the name of its ref. Other lines are ignored. */
function tipsIn(answer: string): Tips {
  return new Map(
    answer.split('\n').flatMap((line) => {
      const [, hash, ref] = /^([0-9a-f]{40}|[0-9a-f]{64}) (HEAD|refs\/heads\/.+)$/.exec(line) ?? [];
      return hash && ref ? [[ref, hash] as const] : [];
    }),
  );
}

/** The commits to begin at, HEAD first, and those whose history is known, of these few enough for a command line of any system. */
function unseen(seen: SeenTips, tips: Tips): { readonly from: readonly string[]; readonly without: readonly string[] } {
  const known = new Set(seen.tips.map(({ hash }) => hash));
  const moved = [...tips].filter(([, hash]) => !known.has(hash));
  const isMoved = new Set(moved.map(([ref]) => ref));
  const before = [...seen.tips.filter(({ ref }) => isMoved.has(ref)), ...seen.tips].map(({ hash }) => hash);
  const from = moved.toSorted(([one], [other]) => Number(other === 'HEAD') - Number(one === 'HEAD'));
  return {
    from: [...new Set(from.map(([, hash]) => hash))],
    without: [...new Set(before)].slice(0, MOST_WITHOUT),
  };
}

interface Places {
  repositories(): Promise<readonly string[]>;
  seen(repository: string): Promise<SeenTips | undefined>;
}

/** Few of the commits where a repository stood are enough to know it by. */
const MOST_TIPS = 5;

async function isGone(folder: string): Promise<boolean> {
  return stat(folder).then(
    () => false,
    (thrown: unknown) => thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT',
  );
}

async function hasAll(git: SimpleGit, hashes: readonly string[]): Promise<boolean> {
  if (hashes.length === 0) return false;
  const answer = await git.raw(['rev-list', '--no-walk', '--ignore-missing', '--end-of-options', ...hashes, '--']);
  const present = new Set(answer.split('\n'));
  return hashes.every((hash) => present.has(hash));
}

/** Where a repository was that has been moved or renamed: nothing is left there, and where it stood last is in this one. */
async function formerPlace(git: SimpleGit, places: Places): Promise<string | undefined> {
  for (const place of await places.repositories()) {
    if (!(await isGone(place))) continue;
    const tips = (await places.seen(place))?.tips ?? [];
    if (await hasAll(git, [...new Set(tips.slice(0, MOST_TIPS).map(({ hash }) => hash))])) return place;
  }
  return undefined;
}

/** Where it is remembered what was seen and found. */
interface FindingMemory {
  /** `undefined` for a repository that was never looked at. */
  seen(repository: string): Promise<SeenTips | undefined>;
  /** Remembers where the repository stands together with what was found since; tells what is undecided and nobody else's to ask about. */
  note(repository: string, tips: Tips, found: readonly Commit[]): Promise<readonly NewCommit[]>;
  settle(repository: string, hashes: readonly string[]): Promise<void>;
  /** Every repository that was looked at, the latest first. */
  repositories(): Promise<readonly string[]>;
  /** Takes over for `to`, which was never looked at, what is remembered of `from`. */
  move(from: string, to: string): Promise<void>;
}

/** Finds new commits by what Git tells of local branches and HEAD: a fixed number of questions, however long the history is. */
export class GitCommitFinder implements CommitFinder {
  private readonly memory: FindingMemory;
  private finding: Promise<unknown> = Promise.resolve();
  /** Looks that have not begun, by what they are asked. */
  private readonly waiting = new Map<string, Promise<NewCommits>>();

  constructor(memory: FindingMemory) {
    this.memory = memory;
  }

  /**
   * One look after the other, so that none works with what another is about to remember. What is asked again before its
   * look has begun gets the same answer: however much happens at once, Git is asked twice.
   */
  find(root: string, query: CommitFindingQuery): Promise<NewCommits> {
    const asked = JSON.stringify([root, query.emails]);
    const waiting = this.waiting.get(asked);
    if (waiting) return waiting;
    const found = this.finding.then(() => {
      this.waiting.delete(asked);
      return this.look(root, query);
    });
    this.waiting.set(asked, found);
    this.finding = found.catch(() => undefined);
    return found;
  }

  async settle(repository: string, hashes: readonly string[]): Promise<void> {
    await this.memory.settle(repository, hashes);
  }

  /** Where the repository stood; one that was moved is known by its commits, when nothing is left in its old place. */
  private async seen(git: SimpleGit, repository: string): Promise<SeenTips | undefined> {
    const seen = await this.memory.seen(repository);
    if (seen) return seen;
    const before = await formerPlace(git, this.memory);
    if (before === undefined) return undefined;
    await this.memory.move(before, repository);
    return this.memory.seen(repository);
  }

  private async look(root: string, { emails }: CommitFindingQuery): Promise<NewCommits> {
    try {
      const git = safeGit(root);
      const { repository, gitFolder, head } = await placeOf(git, root);
      if (await isRebasing(gitFolder)) return { repository, commits: [], isUnsettled: true };
      const branches = await git.raw(['for-each-ref', '--format=%(objectname) %(refname)', 'refs/heads/']);
      const tips = tipsIn(`${head} HEAD\n${branches}`);
      const seen = await this.seen(git, repository);
      const found = seen ? await newOwnCommits({ git, repository, seen }, tips, emails) : [];
      const open = await this.memory.note(repository, tips, found);
      const fresh = new Set(found.map(({ hash }) => hash));
      const isFresh = open.every(({ hash }) => fresh.has(hash));
      return { repository, commits: isFresh ? open : await standing(git, open), isUnsettled: false };
    } catch (thrown) {
      throw asGitError(thrown, root);
    }
  }
}

/** The folder that all worktrees of a repository share, the worktree's own, and the commit that is checked out, if any. */
async function placeOf(git: SimpleGit, root: string) {
  const answer = await git.raw(['rev-parse', '--git-common-dir', '--git-dir', '--revs-only', 'HEAD']);
  const [common = '', own = '', head = ''] = answer.split('\n');
  return { repository: await realpath(resolve(root, common)), gitFolder: resolve(root, own), head };
}

/** Half of what a rebase makes may be thrown away before it has ended. */
async function isRebasing(gitFolder: string): Promise<boolean> {
  const looks = ['rebase-merge', 'rebase-apply'].map((name) => stat(join(gitFolder, name)));
  return (await Promise.allSettled(looks)).some(({ status }) => status === 'fulfilled');
}

/** Without those that an amend or a rebase has put others in place of, unless a tag or someone's branch still has them. */
async function standing(git: SimpleGit, commits: readonly NewCommit[]): Promise<readonly NewCommit[]> {
  const gone = new Set<string>();
  for (const some of portions(commits.map(({ hash }) => hash))) {
    const revisions = [...some, '--not', '--all'];
    const answer = await git.raw(['rev-list', '--ignore-missing', ...revisions]);
    for (const hash of answer.split('\n')) gone.add(hash);
  }
  return commits.filter(({ hash }) => !gone.has(hash));
}

/** Clocks of machines that commits come from may be somewhat behind. */
const SLACK_MS = 2000;

interface Looking {
  readonly git: SimpleGit;
  readonly repository: string;
  readonly seen: SeenTips;
}

/**
 * The commits with markers that are on these tips since they were seen and whose author is this person, oldest first. What was
 * committed before the first look is history, on whatever branch it comes later.
 */
async function newOwnCommits(looking: Looking, tips: Tips, emails: readonly string[]): Promise<readonly Commit[]> {
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
 * Which of these commits were made in this working tree since `since`, whatever their dates say: someone may have set them
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
