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
