import * as vscode from 'vscode';
import { isEstimatable, type StoryType, storyTypes, type WorkflowRules } from '../../core/backlog/workflow.ts';
import { TrackerError } from '../../core/errors.ts';
import type { Story, StoryEdit } from '../../core/story/story.ts';
import { programArguments } from '../../host/shell/commands.ts';
import { withEstimates } from '../../host/story/estimatedEdit.ts';
import type { StoriesOfProject } from '../../host/story/storyArgument.ts';
import { iconOfType } from '../../host/story/typeIcons.ts';
import {
  applyEdits,
  chosenStories,
  nameOfStories,
  storiesInSentence,
  type WantedEdit,
  type WorkNeeds,
} from './applyEdits.ts';

/**
 * Makes stories of another type: the one named by `type`, beside the story or after its row, else the one picked. Stories that are
 * begun may need an estimate for it, which they could not have before: it is asked for.
 */
export async function changeType(needs: WorkNeeds, ...args: readonly unknown[]): Promise<void> {
  const chosen = await chosenStories(needs, args, vscode.l10n.t('Change the type of which story?'));
  if (!chosen) return;
  const type = wish(args) ?? (await askType(chosen.stories));
  if (type === undefined) return;
  const { project } = await needs.backlogs.backlog(chosen.key);
  const done = vscode.l10n.t('{0}: type {1}.', nameOfStories(chosen.stories), type);
  const changed = chosen.stories.filter((story) => story.type !== type);
  const wanted = changed.map((story) => ({ story, edit: typeEdit(story, type, project) }));
  const estimated = await withEstimates(wanted, project);
  if (!estimated) return;
  const edits = changed.flatMap((story, index): readonly WantedEdit[] => {
    const edit = estimated[index];
    return edit ? [{ story, intent: { kind: 'edit', storyId: story.id, edit } }] : [];
  });
  if (edits.length === 0) needs.messages.status(done);
  else await applyEdits(needs, chosen.key, edits, done);
}

/** What the new type does not have goes with the edit, so that undoing it brings that back as well. */
function typeEdit(story: Story, type: string, project: WorkflowRules): StoryEdit {
  const losesEstimate = (story.estimate ?? -1) >= 0 && !isEstimatable(type, project);
  const losesDeadline = story.deadline !== undefined && type !== 'release';
  return { type, ...(losesEstimate && { estimate: null }), ...(losesDeadline && { deadline: null }) };
}

interface TypeItem extends vscode.QuickPickItem {
  readonly type: StoryType;
}

async function askType(stories: StoriesOfProject['stories']): Promise<string | undefined> {
  const isNow = (type: string) => stories.every((story) => story.type === type);
  const items = storyTypes.map(
    (type): TypeItem => ({
      label: `$(${iconOfType(type)}) ${type}`,
      type,
      ...(isNow(type) && { description: vscode.l10n.t('now') }),
    }),
  );
  const placeHolder = vscode.l10n.t('Which type? ({0})', storiesInSentence(stories));
  return (await vscode.window.showQuickPick(items, { placeHolder }))?.type;
}

function wish(args: readonly unknown[]): string | undefined {
  const { type } = programArguments(args);
  if (type === undefined || (typeof type === 'string' && type !== '')) return type;
  throw new TrackerError('input', vscode.l10n.t('Pass the type as { type: string }.'));
}
