import { withoutControls } from '../../../core/text.ts';
import type { OfferedDraft } from '../fieldMessages.ts';
import { type Draft, type DraftField, draftBase, draftState, isSameText } from '../storyDrafts.ts';
import { vsCode } from './elements.ts';
import type { LabelList } from './listControls.ts';
import { DiscardedText } from './pageMemory.ts';
import { isWritable } from './writable.ts';

/** Characters up to which each key is told to the extension at once; a longer text waits for a pause, in the end of typing. */
const SHORT = 5_000;
/** Characters of a long text that cost a millisecond of waiting. */
const CHARACTERS_PER_MS = 200;

type Box = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** Also what a list does not offer any more: it would be empty, and left so. */
export function putValue(box: Box, value: string): void {
  const isOffered = !(box instanceof HTMLSelectElement) || [...box.options].some((option) => option.value === value);
  if (!isOffered && value !== '') box.append(new Option(value, value));
  if (box.value !== value) box.value = value;
}

let isOfNewStory = false;

/** From now on the page writes a story that no server has: nothing is saved by itself, and nobody else can have changed it. */
export function writeNewStory(): void {
  isOfNewStory = true;
}

/**
 * One field of the story that is being written. What is typed is kept by the extension until the story has it; what someone else
 * writes in the meantime is shown beside it, and never put in its place.
 */
export class FieldEditor {
  readonly field: DraftField;
  readonly form: HTMLElement;
  readonly box: Box;
  /** Called when what is written, or what there is to say of it, has changed. */
  onDidChange = () => {};
  /** What the story has; `undefined` before that is known. */
  private stored: string | undefined;
  /** What was in the box before the person changed it. */
  private shown = '';
  /** What the story had when the person began; `undefined` while they write nothing. */
  private base: string | undefined;
  /** On its way to the story. */
  private sent: string | undefined;
  private problem = '';
  /** The person wanted to save it while they have to choose. */
  private wantsChoice = false;
  /** What else there is to say of it. */
  private noted = '';
  private keeping: ReturnType<typeof setTimeout> | undefined;
  /** Where it is one of labels, each of which is taken out of the box. */
  private readonly labels: LabelList | undefined;
  private readonly discarded: DiscardedText;

  constructor(field: DraftField, form: HTMLElement, box: Box, labels?: LabelList) {
    this.field = field;
    this.form = form;
    this.box = box;
    this.labels = labels;
    this.discarded = new DiscardedText(field, (draft) => this.restore(draft));
    box.addEventListener('input', () => this.type());
    box.addEventListener('focusout', () => {
      this.keepNow();
      if (this.base === undefined) this.fill(this.stored ?? '');
    });
    document.addEventListener('visibilitychange', () => this.keepNow());
    window.addEventListener('pagehide', () => this.keepNow());
    form.addEventListener('click', ({ target }) => {
      const button = target instanceof Element ? target.closest<HTMLElement>('[data-field-do]') : null;
      if (button) this.press(button.dataset.fieldDo);
    });
  }

  /** What the control holds. */
  get text(): string {
    return (this.labels ?? this.box).value;
  }

  /** What is written and not saved. */
  get draft(): Draft | undefined {
    if (this.base === undefined) return undefined;
    const base = draftBase(this.base, this.sent, this.stored);
    return { field: this.field, base, text: this.text };
  }

  get isConflict(): boolean {
    return this.state === 'conflict';
  }

  /** Whether something is written that the story has not. */
  get isUnsaved(): boolean {
    return this.state !== 'stored';
  }

  /** Whether a person has written anything that is there still. */
  get isWritten(): boolean {
    return this.base !== undefined && this.text.trim() !== '';
  }

  /** What the story has now. It is shown unless the person is writing. */
  setStored(text: string): void {
    this.stored = text;
    const isUntouched = this.base === undefined && document.activeElement !== this.box;
    if (isUntouched) this.fill(text);
    this.showState();
  }

  /** Puts in what was written before, unless something else is being written. */
  offer({ base, text, problem, isSent = false, other }: OfferedDraft): void {
    if (other) this.discarded.offer({ field: this.field, ...other });
    const isOurs = this.sent !== undefined && isSameText(this.sent, text);
    if (isSent) {
      this.sent ??= text;
      if (this.labels) return;
    } else if (isOurs) this.sent = undefined;
    if (this.base === undefined) {
      this.base = base;
      this.fill(text);
      // The extension may have been told to forget it in the meantime.
      if (problem !== '' && !isSent) this.keepNow(true);
    } else if (isOurs && !this.labels && this.stored !== undefined && isSameText(base, this.stored)) {
      this.base = base;
    } else if (this.labels && !isOfNewStory && !isSameText(this.text, text)) {
      this.fill(`${text}, ${this.text}`);
      this.keepNow(true);
    }
    this.problem = problem;
    this.showState();
  }

  /** Says why a new story cannot have what is written, until something else is. */
  refuse(problem: string): void {
    this.problem = problem;
    this.showState();
  }

  /** Says something that is not wrong with what is written, until that is changed. */
  note(text: string): void {
    this.noted = text;
    this.showState();
    this.form.querySelector('.refusal')?.scrollIntoView({ block: 'nearest' });
  }

  /** The story has this text, or is going to have it. */
  setSaved(text: string): void {
    if (this.sent === undefined || !isSameText(this.sent, text)) {
      // What was written on since goes on from it.
      if (this.base !== undefined && !this.labels) this.base = text;
      this.showState();
      return;
    }
    this.sent = undefined;
    this.problem = '';
    this.discarded.keep(undefined);
    if (isSameText(this.text, text)) this.forgetDraft();
    else if (!this.labels) this.base = text;
    this.showState();
  }

  /** Has the story given what is written; `false` when that would overwrite what someone else wrote, or there is nothing to save. */
  save(): boolean {
    this.keepNow();
    if (isOfNewStory) return this.addLabels();
    const { draft, state } = this;
    const isHalfTyped = this.box.validity.badInput;
    if (state === 'conflict' && isWritable()) this.askToChoose();
    if (!isWritable() || !draft || state === 'conflict' || isHalfTyped) return false;
    if (state === 'stored') {
      if (this.sent === undefined) this.cancel();
      return false;
    }
    // What was sent before may be refused yet.
    vsCode.postMessage({ type: 'saveField', draft: { ...draft, base: this.base }, sent: this.sent });
    this.sent = draft.text;
    this.problem = '';
    if (this.labels) {
      this.base = undefined;
      this.fill('');
    }
    this.showState();
    return true;
  }

  private askToChoose(): void {
    this.wantsChoice = true;
    this.showState();
    this.form.querySelector('.conflict')?.scrollIntoView({ block: 'nearest' });
  }

  private addLabels(): boolean {
    const isAdded = this.labels?.addTyped() ?? false;
    if (isAdded) this.type();
    return isAdded;
  }

  /** Shows what the story has in place of this text, which the person has discarded elsewhere. */
  withdraw(text: string): void {
    if (this.base === undefined || !isSameText(this.text, text)) return;
    this.stopKeeping();
    this.showStored();
  }

  /** Leaves a draft that the person has discarded elsewhere to be restored; one that is written on here stays. */
  discard(draft: Draft): void {
    if (this.base === undefined) this.discarded.keep(draft);
    else if (isSameText(this.text, draft.text)) this.cancel();
  }

  /** Goes on with what was discarded; what is being written takes its place. */
  private restore({ base, text }: Draft): void {
    if (this.isUnsaved) this.discarded.keep(this.draft);
    this.base = base;
    putValue(this.box, text);
    this.keepNow(true);
    this.box.focus();
  }

  /** Goes back to what the story has. */
  cancel(): void {
    if (isOfNewStory) return;
    this.stopKeeping();
    if (this.base !== undefined) vsCode.postMessage({ type: 'discardDraft', field: this.field });
    this.showStored();
  }

  /** Takes what is written out of the control, and gives it. */
  takeAway(): Draft | undefined {
    const { draft } = this;
    this.stopKeeping();
    if (draft) vsCode.postMessage({ type: 'discardDraft', field: this.field });
    this.empty();
    return draft;
  }

  /** Goes on with what was taken away. */
  putBack({ base, text }: Draft): void {
    this.base = base;
    this.fill(text);
    this.keepNow(true);
  }

  private showStored(): void {
    if (this.isUnsaved) this.discarded.keep(this.draft);
    this.empty();
  }

  private empty(): void {
    this.sent = undefined;
    this.problem = '';
    this.forgetDraft();
    this.fill(this.stored ?? '');
    this.showState();
  }

  private get state() {
    const { draft, stored, sent } = this;
    if (!draft || stored === undefined || sent === draft.text) return 'stored';
    const state = draftState(draft, stored);
    return isOfNewStory && state === 'conflict' ? 'unsaved' : state;
  }

  /** The person has changed what is in the control. */
  type(): void {
    this.base ??= this.shown;
    if (isOfNewStory && this.problem !== '') this.refuse('');
    if (this.noted !== '') this.note('');
    const { length } = this.text;
    if (length <= SHORT) {
      this.keepNow(true);
      return;
    }
    this.keeping ??= setTimeout(() => this.keepNow(), length / CHARACTERS_PER_MS);
  }

  /** VS Code writes the state of pages seldom; what the extension is told is safe at once. */
  private keepNow(isNew = this.keeping !== undefined): void {
    this.stopKeeping();
    const { draft, base, sent } = this;
    if (!isNew || !draft) return;
    vsCode.postMessage({ type: 'keepDraft', draft: { ...draft, base }, sent });
    this.showState();
  }

  private stopKeeping(): void {
    clearTimeout(this.keeping);
    this.keeping = undefined;
  }

  private press(does: string | undefined): void {
    if (does === 'discard' || does === 'takeTheirs' || does === 'cancel') this.cancel();
    else if (does === 'keepMine' && this.base !== undefined) {
      this.base = this.stored;
      this.save();
    } else if (does === 'compare') vsCode.postMessage({ type: 'compare', text: this.text });
    else return;
    if (!this.box.hidden) this.box.focus({ preventScroll: true });
  }

  private forgetDraft(): void {
    this.base = undefined;
    this.shown = this.text;
  }

  private fill(text: string): void {
    if (this.labels) this.labels.value = text;
    else putValue(this.box, text);
    this.shown = this.text;
  }

  private showState(): void {
    const { state, form } = this;
    const isWritten = state !== 'stored';
    const find = (selector: string) => form.querySelector<HTMLElement>(selector);
    setHidden(find('.unsaved'), !isWritten);
    const problem = isOfNewStory || isWritten ? this.problem : '';
    showText(find('.refusal'), state === 'conflict' ? '' : problem || this.noted);
    if (problem === '') this.box.removeAttribute('aria-invalid');
    else this.box.setAttribute('aria-invalid', 'true');
    const conflict = find('.conflict');
    setHidden(conflict, state !== 'conflict');
    const [said, theirs] = [find('.conflict [role="alert"]'), find('.theirs')];
    this.wantsChoice &&= state === 'conflict';
    const { text = '', choose = '' } = said?.dataset ?? {};
    showText(said, state !== 'conflict' ? '' : this.wantsChoice ? choose : text);
    if (theirs && state === 'conflict') {
      theirs.textContent = this.stored?.trim() ? withoutControls(this.stored) : (theirs.dataset.empty ?? '');
    }
    this.onDidChange();
  }
}

function setHidden(element: HTMLElement | null, isHidden: boolean): void {
  if (element) element.hidden = isHidden;
}

function showText(element: HTMLElement | null, text: string): void {
  if (!element) return;
  // An alert that says the same again would be read again.
  if (element.textContent !== text) element.textContent = text;
  element.hidden = text === '';
}
