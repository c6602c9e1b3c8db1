import { namesStory } from '../../core/activeStory/branchName.ts';
import { isSameStory } from '../../core/activeStory/storyBinding.ts';
import { storyEffects } from '../../core/marker/markerSyntax.ts';
import type { App } from '../../host/app.ts';
import { linkWish, projectName } from '../../host/git/commitLinkSettings.ts';
import type { GitRepository } from '../../host/git/gitBridge.ts';
import { linkedHashes, waitingHashes } from '../../host/git/linkedHashes.ts';
import { isSameFolder } from '../../host/git/scmInput.ts';
import type { FoundStory } from '../../host/tree/nodes.ts';
import { type BaseBranch, baseOfBranch } from './baseBranch.ts';
import type { FollowedStories } from './followedStories.ts';

/** The branch of a story that is to be finished, and how it stands. */
export interface StoryBranch {
  readonly repository: GitRepository;
  readonly branch: string;
  readonly base: BaseBranch | undefined;
  /** The story was worked on in the base itself. */
  readonly isBase: boolean;
  /** Another folder has the base checked out. */
  readonly isBaseTaken: boolean;
  /** Where it is pushed to. */
  readonly remote: string | undefined;
  /** The remote has not all of it, or Git does not know where it is there. */
  readonly isUnpushed: boolean;
  readonly pullRequest: string | undefined;
  /** Hashes of the commits that are not linked to the story yet, the oldest first. */
  readonly unlinked: readonly string[];
}

type Needs = Pick<App, 'backlogs' | 'engine' | 'history'>;

/** `undefined` where the branch that is checked out is not the story's. @throws Error where Git does not answer. */
export async function storyBranch(
  needs: Needs,
  stories: FollowedStories,
  repository: GitRepository,
  found: FoundStory,
): Promise<StoryBranch | undefined> {
  await repository.status();
  const branch = repository.state.HEAD?.name;
  if (branch === undefined) return undefined;
  const bound = await stories.boundTo(repository, branch);
  const isBound = isSameStory(bound, { ...found.key, storyId: found.story.id });
  if (!isBound && (bound !== undefined || !namesStory(branch, found.story.id))) return undefined;
  const { branchFacts } = needs.engine;
  const root = repository.rootUri.fsPath;
  const base = await baseOfBranch(needs, repository, branch);
  const isBase = base?.branch === branch;
  const remote = await remoteOf(needs, repository, branch);
  const tip = await branchFacts.tip(root, `refs/heads/${branch}`);
  const isUnpushed =
    remote !== undefined &&
    tip !== undefined &&
    (!isFollowing(repository, branch) || tip !== (await branchFacts.tip(root, `refs/remotes/${remote}/${branch}`)));
  return {
    ...{ repository, branch, base, isBase, isBaseTaken: isTaken(repository, base), remote, isUnpushed },
    pullRequest:
      remote === undefined || !base || isBase
        ? undefined
        : await branchFacts.pullRequestUrl(root, remote, branch, base.branch),
    unlinked: await unlinkedCommits(needs, repository, found, { branch, base, isBase, remote }),
  };
}

/** Only an upstream of its own name: one that was begun at another branch may follow that. */
function isFollowing({ state }: GitRepository, branch: string): boolean {
  return state.HEAD?.upstream?.name === branch;
}

async function remoteOf({ engine }: Needs, repository: GitRepository, branch: string): Promise<string | undefined> {
  if (isFollowing(repository, branch)) return repository.state.HEAD?.upstream?.remote;
  return (await engine.branchFacts.remotes(repository.rootUri.fsPath))[0]?.name;
}

function isTaken({ rootUri, state }: GitRepository, base: BaseBranch | undefined): boolean {
  const others = (state.worktrees ?? []).filter(({ path }) => !isSameFolder({ path }, rootUri));
  return others.some(({ ref }) => ref === `refs/heads/${base?.branch}`);
}

type Line = Pick<StoryBranch, 'branch' | 'base' | 'isBase' | 'remote'>;

/** On the base, of which others' commits are a part, only those that name the story. None where the project wants none from here. */
async function unlinkedCommits(
  { backlogs, engine, history }: Needs,
  { rootUri }: GitRepository,
  { key, story }: FoundStory,
  { branch, base, isBase, remote }: Line,
): Promise<readonly string[]> {
  const wish = linkWish(projectName(backlogs, key), rootUri);
  const from = isBase ? remote && `refs/remotes/${remote}/${branch}` : base?.ref;
  if (wish === 'serverHook' || wish === 'off' || from === undefined) return [];
  const root = rootUri.fsPath;
  if ((await engine.branchFacts.tip(root, from)) === undefined) return [];
  const own = await engine.branchFacts.ownCommits(root, `refs/heads/${branch}`, from);
  const inComments = linkedHashes([story]);
  const waiting = waitingHashes(backlogs.unsent);
  const taken = await engine.linkedCommits.linked();
  const isLinked = (hash: string) =>
    inComments.has(hash) ||
    waiting.has(hash) ||
    taken.some((one) => one.hash === hash && one.storyId === story.id && one.projectId === key.projectId);
  const unlinked = own.filter((hash) => !isLinked(hash));
  if (!isBase || unlinked.length === 0) return unlinked;
  const commits = await history.commitsNamed(root, unlinked);
  return commits.filter(({ message }) => storyEffects(message).has(story.id)).map(({ hash }) => hash);
}
