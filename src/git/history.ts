import type { SimpleGit } from 'simple-git';
import type { Commit, History, HistoryQuery } from '../core/ports/git.ts';
import { t } from '../core/translation.ts';
import { isHash, isRevision, RECORD_FORMAT, readCommitRecords } from './commitRecords.ts';
import { commitUrl, namesRemote, remoteNames, templatedUrl } from './remoteHost.ts';
import { asGitError, safeGit } from './safeGit.ts';

const LARGEST_PAGE = 10_000;

/** History as Git itself tells it. Reads only; nothing a repository configures is run, nothing is fetched. */
export function createHistory(): History {
  return {
    commits: (root, query, options) => ask(root, options?.signal, (git) => commits(git, query)),
    commitsNamed: (root, revisions, options) => ask(root, options?.signal, (git) => commitsNamed(git, revisions)),
    commitUrl: (root, hash, template = '') => ask(root, undefined, (git) => pageOf(git, hash, template)),
  };
}

async function ask<T>(root: string, signal: AbortSignal | undefined, question: (git: SimpleGit) => Promise<T>) {
  try {
    signal?.throwIfAborted();
    return await question(safeGit(root, signal));
  } catch (thrown) {
    throw thrown instanceof NoSuchCommit ? thrown : asGitError(thrown, root, signal);
  }
}

class NoSuchCommit extends Error {}

async function commits(git: SimpleGit, { limit, skip = 0 }: HistoryQuery): Promise<readonly Commit[]> {
  const count = Math.min(Math.max(Math.trunc(limit), 0), LARGEST_PAGE);
  const from = Math.max(Math.trunc(skip), 0);
  if (!(await hasCommits(git))) return [];
  return revList(git, [`--max-count=${count}`, `--skip=${from}`], ['HEAD']);
}

/** A new repository has a branch and no commit on it. */
async function hasCommits(git: SimpleGit): Promise<boolean> {
  const head = await git.raw(['rev-parse', '--verify', '--quiet', '--end-of-options', 'HEAD^{commit}']);
  return head.trim() !== '';
}

async function commitsNamed(git: SimpleGit, revisions: readonly string[]): Promise<readonly Commit[]> {
  if (revisions.length === 0) return [];
  for (const revision of revisions) {
    if (!isRevision(revision)) throw new NoSuchCommit(t('"{0}" is not a commit.', revision));
    const hash = await git.raw(['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`]);
    if (hash.trim() === '') throw new NoSuchCommit(t('There is no commit {0} in this repository.', revision));
  }
  return revList(
    git,
    ['--no-walk=unsorted'],
    revisions.map((revision) => `${revision}^{commit}`),
  );
}

/** `rev-list` rather than `log`: it reads no `log.*` settings, so it checks no signatures and shows no differences. */
async function revList(git: SimpleGit, options: readonly string[], revisions: readonly string[]) {
  const fixed = ['rev-list', RECORD_FORMAT, '--encoding=UTF-8', '--no-show-signature', '--no-color'];
  return readCommitRecords(await git.raw([...fixed, ...options, '--end-of-options', ...revisions, '--']));
}

async function pageOf(git: SimpleGit, hash: string, template: string): Promise<string | undefined> {
  if (!isHash(hash)) return undefined;
  if (template !== '' && !namesRemote(template)) return templatedUrl(template, undefined, hash);
  for (const name of await remoteNames(git)) {
    const address = await git.raw(['remote', 'get-url', '--end-of-options', name]);
    const remote = address.replace(/\n$/, '');
    const page = template === '' ? commitUrl(remote, hash) : templatedUrl(template, remote, hash);
    if (page !== undefined) return page;
  }
  return undefined;
}
