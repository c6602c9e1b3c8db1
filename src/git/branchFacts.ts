import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { SimpleGit } from 'simple-git';
import type { BranchFacts, RemoteFacts } from '../core/ports/git.ts';
import { pullRequestUrl, remoteNames } from './remoteHost.ts';
import { asGitError, safeGit } from './safeGit.ts';

/** Names of branches that others begin at, for remotes that do not tell theirs; the likeliest first. */
const USUAL_DEFAULTS = ['main', 'master', 'trunk', 'develop'];

/** So many commits of a branch are told. */
const MOST_COMMITS = 1000;

/** What stands for something else than a name where Git expects a commit. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused.
const NO_NAME = /[\u0000-\u0020\u007f~^:?*[\\]|\.\.|@\{|^-/;

/** How branches stand as Git itself tells it. Reads only; nothing a repository configures is run, nothing is fetched. */
export function createBranchFacts(): BranchFacts {
  return {
    remotes: (root) => ask(root, remotes),
    tip: (root, ref) => ask(root, (git) => tip(git, ref)),
    ownCommits: (root, ...of) => ask(root, (git) => ownCommits(git, ...of)),
    isMerged: (root, ...of) => ask(root, (git) => isMerged(git, ...of)),
    stashIndex: (root, stash) => ask(root, (git) => stashIndex(git, stash)),
    stashFits: (root, stash) => ask(root, (git) => stashFits(git, root, stash)),
    pullRequestUrl: (root, ...of) => ask(root, (git) => pullRequestPage(git, ...of)),
  };
}

async function ask<T>(root: string, question: (git: SimpleGit) => Promise<T>): Promise<T> {
  try {
    return await question(safeGit(root));
  } catch (thrown) {
    throw asGitError(thrown, root);
  }
}

async function remotes(git: SimpleGit): Promise<readonly RemoteFacts[]> {
  // Where there is no repository, Git tells so here.
  await git.raw(['rev-parse', '--git-dir']);
  const facts: RemoteFacts[] = [];
  for (const name of await remoteNames(git)) {
    const defaultBranch = await defaultBranchOf(git, name);
    facts.push({ name, ...(defaultBranch !== undefined && { defaultBranch }) });
  }
  return facts;
}

async function defaultBranchOf(git: SimpleGit, remote: string): Promise<string | undefined> {
  const refs = `refs/remotes/${remote}/`;
  const told = (await git.raw(['symbolic-ref', '--quiet', `${refs}HEAD`])).trim();
  const named = told.startsWith(refs) ? [told.slice(refs.length)] : [];
  for (const branch of [...named, ...USUAL_DEFAULTS]) {
    if ((await tip(git, refs + branch)) !== undefined) return branch;
  }
  return undefined;
}

async function tip(git: SimpleGit, ref: string): Promise<string | undefined> {
  if (ref === '' || NO_NAME.test(ref)) return undefined;
  const hash = await git.raw(['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`]);
  return hash.trim() || undefined;
}

async function ownCommits(git: SimpleGit, branch: string, base: string): Promise<readonly string[]> {
  const [to, from] = [await tip(git, branch), await tip(git, base)];
  if (to === undefined) return [];
  const options = ['--reverse', '--first-parent', '--no-merges', `--max-count=${MOST_COMMITS}`];
  const range = from === undefined ? [to] : [to, `^${from}`];
  return lines(await git.raw(['rev-list', ...options, ...range, '--']));
}

async function isMerged(git: SimpleGit, commit: string, into: readonly string[]): Promise<boolean> {
  const from = await tip(git, commit);
  for (const name of from === undefined ? [] : into) {
    const target = await tip(git, name);
    if (target === undefined) continue;
    if ((await git.raw(['rev-list', '--max-count=1', `${from}`, `^${target}`, '--'])).trim() === '') return true;
  }
  return false;
}

async function stashIndex(git: SimpleGit, stash: string): Promise<number | undefined> {
  if ((await tip(git, 'refs/stash')) === undefined) return undefined;
  const index = lines(await git.raw(['rev-list', '--walk-reflogs', 'refs/stash', '--'])).indexOf(stash);
  return index < 0 ? undefined : index;
}

async function stashFits(git: SimpleGit, root: string, stash: string): Promise<boolean> {
  const commit = await tip(git, stash);
  if (commit === undefined) return false;
  const tree = ['diff-tree', '-r', '--name-only', '--no-renames', '-z'];
  const tracked = names(await git.raw([...tree, `${commit}^1`, commit]));
  const since = names(await git.raw([...tree, `${commit}^1`, 'HEAD']));
  const staged = names(await git.raw(['diff-index', '--cached', '--name-only', '--no-renames', '-z', 'HEAD', '--']));
  const changed = new Set([...since, ...staged]);
  return !tracked.some((name) => changed.has(name)) && !(await newFiles(git, commit)).some(isThere(root));
}

/** Those that Git did not know when they were put away. */
async function newFiles(git: SimpleGit, stash: string): Promise<readonly string[]> {
  const added = await git.raw(['rev-parse', '--verify', '--quiet', '--end-of-options', `${stash}^3`]);
  return added.trim() === ''
    ? []
    : names(await git.raw(['ls-tree', '-r', '--name-only', '--full-tree', '-z', added.trim()]));
}

function isThere(root: string): (name: string) => boolean {
  return (name) => lstatSync(join(root, name), { throwIfNoEntry: false }) !== undefined;
}

function names(list: string): readonly string[] {
  return list.split('\0').filter((name) => name !== '');
}

async function pullRequestPage(
  git: SimpleGit,
  remote: string,
  branch: string,
  base: string,
): Promise<string | undefined> {
  if (!(await remoteNames(git)).includes(remote)) return undefined;
  const address = await git.raw(['remote', 'get-url', '--end-of-options', remote]);
  return pullRequestUrl(address.replace(/\n$/, ''), { branch, base });
}

function lines(text: string): readonly string[] {
  return text.split('\n').filter((line) => line !== '');
}
