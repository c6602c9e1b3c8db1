import type * as vscode from 'vscode';
import { commentDraft } from '../../host/story/draftNames.ts';
import type { PanelStory } from './panelMessages.ts';
import {
  type Draft,
  type DraftField,
  draftFields,
  type FieldTexts,
  isAnyKept,
  isSameText,
  type KeptTaskEdit,
  type KeptTexts,
  keptTexts,
  readDraft,
} from './storyDrafts.ts';

/** What was written into the fields of one story and is not saved: kept over reloads, closed tabs and signing out. */
export class DraftMemory {
  private readonly memory: vscode.Memento;
  private readonly prefix: string;

  /** `prefix` is what the workspace calls the story's drafts, such as `commentDraft` gives. */
  constructor(memory: vscode.Memento, prefix: string) {
    this.memory = memory;
    this.prefix = prefix;
  }

  all(): readonly Draft[] {
    return draftFields.flatMap((field) => this.draftOf(field) ?? []);
  }

  draftOf(field: DraftField): Draft | undefined {
    return readDraft(this.memory.get(this.nameOf(field)));
  }

  async store(draft: Draft): Promise<void> {
    await this.memory.update(this.nameOf(draft.field), draft);
  }

  async forget(field: DraftField): Promise<void> {
    if (this.draftOf(field)) await this.memory.update(this.nameOf(field), undefined);
  }

  /**
   * Forgets what has become a story. What was written on while it was being made is written into the fields of that story, or
   * stays where it has no number yet.
   */
  async handOver(made: FieldTexts, story: DraftMemory | undefined): Promise<void> {
    for (const { field, text } of this.all()) {
      const isMade = isSameText(text, made[field]);
      if (!isMade && !story) continue;
      // Labels are added one by one: those that the story has are no others.
      if (!isMade) await story?.store({ field, base: field === 'labels' ? '' : made[field], text });
      await this.forget(field);
    }
  }

  private nameOf(field: DraftField): string {
    return `${this.prefix}/${field}`;
  }
}

/** Takes what was written about a story along to the project where it is now. What was written there already stays. */
export async function moveDrafts(memory: vscode.Memento, from: PanelStory, to: PanelStory): Promise<void> {
  const [before, after] = [from, to].map((story) => commentDraft(story, story.storyId));
  for (const name of memory.keys()) {
    if (before === undefined || (name !== before && !name.startsWith(`${before}/`))) continue;
    const moved = `${after}${name.slice(before.length)}`;
    if (memory.get(moved) !== undefined) continue;
    await memory.update(moved, memory.get(name));
    await memory.update(name, undefined);
  }
}

/** What was begun about a story beside its fields, in a workspace's memory: kept over reloads, closed tabs and killed windows. */
export class BegunTexts {
  private readonly memory: vscode.Memento;
  private readonly commentName: string;

  constructor(memory: vscode.Memento, story: PanelStory) {
    this.memory = memory;
    this.commentName = commentDraft(story, story.storyId);
  }

  get comment(): string {
    const kept: unknown = this.memory.get(this.commentName);
    return typeof kept === 'string' ? kept : '';
  }

  async keepComment(text: string): Promise<void> {
    await this.memory.update(this.commentName, text === '' ? undefined : text);
  }

  get others(): KeptTexts {
    return keptTexts(this.memory.get(this.othersName));
  }

  async keepOthers(texts: KeptTexts): Promise<void> {
    await this.memory.update(this.othersName, isAnyKept(texts) ? texts : undefined);
  }

  /** Keeps what was not taken, for the next tab of the story. */
  async giveBack(list: 'taskReturned' | 'commentReturned', text: string): Promise<void> {
    await this.keepOthers({ ...this.others, [list]: [...this.others[list], text] });
  }

  /** The story has it. */
  async forgetTaskEdit({ id, text }: Pick<KeptTaskEdit, 'id' | 'text'>): Promise<void> {
    const taskEdits = this.others.taskEdits.filter((edit) => edit.id !== id || edit.text !== text);
    await this.keepOthers({ ...this.others, taskEdits });
  }

  private get othersName(): string {
    return `${this.commentName}/texts`;
  }
}
