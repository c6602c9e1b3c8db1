import type * as vscode from 'vscode';
import { type Draft, type DraftField, draftFields, readDraft } from './storyDrafts.ts';

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

  private nameOf(field: DraftField): string {
    return `${this.prefix}/${field}`;
  }
}
