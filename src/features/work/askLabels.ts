import * as vscode from 'vscode';
import type { LabelChange } from '../../core/intents/intent.ts';
import { labelChange } from '../../core/intents/labels.ts';
import { withoutIcons } from '../../host/shell/plainText.ts';
import type { StoriesOfProject } from '../../host/story/storyArgument.ts';
import { nameOfStories } from './applyEdits.ts';

interface LabelItem extends vscode.QuickPickItem {
  readonly text: string;
}

/** What a person answers; the text that stayed in the box and became no label. */
interface LabelAnswer {
  readonly change: LabelChange;
  readonly unused: string;
}

/**
 * What a person picks among the labels of the project, or types. Picked at first are those that all stories have; one that only
 * some have stays with them until it is picked, which puts it on all, or let go of again, which takes it from all. `undefined`:
 * turned away.
 */
export function askLabels(
  stories: StoriesOfProject['stories'],
  ofProject: readonly string[],
): Promise<LabelAnswer | undefined> {
  const box = vscode.window.createQuickPick<LabelItem>();
  box.title = vscode.l10n.t('Labels of {0}', nameOfStories(stories));
  box.placeholder = vscode.l10n.t('Select labels, or type a new one');
  box.canSelectMany = true;
  box.ignoreFocusOut = true;
  box.keepScrollPosition = true;
  const rows = new LabelRows(box, stories, ofProject);
  return new Promise((resolve) => {
    box.onDidChangeValue(() => rows.followText());
    box.onDidChangeSelection((picked) => rows.followPicks(picked));
    box.onDidAccept(() => {
      resolve(rows.answer());
      box.hide();
    });
    box.onDidHide(() => {
      resolve(undefined);
      box.dispose();
    });
    box.show();
  });
}

/** The rows of the box: labels that there are, then new ones that are typed. */
class LabelRows {
  private readonly box: vscode.QuickPick<LabelItem>;
  private readonly stories: StoriesOfProject['stories'];
  private readonly onAll: readonly string[];
  private readonly known: readonly string[];
  /** New ones that are picked: they stay when others are typed. */
  private added: readonly string[] = [];
  /** Labels of some stories that were picked at least once. */
  private readonly touched = new Set<string>();
  /** What was picked when the text last changed. */
  private pickedBefore: readonly string[];
  private isPickedSince = false;
  /** VS Code tells that nothing is picked, and then what is, when it was given other rows. */
  private isRestoring = false;

  constructor(box: vscode.QuickPick<LabelItem>, stories: StoriesOfProject['stories'], ofProject: readonly string[]) {
    this.box = box;
    this.stories = stories;
    this.onAll = stories[0].labels.filter((label) => stories.every(({ labels }) => labels.includes(label)));
    this.known = [...new Set([...this.onAll, ...stories.flatMap(({ labels }) => labels), ...ofProject])];
    this.pickedBefore = this.onAll;
    this.show(this.onAll);
    this.isRestoring = false;
  }

  followText(): void {
    this.pickedBefore = textsOf(this.box.selectedItems);
    this.isPickedSince = false;
    this.added = this.pickedBefore.filter((text) => !this.known.includes(text));
    this.show(this.pickedBefore);
  }

  followPicks(items: readonly LabelItem[]): void {
    const picked = textsOf(items);
    if (this.isRestoring && picked.length === 0) return;
    this.isRestoring = false;
    if (!isSameList(picked, this.pickedBefore)) this.isPickedSince = true;
    for (const text of picked) if (this.isOnSome(text)) this.touched.add(text);
    this.show(picked);
  }

  answer(): LabelAnswer {
    const picked = textsOf(this.box.selectedItems);
    const isTextLatest = !this.isPickedSince && isSameList(picked, this.pickedBefore);
    const meant = isTextLatest ? this.typed().flatMap((label) => this.meantBy(label)) : [];
    const wanted = [...picked, ...meant];
    const { add } = labelChange(this.onAll, wanted);
    const { remove } = labelChange([...this.onAll, ...this.touched], wanted);
    return { change: { add, remove }, unused: meant.length > 0 ? '' : this.box.value.trim() };
  }

  /** Sets the rows only where they are others: those that are set anew lose the focus. */
  private show(picked: readonly string[]): void {
    const { box } = this;
    const typed = this.typed();
    const there = [...this.known, ...this.added];
    const items = [
      ...there.map((text) => this.rowOf(text, picked, typed)),
      ...typed.filter((label) => !there.some((text) => isSame(text, label))).map(newRow),
    ];
    if (JSON.stringify(items) === JSON.stringify(box.items)) return;
    const active = textsOf(box.activeItems);
    box.items = items;
    box.selectedItems = items.filter(({ text }) => picked.includes(text));
    box.activeItems = items.filter(({ text }) => active.includes(text));
    this.isRestoring = box.selectedItems.length > 0;
  }

  /** One of several that are typed is shown even though not all of the text fits it. */
  private rowOf(text: string, picked: readonly string[], typed: readonly string[]): LabelItem {
    const description = this.added.includes(text) ? vscode.l10n.t('new') : this.standing(text, picked);
    const alwaysShow = typed.length > 1 && typed.some((label) => isSame(label, text));
    return { label: withoutIcons(text), text, alwaysShow, ...(description !== undefined && { description }) };
  }

  /** What becomes of a label that only some stories have. */
  private standing(text: string, picked: readonly string[]): string | undefined {
    if (!this.isOnSome(text)) return undefined;
    const count = this.stories.filter(({ labels }) => labels.includes(text)).length;
    const where = vscode.l10n.t('on {0} of {1}', count, this.stories.length);
    if (picked.includes(text)) return vscode.l10n.t('{0}, add to all', where);
    return this.touched.has(text) ? vscode.l10n.t('{0}, remove from all', where) : where;
  }

  private isOnSome(text: string): boolean {
    return !this.onAll.includes(text) && this.stories.some(({ labels }) => labels.includes(text));
  }

  /**
   * A label that there is, by its whole name, or a new one. None where the text looks for one by a part of its name, or names one that only
   * some stories have: the others may not be meant.
   */
  private meantBy(typed: string): readonly string[] {
    const there = [...this.known, ...this.added];
    const named = there.find((text) => text === typed) ?? there.find((text) => isSame(text, typed));
    if (named !== undefined) return this.isOnSome(named) ? [] : [named];
    return there.some((text) => text.toLowerCase().includes(typed.toLowerCase())) ? [] : [typed];
  }

  /** Servers write labels with commas between them, so that none can have one. */
  private typed(): readonly string[] {
    const labels = this.box.value
      .split(',')
      .map((label) => label.trim())
      .filter((label) => label !== '');
    return labels.filter((label, index) => !labels.slice(0, index).some((one) => isSame(one, label)));
  }
}

/** VS Code puts rows behind all others whose label fits nothing that is typed. */
function newRow(text: string): LabelItem {
  const description = vscode.l10n.t('{0} (new)', withoutIcons(text));
  return { label: '$(add)', text, description, alwaysShow: true };
}

function textsOf(items: readonly LabelItem[]): readonly string[] {
  return items.map(({ text }) => text);
}

function isSameList(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((text) => other.includes(text));
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
