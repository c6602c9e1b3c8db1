import * as vscode from 'vscode';
import { TrackerError } from '../../core/errors.ts';
import type { LabelChange } from '../../core/intents/intent.ts';
import { programArguments } from '../../host/shell/commands.ts';
import { applyEdits, chosenStories, storiesInSentence, type WorkNeeds } from './applyEdits.ts';
import { askLabels } from './askLabels.ts';

/** Puts labels on stories and takes them off: those of `add` and `remove`, else those picked. */
export async function editLabels(needs: WorkNeeds, ...args: readonly unknown[]): Promise<void> {
  const chosen = await chosenStories(needs, args, vscode.l10n.t('Edit the labels of which story?'));
  if (!chosen) return;
  const { key, stories } = chosen;
  const { project } = await needs.backlogs.backlog(key);
  const wanted = wish(args);
  const answer = wanted ? { change: wanted, unused: '' } : await askLabels(stories, project.labels);
  if (!answer) return;
  const { change, unused } = answer;
  if (change.add.length + change.remove.length === 0) {
    if (unused !== '') needs.messages.status(vscode.l10n.t('No labels changed. Select a label to add it.'));
    return;
  }
  const edits = stories.map((story) => ({
    story,
    intent: { kind: 'labels', storyId: story.id, change, known: story.labels } as const,
  }));
  await applyEdits(needs, key, edits, vscode.l10n.t('Changed the labels of {0}.', storiesInSentence(stories)));
}

function wish(args: readonly unknown[]): LabelChange | undefined {
  const { add = [], remove = [] } = programArguments(args);
  if (isTexts(add) && isTexts(remove)) {
    return add.length + remove.length > 0 ? { add, remove } : undefined;
  }
  throw new TrackerError('input', vscode.l10n.t('Pass the labels as { add?: string[], remove?: string[] }.'));
}

function isTexts(value: unknown): value is readonly string[] {
  return (
    Array.isArray(value) && value.every((one) => typeof one === 'string' && one.trim() !== '' && !one.includes(','))
  );
}
