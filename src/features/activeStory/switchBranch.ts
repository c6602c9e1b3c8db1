import type { BranchFacts } from '../../core/ports/git.ts';
import { t } from '../../core/translation.ts';
import type { GitRepository } from '../../host/git/gitBridge.ts';

/** The members of a repository with which another branch is checked out. */
export type SwitchedRepository = Pick<
  GitRepository,
  'state' | 'status' | 'checkout' | 'createBranch' | 'deleteBranch' | 'createStash' | 'popStash'
> & { readonly rootUri: Pick<GitRepository['rootUri'], 'fsPath'> };

type SwitchFacts = Pick<BranchFacts, 'tip' | 'stashFits' | 'stashIndex'>;

/** What becomes of uncommitted work when another branch is checked out. */
export type ChangesWish = 'carry' | 'stash';

/** A branch to check out. */
export interface BranchSwitch {
  readonly branch: string;
  /** It is made, unless it is there in the meantime; else it is there, or on a remote. */
  readonly isNew: boolean;
  /** Commit at which a new one begins; absent for what is checked out. */
  readonly start?: string;
  readonly changes: ChangesWish;
  /** What a stash is called in Git's list. */
  readonly stashName: string;
}

/** What checking a branch out has changed. */
export interface Switched {
  readonly wanted: BranchSwitch;
  /** What was checked out before; without a name where that was no branch. */
  readonly from: { readonly name?: string; readonly commit?: string };
  /** Commit at which the branch was made, where it was not there. */
  readonly madeAt?: string;
  /** Hash of the stash with what was not committed. */
  readonly stash?: string;
}

type SwitchStep = 'stash' | 'checkout' | 'restore';

/** What kept a branch from being checked out; `cause` has Git's words. */
export class SwitchError extends Error {
  readonly step: SwitchStep;
  /** What was changed all the same, as where a hook fails that runs after a checkout. */
  readonly switched: Switched | undefined;
  /** The stash that could not be brought back. */
  readonly keptStash: string | undefined;

  constructor(step: SwitchStep, cause: unknown, left: { readonly switched?: Switched; readonly keptStash?: string }) {
    super(`Could not switch branches (${step}).`, { cause });
    this.step = step;
    this.switched = left.switched;
    this.keptStash = left.keptStash;
  }
}

/** How many files have work that is not committed. */
export function countChanges({ state }: Pick<GitRepository, 'state'>): number {
  const lists = [state.workingTreeChanges, state.indexChanges, state.mergeChanges, state.untrackedChanges];
  return lists.reduce((sum, list) => sum + (list?.length ?? 0), 0);
}

/**
 * Checks a branch out, with what is not committed carried along or put away before. Where that fails, what was put away is brought
 * back. @throws SwitchError.
 */
export async function switchBranch(
  git: SwitchedRepository,
  facts: SwitchFacts,
  wanted: BranchSwitch,
): Promise<Switched> {
  await git.status();
  const { HEAD } = git.state;
  const from = { ...(HEAD?.name !== undefined && { name: HEAD.name }), ...(HEAD?.commit && { commit: HEAD.commit }) };
  if (from.name === wanted.branch) return { wanted, from };
  const before = await tipOf(git, facts, wanted.branch);
  const stash = wanted.changes === 'stash' ? await putAway(git, facts, wanted.stashName) : undefined;
  const switched = async (): Promise<Switched> => {
    const madeAt = before === undefined ? await tipOf(git, facts, wanted.branch) : undefined;
    return { wanted, from, ...(madeAt !== undefined && { madeAt }), ...(stash !== undefined && { stash }) };
  };
  try {
    if (before === undefined && wanted.isNew) await git.createBranch(wanted.branch, true, wanted.start);
    else await git.checkout(wanted.branch);
  } catch (thrown) {
    await git.status();
    if (git.state.HEAD?.name === wanted.branch) {
      throw new SwitchError('checkout', thrown, { switched: await switched() });
    }
    const isBack = stash === undefined || (await bringBack(git, facts, stash));
    throw new SwitchError('checkout', thrown, isBack ? {} : { keptStash: wanted.stashName });
  }
  await git.status();
  return switched();
}

/** What of a switch could not be taken back, because something was done since. */
export interface KeptParts {
  /** It has commits of its own. */
  readonly branch?: string;
  /** It is still in Git's list under this name. */
  readonly stash?: string;
}

/**
 * Checks out what was checked out before, with what is not committed now carried along, deletes the branch where it was made and has
 * no commits of its own, and brings back what was put away. @throws SwitchError where nothing was changed.
 */
export async function switchBack(git: SwitchedRepository, facts: SwitchFacts, switched: Switched): Promise<KeptParts> {
  const { wanted, from, madeAt, stash } = switched;
  await git.status();
  const before = from.name ?? from.commit;
  if (git.state.HEAD?.name === wanted.branch && wanted.branch !== from.name && before !== undefined) {
    await checkOutAgain(git, before, wanted.branch);
  }
  await git.status();
  const keptBranch = madeAt !== undefined && !(await deleteUnused(git, facts, wanted.branch, madeAt));
  const isThere = stash !== undefined && (await facts.stashIndex(git.rootUri.fsPath, stash)) !== undefined;
  const isHome = git.state.HEAD?.name === from.name;
  const keptStash = isThere && !(isHome && (await bringBack(git, facts, stash)));
  return { ...(keptBranch && { branch: wanted.branch }), ...(keptStash && { stash: wanted.stashName }) };
}

/** A hook may fail once it is done. */
async function checkOutAgain(git: SwitchedRepository, before: string, left: string): Promise<void> {
  try {
    await git.checkout(before);
  } catch (thrown) {
    await git.status();
    if (git.state.HEAD?.name === left) throw new SwitchError('checkout', thrown, {});
  }
}

/** `false` where it has commits of its own or is checked out. */
async function deleteUnused(
  git: SwitchedRepository,
  facts: SwitchFacts,
  branch: string,
  madeAt: string,
): Promise<boolean> {
  const tip = await tipOf(git, facts, branch);
  if (tip === undefined) return true;
  if (tip !== madeAt || git.state.HEAD?.name === branch) return false;
  try {
    // Git takes a branch for unmerged that begins at what a remote has and what is checked out has not.
    await git.deleteBranch(branch, true);
    return true;
  } catch {
    return false;
  }
}

function tipOf({ rootUri }: SwitchedRepository, facts: SwitchFacts, branch: string): Promise<string | undefined> {
  return facts.tip(rootUri.fsPath, `refs/heads/${branch}`);
}

/** Tells the hash of the stash; `undefined` where there was nothing to put away. */
async function putAway(git: SwitchedRepository, facts: SwitchFacts, name: string): Promise<string | undefined> {
  const latest = () => facts.tip(git.rootUri.fsPath, 'refs/stash');
  const before = await latest();
  if (!git.createStash)
    throw new SwitchError('stash', new Error(t('This version of VS Code cannot stash changes.')), {});
  try {
    if (countChanges(git) > 0) await git.createStash({ message: name, includeUntracked: true });
  } catch (thrown) {
    throw new SwitchError('stash', thrown, {});
  }
  const after = await latest();
  return after === before ? undefined : after;
}

/** `false` where it could not be brought back as a whole and so is still in Git's list, with no file changed. */
async function bringBack(git: SwitchedRepository, facts: SwitchFacts, stash: string): Promise<boolean> {
  const root = git.rootUri.fsPath;
  const index = await facts.stashIndex(root, stash);
  if (index === undefined || !git.popStash || !(await facts.stashFits(root, stash))) return false;
  try {
    await git.popStash(index);
    return true;
  } catch {
    return (await facts.stashIndex(git.rootUri.fsPath, stash)) === undefined;
  }
}
