import * as vscode from 'vscode';
import { TrackerError } from '../../core/errors.ts';
import type { LabelChange } from '../../core/intents/intent.ts';
import { labelChange } from '../../core/intents/labels.ts';
import { programArguments } from '../../host/shell/commands.ts';
import { withoutIcons } from '../../host/shell/plainText.ts';
import type { StoriesOfProject } from '../../host/story/storyArgument.ts';
import { applyEdits, chosenStories, nameOfStories, type WorkNeeds } from './applyEdits.ts';

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
  await applyEdits(needs, key, edits, vscode.l10n.t('Changed the labels of {0}.', nameOfStories(stories)));
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

interface LabelItem extends vscode.QuickPickItem {
  readonly text: string;
}

/**
 * What a person picks among the labels of the project, or types. Picked at first are those that all stories have; what only
 * some have stays with them unless it is picked. `undefined`: turned away.
 */
async function askLabels(
  stories: StoriesOfProject['stories'],
  ofProject: readonly string[],
): Promise<LabelChange | undefined> {
  const onAll = stories[0].labels.filter((label) => stories.every(({ labels }) => labels.includes(label)));
  const known = [...new Set([...onAll, ...stories.flatMap(({ labels }) => labels), ...ofProject])];
  const box = vscode.window.createQuickPick<LabelItem>();
  const itemOf = (text: string): LabelItem => {
    const count = stories.filter(({ labels }) => labels.includes(text)).length;
    const isOnSome = count > 0 && count < stories.length;
    const where = vscode.l10n.t('on {0} of {1}', count, stories.length);
    return { label: withoutIcons(text), text, ...(isOnSome && { description: where }) };
  };
  let items = known.map(itemOf);
  box.title = vscode.l10n.t('Labels of {0}', nameOfStories(stories));
  box.placeholder = vscode.l10n.t('Select labels, or type a new one');
  box.canSelectMany = true;
  box.ignoreFocusOut = true;
  box.items = items;
  box.selectedItems = items.filter(({ text }) => onAll.includes(text));
  box.onDidChangeValue((value) => {
    const typed = labelsIn(value).filter((label) => !items.some(({ text }) => isSame(text, label)));
    const picked = box.selectedItems;
    box.items = [...typed.map((text) => ({ ...itemOf(text), description: vscode.l10n.t('new') })), ...items];
    box.selectedItems = picked;
  });
  box.onDidChangeSelection((picked) => {
    const added = picked.filter((item) => !items.some(({ text }) => text === item.text));
    if (added.length > 0) items = [...added, ...items];
  });
  const picked = await answerOf(box);
  return picked && labelChange(onAll, picked);
}

/** What is typed and not ticked is meant too when nothing else was: who types a label and presses Enter wants it. */
function answerOf(box: vscode.QuickPick<LabelItem>): Promise<readonly string[] | undefined> {
  return new Promise((resolve) => {
    box.onDidAccept(() => {
      const picked = box.selectedItems.map(({ text }) => text);
      const typed = labelsIn(box.value).filter((label) => !picked.some((one) => isSame(one, label)));
      const known = typed.map((label) => box.items.find(({ text }) => isSame(text, label))?.text ?? label);
      resolve([...picked, ...known]);
      box.hide();
    });
    box.onDidHide(() => {
      resolve(undefined);
      box.dispose();
    });
    box.show();
  });
}

/** Servers write labels with commas between them, so that none can have one. */
function labelsIn(text: string): readonly string[] {
  return text
    .split(',')
    .map((label) => label.trim())
    .filter((label) => label !== '');
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
