import { keptTexts } from '../storyDrafts.ts';
import { byId, say } from './elements.ts';
import { remembered, rememberSurely } from './pageMemory.ts';

/** Milliseconds for which someone who has typed counts as typing: what came back then would mix with what comes next. */
const TYPING_MS = 1000;

type TextBox = HTMLInputElement | HTMLTextAreaElement;

/**
 * A box that is empty as soon as its text is sent, and has it again when it was not taken. While someone is writing something
 * else there, the text waits below, to be put back.
 */
export class SentBox {
  private readonly name: 'comment' | 'task';
  private readonly box: TextBox;
  private readonly changed: (text: string) => void;
  private readonly words: { readonly putBack: string; readonly discard: string };
  private returned: readonly string[];
  private typedAt = 0;
  /** Nothing was done with the box since the page is there. */
  private isAsKept = true;

  /** `name` is that of the box; the paragraph and the list below it are called `nameRefusal` and `nameReturned`. */
  constructor(name: 'comment' | 'task', changed: (text: string) => void) {
    const box = byId(name);
    if (!(box instanceof HTMLInputElement || box instanceof HTMLTextAreaElement)) throw new Error(name);
    this.name = name;
    this.box = box;
    this.changed = changed;
    const { putBack = '', discard = '' } = document.querySelector('main')?.dataset ?? {};
    this.words = { putBack, discard };
    this.returned = keptTexts(remembered())[this.listName];
    this.showReturned();
    box.addEventListener('input', () => {
      this.typedAt = performance.now();
      this.isAsKept = false;
      changed(box.value);
    });
  }

  get text(): string {
    return this.box.value;
  }

  set text(text: string) {
    this.box.value = text;
    this.isAsKept = false;
    this.changed(text);
  }

  /** Puts in what was begun before, as far as the page itself remembers it. */
  begin(text: string): void {
    this.box.value = text;
  }

  /** Puts in what was begun before; where something else is being written by now, it waits below. */
  offer(text: string): void {
    if (text === '' || text === this.text) return;
    if (this.isAsKept || this.text === '') this.box.value = text;
    else if (!this.text.startsWith(text)) this.offerReturned([text]);
  }

  /** Adds what was not taken before. */
  offerReturned(texts: readonly string[]): void {
    const others = texts.filter((text) => !this.returned.includes(text));
    if (others.length > 0) this.keepReturned([...this.returned, ...others]);
  }

  /** The text, to be sent, and the box empty from now on; `undefined`, and the focus in it, where there is none. */
  taken(): string | undefined {
    const { text } = this;
    if (text.trim() === '') {
      this.box.focus();
      return undefined;
    }
    say(`${this.name}Refusal`, '');
    this.text = '';
    return text;
  }

  /** Gives a text back that was not taken, and says why. */
  giveBack(text: string, problem: string): void {
    const isTyping = performance.now() - this.typedAt < TYPING_MS;
    if (this.text === '' && !isTyping) this.text = text;
    else if (this.text !== text) this.keepReturned([...this.returned, text]);
    say(`${this.name}Refusal`, problem);
  }

  private get listName() {
    return `${this.name}Returned` as const;
  }

  private keepReturned(returned: readonly string[]): void {
    this.returned = returned;
    rememberSurely({ [this.listName]: returned });
    this.showReturned();
  }

  private showReturned(): void {
    const list = byId(this.listName);
    list.hidden = this.returned.length === 0;
    list.replaceChildren(...this.returned.map((text, index) => this.row(text, index)));
  }

  private row(text: string, index: number): HTMLElement {
    const row = document.createElement('li');
    const words = document.createElement('span');
    words.dir = 'auto';
    words.textContent = text;
    const others = () => this.returned.toSpliced(index, 1);
    const putBack = this.button(this.words.putBack, () => {
      const instead = this.text.trim() === '' ? [] : [this.text];
      this.keepReturned([...others(), ...instead]);
      this.text = text;
      this.box.focus();
    });
    const discard = this.button(this.words.discard, () => {
      this.keepReturned(others());
      this.box.focus();
    });
    row.append(words, putBack, discard);
    return row;
  }

  private button(text: string, run: () => void): HTMLElement {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'link';
    button.textContent = text;
    button.addEventListener('click', run);
    return button;
  }
}
