import * as vscode from 'vscode';
import { isInProgress, statesOf } from '../../core/backlog/workflow.ts';
import { TrackerError } from '../../core/errors.ts';
import type { Project } from '../../core/story/project.ts';
import type { StoryEdit } from '../../core/story/story.ts';
import { ownNames } from '../../host/accounts/ownNames.ts';
import type { App } from '../../host/app.ts';
import { estimatedEdit } from '../../host/story/estimatedEdit.ts';
import type { FoundStory } from '../../host/tree/nodes.ts';

type Needs = Pick<App, 'backlogs' | 'log' | 'messages' | 'workspaceMemory'>;

/**
 * What changes in a story that somebody starts: its state, its owner, its estimate when it needs one. `undefined`: the
 * person turned away. @throws TrackerError `input` for a story that is done.
 */
export async function startingEdit(
  needs: Needs,
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
  { messages }: Needs,
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
