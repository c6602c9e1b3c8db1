import * as vscode from 'vscode';
import { isBranchName } from '../../core/activeStory/branchName.ts';
import { TrackerError } from '../../core/errors.ts';
import type { BranchFacts } from '../../core/ports/git.ts';
import type { App } from '../../host/app.ts';
import type { GitRepository } from '../../host/git/gitBridge.ts';
import type { Caller } from '../../host/shell/commands.ts';
import { baseBranchWish } from '../../host/shell/featureSettings.ts';
import { boundStory } from './followedBranch.ts';
import { gitWords } from './storyBranches.ts';

/** The branch that those of stories begin at and are merged into. */
export interface BaseBranch {
  /** As people write it: `main`, or `origin/main`. */
  readonly text: string;
  /** The name without a remote. */
  readonly branch: string;
  /** Where it is fetched from; absent for one that is here only. */
  readonly remote?: string;
  /** Its full name, as `refs/remotes/origin/main`. */
  readonly ref: string;
}

type FactsNeeds = { readonly engine: Pick<App['engine'], 'branchFacts'> };

/**
 * The base that is wished for, as `main` or `origin/main`; else that of the setting, else the default branch of the remote.
 * `undefined` where nothing tells of one. @throws TrackerError `input` for a name that no branch has.
 */
export async function baseBranch(
  { engine: { branchFacts } }: FactsNeeds,
  { rootUri }: Pick<GitRepository, 'rootUri'>,
  wish: string = baseBranchWish(rootUri),
): Promise<BaseBranch | undefined> {
  const root = rootUri.fsPath;
  const remotes = await branchFacts.remotes(root);
  if (wish === '') {
    const [found] = remotes.flatMap(({ name, defaultBranch }) =>
      defaultBranch === undefined ? [] : [remoteBase(name, defaultBranch)],
    );
    return found;
  }
  const names = remotes.map(({ name }) => name);
  const found = isBranchName(wish) ? await namedBase(branchFacts, root, names, wish) : undefined;
  if (found) return found;
  throw new TrackerError('input', vscode.l10n.t('There is no branch "{0}" to begin at.', wish));
}

async function namedBase(
  facts: BranchFacts,
  root: string,
  remotes: readonly string[],
  wish: string,
): Promise<BaseBranch | undefined> {
  const named = remotes.find((remote) => wish.startsWith(`${remote}/`));
  const candidates = [
    ...(named === undefined ? [] : [remoteBase(named, wish.slice(named.length + 1))]),
    ...remotes.map((remote) => remoteBase(remote, wish)),
    { text: wish, branch: wish, ref: `refs/heads/${wish}` },
  ];
  for (const base of candidates) if ((await facts.tip(root, base.ref)) !== undefined) return base;
  // One that was pushed since the last fetch.
  return named === undefined ? undefined : candidates[0];
}

function remoteBase(remote: string, branch: string): BaseBranch {
  return { text: `${remote}/${branch}`, branch, remote, ref: `refs/remotes/${remote}/${branch}` };
}

type FetchNeeds = FactsNeeds & Pick<App, 'log' | 'messages'>;

/**
 * The commit at which the base is, as its remote has it now. Where the remote cannot be reached, a person is asked whether the last
 * one that was fetched will do, and for a program it does. `undefined`: they turned away.
 * @throws TrackerError `input` in Git's words.
 */
export async function fetchedTip(
  { engine: { branchFacts }, log, messages }: FetchNeeds,
  repository: GitRepository,
  { remote, branch, ref, text }: BaseBranch,
  caller: Caller,
): Promise<string | undefined> {
  const tip = () => branchFacts.tip(repository.rootUri.fsPath, ref);
  const fetched = remote === undefined ? undefined : await fetchProblem(repository, remote, branch);
  const found = await tip();
  if (fetched === undefined && found !== undefined) return found;
  const problem = vscode.l10n.t('Could not fetch {0}. {1}', text, fetched ?? '').trim();
  if (found === undefined) throw new TrackerError('input', problem);
  log.warn(problem);
  if (caller === 'program') return found;
  const use = vscode.l10n.t('Use the Last Fetched State');
  return (await messages.ask(problem, undefined, use)) === use ? found : undefined;
}

/** Git's words; `undefined` when the branch was fetched. */
export async function fetchProblem(
  repository: GitRepository,
  remote: string,
  branch: string,
): Promise<string | undefined> {
  const title = vscode.l10n.t('Fetching {0}…', `${remote}/${branch}`);
  try {
    await vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title }, () =>
      repository.fetch({ remote, ref: branch }),
    );
    return undefined;
  } catch (thrown) {
    return gitWords(thrown);
  }
}

const key = (branch: string) => `branch.${branch}.storyTrackerBase`;

/** Remembers where a branch began, for when its story is finished. */
export async function rememberBase(
  repository: Pick<GitRepository, 'getConfig' | 'setConfig'>,
  branch: string,
  { text }: BaseBranch,
): Promise<void> {
  if ((await repository.getConfig(key(branch))) !== text) await repository.setConfig(key(branch), text);
}

/** What branches are called that others begin at, where no remote tells of one. */
const LOCAL_BASES = ['main', 'master'];

/**
 * The base that the branch of a story began at, else the one of today, else the local branch that is called like one. `undefined`
 * where nothing tells of one.
 */
export async function baseOfBranch(
  needs: FactsNeeds,
  repository: GitRepository,
  branch: string,
): Promise<BaseBranch | undefined> {
  const remembered = await repository.getConfig(key(branch));
  const found = remembered === '' ? undefined : await baseBranch(needs, repository, remembered).catch(() => undefined);
  const known = found ?? (await baseBranch(needs, repository));
  if (known) return known;
  for (const name of LOCAL_BASES) {
    const base = await localBase(needs, repository, name);
    if (base) return base;
  }
  return undefined;
}

/**
 * Where a new branch begins: as `baseBranch`; where nothing tells of one, at the branch that is checked out, or at the base of that one
 * where it is a story's own, whose commits are no part of the next story.
 */
export async function baseOfNew(needs: FactsNeeds, repository: GitRepository): Promise<BaseBranch | undefined> {
  const usual = await baseBranch(needs, repository);
  const current = repository.state.HEAD?.name;
  if (usual || current === undefined) return usual;
  const isOwn = (await boundStory(repository, current)) !== undefined;
  return (isOwn ? await baseOfBranch(needs, repository, current) : undefined) ?? localBase(needs, repository, current);
}

async function localBase(
  { engine: { branchFacts } }: FactsNeeds,
  { rootUri }: GitRepository,
  branch: string,
): Promise<BaseBranch | undefined> {
  const ref = `refs/heads/${branch}`;
  return (await branchFacts.tip(rootUri.fsPath, ref)) === undefined ? undefined : { text: branch, branch, ref };
}
