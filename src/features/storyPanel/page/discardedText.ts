import { type Draft, type DraftField, readDraft } from '../storyDrafts.ts';
import { remember, remembered } from './pageMemory.ts';

/**
 * What was last discarded of a field: one key may have done it, so that it can be had again until the field is saved; or what was
 * written into it in another window. Short fields have none.
 */
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
    remember({ [this.name]: draft, [this.otherName]: undefined });
    this.show();
  }

  /** Offers what another window has, which keeps it; never in place of what was discarded here. */
  offer(draft: Draft): void {
    if (!this.line || draft.text.trim() === '' || (this.draft && !this.isOther)) return;
    remember({ [this.name]: draft, [this.otherName]: true });
    this.show();
  }

  private get otherName(): string {
    return `${this.name}-other`;
  }

  private get isOther(): boolean {
    return remembered()[this.otherName] === true;
  }

  private get draft(): Draft | undefined {
    return readDraft(remembered()[this.name]);
  }

  private show(): void {
    const { line, isOther } = this;
    if (!line) return;
    line.hidden = this.draft === undefined;
    for (const words of line.querySelectorAll<HTMLElement>('[data-other]')) {
      words.hidden = (words.dataset.other === 'true') !== isOther;
    }
  }
}
