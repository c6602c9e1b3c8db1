import * as vscode from 'vscode';
import { type ActiveStory, isSameStory, type StoryBinding } from '../../core/activeStory/storyBinding.ts';
import { findStory } from '../../core/backlog/backlog.ts';
import { messageOf } from '../../core/errors.ts';
import type { App } from '../../host/app.ts';
import type { GitRepository } from '../../host/git/gitBridge.ts';
import type { Caller } from '../../host/shell/commands.ts';
import { storyLabel } from '../../host/story/storyLabel.ts';
import { baseBranch } from './baseBranch.ts';
import { boundStory } from './followedBranch.ts';
import type { FollowedStories } from './followedStories.ts';

type Needs = Pick<App, 'backlogs' | 'engine' | 'log' | 'messages'>;

/** A branch that a story is to be bound to. */
interface BranchToBind {
  readonly repository: GitRepository;
  /** The one that is checked out when left out. */
  readonly branch?: string | undefined;
  readonly story: ActiveStory;
  readonly caller: Caller;
}

/** `said`: what is told beside that it is done, about the story that the branch was bound to. */
type Binding = { readonly answer: 'bind'; readonly said?: string } | { readonly answer: 'start' };

/**
 * Whether a branch may be bound to a story. Where it is another one's, a person is asked, who may start theirs on a branch of its own;
 * on the base, which has one story after the other, and for a program it is only said. `undefined`: the person turned away.
 */
export async function askToBind(
  needs: Needs,
  stories: FollowedStories,
  wanted: BranchToBind,
): Promise<Binding | undefined> {
  const { repository, story, caller } = wanted;
  const branch = wanted.branch ?? repository.state.HEAD?.name;
  const other = branch === undefined ? undefined : await otherStory(stories, repository, branch, story);
  if (branch === undefined || !other) return { answer: 'bind' };
  const said = vscode.l10n.t('{0} was the branch of story #{1}.', branch, other.storyId);
  if (caller === 'program' || (await isBase(needs, repository, branch))) return { answer: 'bind', said };
  const bind = vscode.l10n.t('Use It for #{0}', story.storyId);
  const start = vscode.l10n.t('Start #{0} on Its Own Branch…', story.storyId);
  const answer = await needs.messages.ask(
    vscode.l10n.t('{0} is the branch of story {1}.', branch, nameOf(needs, other)),
    vscode.l10n.t('A branch belongs to one story. Commits on it are offered to be linked to that story.'),
    bind,
    start,
  );
  if (answer === undefined) return undefined;
  return answer === bind ? { answer: 'bind', said } : { answer: 'start' };
}

/** The story that the branch is bound to, where that is another one, be it of a server that nobody is signed in to. */
async function otherStory(
  stories: FollowedStories,
  repository: GitRepository,
  branch: string,
  story: ActiveStory,
): Promise<StoryBinding | undefined> {
  const written = await boundStory(repository, branch);
  if (!written) return undefined;
  const bound = await stories.boundTo(repository, branch);
  if (bound) return isSameStory(bound, story) ? undefined : bound;
  return written.storyId === story.storyId ? undefined : written;
}

async function isBase(needs: Needs, repository: GitRepository, branch: string): Promise<boolean> {
  try {
    return (await baseBranch(needs, repository))?.branch === branch;
  } catch (thrown) {
    needs.log.debug(`base branch: ${messageOf(thrown)}`);
    return false;
  }
}

function nameOf({ backlogs }: Needs, { storyId, projectId, accountId }: StoryBinding): string {
  const isKnown = projectId !== undefined && accountId !== undefined;
  const backlog = isKnown ? backlogs.peekSome({ projectId, accountId }) : undefined;
  const story = backlog && findStory(backlog, storyId);
  return story ? `#${storyId} ${storyLabel(story)}` : `#${storyId}`;
}
