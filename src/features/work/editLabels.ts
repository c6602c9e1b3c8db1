import * as vscode from 'vscode';
import { TrackerError } from '../../core/errors.ts';
import type { LabelChange } from '../../core/intents/intent.ts';
import { applyEdits } from './applyEdits.ts';
import { askLabels } from './askLabels.ts';
import { chosenStories, nameOfStories } from './chosenStories.ts';
import { programArguments } from './programArguments.ts';
import type { WorkNeeds } from './workNeeds.ts';

/** Puts labels on stories and takes them off: those of `add` and `remove`, else those picked. */
export async function editLabels(needs: WorkNeeds, ...args: readonly unknown[]): Promise<void> {
  const chosen = await chosenStories(needs, args, vscode.l10n.t('Edit the labels of which story?'));
  if (!chosen) return;
  const { key, stories } = chosen;
  const { project } = await needs.backlogs.backlog(key);
  const change = wish(args) ?? (await askLabels(stories, project.labels));
  if (!change || change.add.length + change.remove.length === 0) return;
  const edits = stories.map((story) => ({
    story,
    intent: { kind: 'labels', storyId: story.id, change, known: story.labels } as const,
  }));
  await applyEdits(needs, key, edits, vscode.l10n.t('{0}: labels changed.', nameOfStories(stories)));
}

function wish(args: readonly unknown[]): LabelChange | undefined {
  const { add = [], remove = [] } = programArguments(args);
  if (isTexts(add) && isTexts(remove)) {
    return add.length + remove.length > 0 ? { add, remove } : undefined;
  }
  throw new TrackerError('input', vscode.l10n.t('Labels are meant by { add?: string[], remove?: string[] }.'));
}

function isTexts(value: unknown): value is readonly string[] {
  return (
    Array.isArray(value) && value.every((one) => typeof one === 'string' && one.trim() !== '' && !one.includes(','))
  );
}
