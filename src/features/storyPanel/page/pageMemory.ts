import { isSameStory } from '../../../core/activeStory/storyBinding.ts';
import { type PanelStory, pageState, storyOfPage } from '../panelMessages.ts';
import { type Draft, type DraftField, type KeptTexts, keptTexts, readDraft } from '../storyDrafts.ts';
import { byId, vsCode } from './elements.ts';

type Memory = Readonly<Record<string, unknown>>;

const ownStory = storyOfPage(document.body.dataset.story);
const formerStory = storyOfPage(document.body.dataset.former);
const keptStory = pageState(vsCode.getState()).story;
if (!isSameStory(keptStory, ownStory)) {
  // A preview shows one story after the other: what it kept of the one before stays with that, unless it is the same.
  const isFormer = formerStory !== undefined && isSameStory(keptStory, formerStory);
  vsCode.setState(isFormer ? { ...remembered(), story: ownStory } : { story: ownStory });
}

/** Whether what is said about a story is said about that of this page, and not of the one that takes its place. */
export function isOwnStory(story: PanelStory): boolean {
  return isSameStory(story, ownStory);
}

/** What the page keeps over a reload. */
export function remembered(): Memory {
  const state = vsCode.getState();
  return typeof state === 'object' && state !== null ? { ...state } : {};
}

/** Keeps these besides what else is kept. */
export function remember(change: Memory): void {
  vsCode.setState({ ...remembered(), ...change });
}

/** As `remember`, and for when there is no such page any more: the tab was closed, or its window killed. */
export function rememberSurely(change: Partial<KeptTexts>): void {
  remember(change);
  const { taskEdits, ...texts } = keptTexts(remembered());
  const begun = taskEdits.filter(({ text, known }) => text !== known);
  // VS Code writes the state of pages seldom; what the extension is told is safe at once.
  vsCode.postMessage({ type: 'keepTexts', texts: { ...texts, taskEdits: begun } });
}

/** Something that was written before the page came and was not saved. */
interface KeptText {
  /** Whether it is there still. */
  readonly isUnsaved: () => boolean;
  /** Puts the cursor into it. */
  readonly write: () => void;
}

const line = byId('kept');
const texts = new Map<string, KeptText>();

/** Leads to what was kept, which may be far below, from the top of the page, until none of it is there. */
export function startKeptLine(): void {
  line.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLElement>('[data-kept]') : null;
    texts.get(button?.dataset.kept ?? '')?.write();
  });
  for (const event of ['input', 'click', 'focusout']) document.addEventListener(event, showKept);
}

/** By the name of a button in the line. */
export function noteKept(name: string, text: KeptText): void {
  texts.set(name, text);
}

export function showKept(): void {
  const buttons = [...line.querySelectorAll<HTMLElement>('[data-kept]')];
  for (const button of buttons) button.hidden = texts.get(button.dataset.kept ?? '')?.isUnsaved() !== true;
  line.hidden = buttons.every(({ hidden }) => hidden);
}

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
