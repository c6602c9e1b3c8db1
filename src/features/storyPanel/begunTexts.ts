import type * as vscode from 'vscode';
import { commentDraft } from '../../host/story/draftNames.ts';
import { isAnyKept, type KeptTaskEdit, type KeptTexts, keptTexts } from './keptTexts.ts';
import type { PanelStory } from './panelMessages.ts';

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
