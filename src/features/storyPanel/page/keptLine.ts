import { byId } from './elements.ts';

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
