import { type Draft, type DraftField, readDraft } from '../storyDrafts.ts';
import { remember, remembered } from './pageMemory.ts';

/** What was last discarded of a field: one key may have done it, so that it can be had again until the field is saved. Short fields have none. */
export class DiscardedText {
  private readonly name: string;
  private readonly line: HTMLElement | null;

  constructor(field: DraftField, restore: (draft: Draft) => void) {
    this.name = `discarded-${field}`;
    this.line = document.querySelector<HTMLElement>(`[data-discarded="${field}"]`);
    this.line?.querySelector('button')?.addEventListener('click', () => {
      const { draft } = this;
      this.keep(undefined);
      if (draft) restore(draft);
    });
    this.show();
  }

  keep(draft: Draft | undefined): void {
    if (!this.line || (draft && draft.text.trim() === '')) return;
    remember({ [this.name]: draft });
    this.show();
  }

  private get draft(): Draft | undefined {
    return readDraft(remembered()[this.name]);
  }

  private show(): void {
    if (this.line) this.line.hidden = this.draft === undefined;
  }
}
