import { withoutControls } from '../../../core/text.ts';
import { writtenLabels } from '../fieldMessages.ts';
import { byId, vsCode } from './elements.ts';

/** Options that are shown at once. */
const MOST = 50;

/** A text box that offers what it can be completed to, without insisting on it. */
export class ComboBox {
  readonly input: HTMLInputElement;
  options: readonly string[] = [];
  private readonly list: HTMLElement;
  private readonly choose: () => void;
  private readonly isList: boolean;
  private active = -1;
  /** What the open list was narrowed down to. */
  private typed = '';

  /**
   * `choose` is called when the person takes an option, which is in the box then; in place of what stands behind the last comma
   * where the box holds a list.
   */
  constructor(input: HTMLInputElement, choose: () => void, isList = false) {
    const list = input.nextElementSibling;
    if (!(list instanceof HTMLElement)) throw new Error(input.id);
    this.input = input;
    this.list = list;
    this.choose = choose;
    this.isList = isList;
    input.addEventListener('input', () => this.open());
    input.addEventListener('click', () => this.open(''));
    input.addEventListener('blur', () => this.close());
    input.addEventListener('keydown', (event) => this.press(event));
    // The box keeps the focus, so that it is not taken for left.
    list.addEventListener('mousedown', (event) => event.preventDefault());
    list.addEventListener('click', ({ target }) => {
      const option = target instanceof Element ? target.closest<HTMLElement>('[role="option"]') : null;
      if (option) this.accept(option);
    });
  }

  get isOpen(): boolean {
    return !this.list.hidden;
  }

  close(): void {
    this.list.hidden = true;
    this.input.setAttribute('aria-expanded', 'false');
    this.activate(-1);
  }

  /** Shows the options that have what is typed in them. */
  private open(typed = this.input.value): void {
    if (this.input.readOnly) return;
    const words = (this.isList ? typed.slice(typed.lastIndexOf(',') + 1) : typed).trim().toLowerCase();
    this.typed = words;
    const fitting = this.options.filter((option) => option.toLowerCase().includes(words)).slice(0, MOST);
    this.list.replaceChildren(...fitting.map((text, index) => this.optionOf(text, index)));
    this.list.hidden = fitting.length === 0;
    this.input.setAttribute('aria-expanded', String(fitting.length > 0));
    this.place();
    this.activate(-1);
  }

  /** Above the box where there is no room below; no taller than there is room. */
  private place(): void {
    const { list, input } = this;
    list.classList.remove('above');
    list.style.maxHeight = '';
    const { top, bottom } = input.getBoundingClientRect();
    const below = window.innerHeight - bottom;
    if (list.getBoundingClientRect().bottom <= window.innerHeight) return;
    list.classList.toggle('above', top > below);
    list.style.maxHeight = `min(14rem, ${Math.max(top, below)}px - 1rem)`;
  }

  private optionOf(text: string, index: number): HTMLElement {
    const option = document.createElement('li');
    option.id = `${this.list.id}-${index}`;
    option.setAttribute('role', 'option');
    option.setAttribute('aria-selected', 'false');
    option.dir = 'auto';
    option.textContent = text;
    return option;
  }

  private press(event: KeyboardEvent): void {
    const { key } = event;
    const isArrow = key === 'ArrowDown' || key === 'ArrowUp';
    if (isArrow && !this.isOpen) this.open('');
    else if (isArrow) this.step(key === 'ArrowDown' ? 1 : -1);
    else if (key === 'Enter' && this.isOpen) this.pressEnter(event);
    else if (key === 'Tab' && this.isOpen) {
      // The focus goes on.
      const option = this.chosen ?? this.onlyMatch;
      if (option) this.accept(option);
      return;
    } else if (key === 'Escape' && this.isOpen) {
      this.close();
      event.stopImmediatePropagation();
    } else return;
    event.preventDefault();
  }

  private pressEnter(event: KeyboardEvent): void {
    const option = this.chosen ?? this.onlyMatch ?? this.firstMatch;
    this.close();
    if (!option) return;
    // With Ctrl everything is saved besides.
    if (!event.ctrlKey && !event.metaKey) event.stopImmediatePropagation();
    this.accept(option);
  }

  private get shown(): readonly HTMLElement[] {
    return [...this.list.querySelectorAll<HTMLElement>('[role="option"]')];
  }

  /** The one that the person has gone to. */
  private get chosen(): HTMLElement | undefined {
    return this.shown[this.active];
  }

  /** The one that is meant although more might be typed; in a list of labels what is typed may be a new one. */
  private get onlyMatch(): HTMLElement | undefined {
    const [option, ...others] = this.shown;
    return this.isList || this.typed === '' || others.length > 0 ? undefined : option;
  }

  private get firstMatch(): HTMLElement | undefined {
    if (this.isList || this.typed === '') return undefined;
    const texts = this.shown.map(({ textContent }) => textContent?.toLowerCase() ?? '');
    const at = texts.includes(this.typed) ? -1 : texts.findIndex((text) => text.startsWith(this.typed));
    return this.shown[at];
  }

  private step(by: number): void {
    const count = this.list.children.length;
    const from = this.active < 0 && by < 0 ? 0 : this.active;
    this.activate((from + by + count) % count);
  }

  private activate(index: number): void {
    this.active = index;
    for (const [at, option] of [...this.list.children].entries()) {
      option.setAttribute('aria-selected', String(at === index));
      if (at === index) option.scrollIntoView({ block: 'nearest' });
    }
    const option = this.list.children[index];
    if (option) this.input.setAttribute('aria-activedescendant', option.id);
    else this.input.removeAttribute('aria-activedescendant');
  }

  private accept(option: HTMLElement): void {
    const { value } = this.input;
    const before = this.isList ? value.slice(0, value.lastIndexOf(',') + 1) : '';
    this.input.value = `${before}${before === '' ? '' : ' '}${option.textContent}`;
    this.input.dispatchEvent(new Event('input', { bubbles: true }));
    this.close();
    this.choose();
  }
}

/**
 * The labels of the story, each with a button that takes it off, and the box in which the next one is typed. Those of a new story
 * are kept here, with what is being typed behind the last comma.
 */
export class LabelList {
  /** Called when others are shown than before. */
  onDidShow = () => {};
  /** Called when the person has taken a label off that was only here. */
  onDidRemove = () => {};
  private readonly input: HTMLInputElement;
  private readonly list = byId('labels');
  private isOfNewStory = false;
  private _labels: readonly string[] = [];

  constructor(input: HTMLInputElement) {
    this.input = input;
    this.list.addEventListener('click', ({ target }) => {
      const button = target instanceof Element ? target.closest<HTMLElement>('[data-label]') : null;
      if (button?.dataset.label !== undefined) this.remove(button.dataset.label);
    });
  }

  get labels(): readonly string[] {
    return this._labels;
  }

  /** Everything that is not saved: what is typed, and the labels of a new story before it. */
  get value(): string {
    const { value } = this.input;
    return this.isOfNewStory && this._labels.length > 0 ? [...this._labels, value].join(', ') : value;
  }

  set value(text: string) {
    const typedFrom = this.isOfNewStory ? text.lastIndexOf(',') + 1 : 0;
    if (this.isOfNewStory) this.show(writtenLabels(text.slice(0, typedFrom)));
    const typed = typedFrom === 0 ? text : text.slice(typedFrom).trimStart();
    if (this.input.value !== typed) this.input.value = typed;
  }

  /** From now on labels are only here. */
  writeNewStory(): void {
    this.isOfNewStory = true;
  }

  /** What the story has. */
  showStored(labels: readonly string[]): void {
    if (!this.isOfNewStory) this.show(labels);
  }

  /** Makes labels of what is typed for a new story; `false` where there is nothing. */
  addTyped(): boolean {
    if (this.input.value.trim() === '') return false;
    this.value = `${this.value},`;
    return true;
  }

  private show(labels: readonly string[]): void {
    const { list } = this;
    const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset.label : undefined;
    const wanted = [...new Set(labels)];
    if (JSON.stringify(this._labels) === JSON.stringify(wanted)) return;
    this._labels = wanted;
    list.replaceChildren(...wanted.map((label) => labelItem(label, list.dataset.remove ?? '')));
    list.hidden = wanted.length === 0;
    this.onDidShow();
    if (focused === undefined || !document.hasFocus()) return;
    const same = [...list.querySelectorAll<HTMLElement>('[data-label]')].find(
      ({ dataset }) => dataset.label === focused,
    );
    (same ?? this.input).focus({ preventScroll: true });
  }

  private remove(label: string): void {
    if (this.isOfNewStory) {
      this.show(this._labels.filter((one) => one !== label));
      this.onDidRemove();
    } else vsCode.postMessage({ type: 'removeLabel', text: label });
    this.input.focus({ preventScroll: true });
  }
}

function labelItem(label: string, remove: string): HTMLElement {
  const [item, text, button] = [document.createElement('li'), document.createElement('bdi'), buttonElement()];
  text.textContent = withoutControls(label);
  button.dataset.label = label;
  button.dataset.key = `label-${label}`;
  button.textContent = '×';
  button.setAttribute(
    'aria-label',
    remove.replace('{0}', () => withoutControls(label)),
  );
  item.append(text, button);
  return item;
}

function buttonElement(): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'link';
  return button;
}
