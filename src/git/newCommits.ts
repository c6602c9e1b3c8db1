import { realpath, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { SimpleGit } from 'simple-git';
import type { Commit, CommitFinder, CommitFindingQuery, NewCommit, NewCommits } from '../core/ports/history.ts';
import { portions } from './commitRecords.ts';
import { newOwnCommits } from './ownCommits.ts';
import { asGitError, safeGit } from './safeGit.ts';
import { formerPlace, type SeenTips, type Tips, tipsIn } from './seenTips.ts';

/** Where it is remembered what was seen and found. */
export interface FindingMemory {
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

/** Without those that an amend or a rebase has put others in place of, unless a tag or somebody's branch still has them. */
async function standing(git: SimpleGit, commits: readonly NewCommit[]): Promise<readonly NewCommit[]> {
  const gone = new Set<string>();
  for (const some of portions(commits.map(({ hash }) => hash))) {
    const revisions = [...some, '--not', '--all'];
    const answer = await git.raw(['rev-list', '--ignore-missing', ...revisions]);
    for (const hash of answer.split('\n')) gone.add(hash);
  }
  return commits.filter(({ hash }) => !gone.has(hash));
}
