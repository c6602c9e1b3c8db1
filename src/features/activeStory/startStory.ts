import * as vscode from 'vscode';
import { TrackerError } from '../../core/errors.ts';
import type { Project } from '../../core/project.ts';
import type { StoryEdit } from '../../core/story.ts';
import { isInProgress, statesOf } from '../../core/workflow.ts';
import type { App } from '../../host/app.ts';
import { askedRepository } from '../../host/askedRepository.ts';
import { isPlainObject } from '../../host/commands.ts';
import { estimatedEdit } from '../../host/estimatedEdit.ts';
import type { FoundStory } from '../../host/foundStory.ts';
import { ownNames } from '../../host/ownNames.ts';
import { submitIntents } from '../../host/submitIntents.ts';
import { branchArgument, CURRENT_BRANCH } from './branchArgument.ts';
import { checkOut } from './checkOut.ts';
import type { FollowedStories } from './followedStories.ts';
import { pickBranch, templateBranch } from './pickBranch.ts';
import { workPlace } from './workPlace.ts';

export type StartNeeds = Pick<App, 'backlogs' | 'git' | 'log' | 'messages' | 'storyArgument' | 'workspaceMemory'>;

/**
 * Start Story (contract.md): the story is started and one's own, and its branch is checked out: the one named by `branch`
 * (`''` for the one that is), else the one picked or, for programs, that of the template. Nothing is changed before
 * everything has been asked.
 */
export async function startStory(
  needs: StartNeeds,
  stories: FollowedStories,
  ...args: readonly unknown[]
): Promise<void> {
  const isProgram = args.some(isPlainObject);
  const named = branchArgument(args);
  const found = await needs.storyArgument.ofSelection(args[0], vscode.l10n.t('Start which story?'));
  const place = found && (await workPlace(needs, askedRepository(args.find(isPlainObject)).repository));
  if (!place) return;
  const { repository } = place;
  const { project } = await needs.backlogs.backlog(found.key);
  const chosen = () => (isProgram ? templateBranch : pickBranch)(repository, found.story);
  const branch = named ?? (repository ? await chosen() : CURRENT_BRANCH);
  const edit = branch === undefined ? undefined : await startingEdit(needs, found, project, isProgram);
  if (!edit || branch === undefined) return;
  if (repository && branch !== CURRENT_BRANCH) await checkOut(repository, branch);
  const active = { ...found.key, storyId: found.story.id };
  await stories.set(repository, active, branch === CURRENT_BRANCH ? undefined : branch);
  await tell(needs, found, edit, branch);
}

async function tell(needs: StartNeeds, { key, story }: FoundStory, edit: StoryEdit, branch: string): Promise<void> {
  if (Object.keys(edit).length > 0) {
    const { waiting } = await submitIntents(needs, key, [{ kind: 'edit', storyId: story.id, edit }]);
    if (waiting) return;
  }
  needs.messages.status(
    branch === CURRENT_BRANCH
      ? vscode.l10n.t('You work on story #{0} now.', story.id)
      : vscode.l10n.t('You work on story #{0} now, on branch {1}.', story.id, branch),
  );
}

/** `undefined`: the person turned away. @throws TrackerError `input` for a story that is done. */
async function startingEdit(
  needs: StartNeeds,
  { key, story }: FoundStory,
  project: Project,
  isProgram: boolean,
): Promise<StoryEdit | undefined> {
  if (story.state === 'accepted') {
    throw new TrackerError('input', vscode.l10n.t('Story #{0} is accepted already.', story.id));
  }
  const me = (await ownNames(needs))[key.accountId];
  const isMine =
    me === undefined || story.ownedBy === me || (await keepsOwner(needs, story.id, story.ownedBy, isProgram));
  if (isMine === undefined) return undefined;
  const owned: StoryEdit = isMine ? {} : { ownedBy: me };
  const isUnderWay = isInProgress(story.state) && story.state !== 'rejected';
  if (isUnderWay || !statesOf(story.type).includes('started')) return owned;
  const started = await estimatedEdit('started', undefined, story, project);
  return started && { ...started, ...owned };
}

/** Nobody's story is taken away from them without a question. `undefined`: the person turned away. */
async function keepsOwner(
  { messages }: StartNeeds,
  storyId: number,
  owner: string | undefined,
  isProgram: boolean,
): Promise<boolean | undefined> {
  if (owner === undefined || isProgram) return false;
  const take = vscode.l10n.t('Take It Over');
  const keep = vscode.l10n.t('Leave It Theirs');
  const answer = await messages.ask(
    vscode.l10n.t('Story #{0} is owned by {1}.', storyId, owner),
    undefined,
    take,
    keep,
  );
  return answer === undefined ? undefined : answer === keep;
}
