import { realpath, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { SimpleGit } from 'simple-git';
import type { Commit } from '../core/history.ts';
import { parseMarkers } from '../core/marker.ts';
import type { CommitFinder, CommitFindingQuery, NewCommit, NewCommits } from '../core/newCommits.ts';
import { RECORD_FORMAT, readCommitRecords } from './commitRecords.ts';
import { asGitError } from './gitError.ts';
import { safeGit } from './safeGit.ts';
import { type SeenTips, type Tips, tipsIn, unseen } from './seenTips.ts';

/** So many commits are looked through at once; those behind them are taken to be no news. */
const MOST_COMMITS = 2000;

/** Clocks of machines that commits come from may be somewhat behind. */
const SLACK_MS = 2000;

/** Where it is remembered what was seen and found. */
export interface FindingMemory {
  /** `undefined` for a repository that was never looked at. */
  seen(repository: string): Promise<SeenTips | undefined>;
  /** Remembers where the repository stands together with what was found since; tells what is undecided and nobody else's to ask about. */
  note(repository: string, tips: Tips, found: readonly Commit[]): Promise<readonly NewCommit[]>;
  settle(repository: string, hashes: readonly string[]): Promise<void>;
}

/** Finds new commits by what Git tells of local branches and HEAD: a fixed number of questions, however long the history is. */
export class GitCommitFinder implements CommitFinder {
  private readonly memory: FindingMemory;
  private finding: Promise<unknown> = Promise.resolve();

  constructor(memory: FindingMemory) {
    this.memory = memory;
  }

  /** One look after the other, so that none works with what another is about to remember. */
  find(root: string, query: CommitFindingQuery): Promise<NewCommits> {
    const found = this.finding.then(() => this.look(root, query));
    this.finding = found.catch(() => undefined);
    return found;
  }

  async settle(repository: string, hashes: readonly string[]): Promise<void> {
    await this.memory.settle(repository, hashes);
  }

  private async look(root: string, { emails }: CommitFindingQuery): Promise<NewCommits> {
    try {
      const git = safeGit(root);
      const { repository, gitFolder } = await foldersOf(git, root);
      if (await isRebasing(gitFolder)) return { repository, commits: [], isUnsettled: true };
      const tips = tipsIn(await git.raw(['show-ref', '--head', '--heads']));
      const seen = await this.memory.seen(repository);
      const found = seen ? await ownCommits(git, seen, tips, emails) : [];
      return { repository, commits: await this.memory.note(repository, tips, found), isUnsettled: false };
    } catch (thrown) {
      throw asGitError(thrown, root);
    }
  }
}

/** The folder that all worktrees of a repository share, and the worktree's own. */
async function foldersOf(git: SimpleGit, root: string) {
  const [common = '', own = ''] = (await git.raw(['rev-parse', '--git-common-dir', '--git-dir'])).split('\n');
  return { repository: await realpath(resolve(root, common)), gitFolder: resolve(root, own) };
}

/** Half of what a rebase makes may be thrown away before it has ended. */
async function isRebasing(gitFolder: string): Promise<boolean> {
  const looks = ['rebase-merge', 'rebase-apply'].map((name) => stat(join(gitFolder, name)));
  return (await Promise.allSettled(looks)).some(({ status }) => status === 'fulfilled');
}

async function ownCommits(git: SimpleGit, seen: SeenTips, tips: Tips, emails: readonly string[]) {
  const { from, without } = unseen(seen, tips);
  if (from.length === 0) return [];
  const own = new Set([...(await configuredEmails(git)), ...emails].map((email) => email.trim().toLowerCase()));
  own.delete('');
  if (own.size === 0) return [];
  const since = Math.floor((seen.firstAt - SLACK_MS) / 1000);
  const options = ['--topo-order', '--reverse', '--ignore-missing', `--since=${since}`, `--max-count=${MOST_COMMITS}`];
  const fixed = ['rev-list', RECORD_FORMAT, '--encoding=UTF-8', '--no-show-signature', '--no-color', ...options];
  const revisions = [...from, ...without.map((hash) => `^${hash}`)];
  const commits = readCommitRecords(await git.raw([...fixed, '--end-of-options', ...revisions, '--']));
  return commits.filter(
    ({ authorEmail, message }) => own.has(authorEmail.toLowerCase()) && parseMarkers(message).length > 0,
  );
}

async function configuredEmails(git: SimpleGit): Promise<readonly string[]> {
  const answer = await git.raw(['config', '--null', '--get-regexp', '^(user|author)\\.email$']);
  return answer.split('\0').map((entry) => entry.slice(entry.indexOf('\n') + 1));
}
