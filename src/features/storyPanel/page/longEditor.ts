import { focusInTime, vsCode } from './elements.ts';
import type { FieldEditor } from './fieldEditor.ts';

/** Milliseconds without a key after which the preview of a short text is drawn anew. */
const PAUSE_MS = 250;
/** Characters of a text that make it wait for a millisecond more. */
const CHARACTERS_PER_MS = 100;

/** The name or the description, which is shown until someone writes it. */
export class LongEditor {
  private readonly editor: FieldEditor;
  private readonly form: HTMLFormElement;
  /** The way back to what was discarded of it, below the form: who goes there has not left the field. */
  private readonly discardedLine: HTMLElement | null;
  private isOfNewStory = false;
  /** What was saved last was so by a key or button of the form. */
  private isSavedHere = false;
  private drawn: string | undefined;
  private drawing: ReturnType<typeof setTimeout> | undefined;

  constructor(editor: FieldEditor, form: HTMLFormElement) {
    this.editor = editor;
    this.form = form;
    this.discardedLine = document.querySelector<HTMLElement>(`[data-discarded="${editor.field}"]`);
    editor.onDidChange = () => {
      if (editor.isUnsaved && form.hidden) this.reopen();
      else if (!form.hidden && this.hasPreview && editor.text !== this.drawn) this.drawLater();
    };
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.saveAndShow();
    });
    form.addEventListener('keydown', (event) => this.press(event));
    for (const part of [form, this.discardedLine]) {
      part?.addEventListener('focusout', () => setTimeout(() => this.saveWhenLeft()));
    }
    form.addEventListener('click', ({ target }) => {
      const button = target instanceof Element ? target.closest<HTMLElement>('[data-field-do]') : null;
      if (button) this.run(button);
    });
    if (editor.field === 'name') form.addEventListener('beforeinput', joinLines);
    if (!this.hasPreview) return;
    editor.box.addEventListener('input', () => this.drawLater());
    editor.box.addEventListener('scroll', () => this.followCursor());
    document.addEventListener('selectionchange', () => this.followCursor());
  }

  /** Shows the source for good, with neither a text to go back to nor one to save. */
  openForNewStory(): void {
    this.isOfNewStory = true;
    this.open();
  }

  /** Shows the source; the cursor stays where it is. */
  open(): void {
    this.form.hidden = false;
    document.body.classList.add(this.className);
    if (this.hasPreview) this.draw();
  }

  /** Shows the source with the cursor in it, where the person is in the page or comes to it. */
  write(): void {
    const isNew = this.form.hidden;
    this.open();
    const { box } = this.editor;
    focusInTime(box);
    if (isNew && box instanceof HTMLTextAreaElement) box.setSelectionRange(box.value.length, box.value.length);
  }

  /** There is something to write again: it was refused, and who saved it by a key and is nowhere else since goes on writing. */
  private reopen(): void {
    const { activeElement, body } = document;
    const isStillHere = this.isSavedHere && (activeElement === body || activeElement === this.writeButton);
    this.isSavedHere = false;
    this.open();
    if (isStillHere) focusInTime(this.editor.box);
  }

  private get writeButton(): HTMLElement | null {
    return document.querySelector<HTMLElement>(`[data-write="${this.editor.field}"]`);
  }

  private get hasFocus(): boolean {
    return [this.form, this.discardedLine].some((part) => part?.contains(document.activeElement));
  }

  private get className(): string {
    return `is-writing-${this.editor.field}`;
  }

  private get hasPreview(): boolean {
    return this.editor.field === 'description';
  }

  private close(): void {
    if (this.isOfNewStory) return;
    this.form.hidden = true;
    this.form.classList.remove('shows-preview');
    this.form.querySelector('.toggle')?.setAttribute('aria-pressed', 'false');
    document.body.classList.remove(this.className);
  }

  private press(event: KeyboardEvent): void {
    const isName = this.editor.field === 'name';
    const isEnter = event.key === 'Enter' && !event.isComposing && (event.ctrlKey || event.metaKey || isName);
    const saves = isEnter || (isSaveKey(event) && !this.isOfNewStory);
    if (saves && event.target === this.editor.box) this.saveAndShow();
    else if (event.key === 'Escape' && !event.isComposing) {
      this.editor.cancel();
      this.closeWithFocus();
    } else return;
    event.preventDefault();
  }

  private run({ dataset }: HTMLElement): void {
    if (dataset.fieldDo === 'preview') this.togglePreview();
    else if (!this.editor.isUnsaved) this.closeWithFocus();
  }

  /** On a narrow page, where there is room for one of them only. */
  private togglePreview(): void {
    const isShown = this.form.classList.toggle('shows-preview');
    this.form.querySelector('.toggle')?.setAttribute('aria-pressed', String(isShown));
    if (isShown) this.draw();
  }

  private saveAndShow(): void {
    this.isSavedHere = this.editor.save();
    if (!this.editor.isUnsaved) this.closeWithFocus();
  }

  /** Once the focus is elsewhere in the page; another window is no reason. */
  private saveWhenLeft(): void {
    if (this.form.hidden || !document.hasFocus() || this.hasFocus) return;
    this.editor.save();
    if (!this.editor.isUnsaved) this.close();
  }

  /** Once there is nothing to save in it, unless the person is there. */
  closeUnlessFocused(): void {
    if (!this.editor.isUnsaved && !this.hasFocus) this.close();
  }

  private closeWithFocus(): void {
    if (this.isOfNewStory) return;
    this.close();
    this.writeButton?.focus({ preventScroll: true });
  }

  /** Shows in the preview the part that is in sight in the source; where all of that is, the part at the cursor. */
  followCursor(): void {
    const { box } = this.editor;
    const preview = this.form.querySelector('.preview');
    if (!(box instanceof HTMLTextAreaElement) || !preview) return;
    const hidden = box.scrollHeight - box.clientHeight;
    const part = hidden > 1 ? box.scrollTop / hidden : box.selectionEnd / Math.max(1, box.textLength);
    preview.scrollTop = part * (preview.scrollHeight - preview.clientHeight);
  }

  /** Its story has other attachments by now, to which the text may refer. */
  attachmentsChanged(): void {
    if (!this.form.hidden && this.hasPreview && this.editor.text.includes('attachment:')) this.draw();
  }

  private drawLater(): void {
    clearTimeout(this.drawing);
    this.drawing = setTimeout(() => this.draw(), PAUSE_MS + this.editor.box.value.length / CHARACTERS_PER_MS);
  }

  private draw(): void {
    clearTimeout(this.drawing);
    this.drawn = this.editor.text;
    vsCode.postMessage({ type: 'preview', text: this.drawn });
  }
}

/** A name is one line: those that are pasted or dropped come as one, which can be undone. */
function joinLines(event: InputEvent): void {
  const { data } = event;
  if (!data || !/[\r\n]/.test(data)) return;
  event.preventDefault();
  const lines = data.split(/[\r\n]/).map((line) => line.trim());
  document.execCommand('insertText', false, lines.filter((line) => line !== '').join(' '));
}

/** VS Code's own for saving, which means nothing to it in a page. */
function isSaveKey({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
  return key.toLowerCase() === 's' && ctrlKey !== metaKey && !altKey && !shiftKey;
}
