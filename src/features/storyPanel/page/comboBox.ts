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
    const fitting = this.options.filter((option) => option.toLowerCase().includes(words)).slice(0, MOST);
    this.list.replaceChildren(...fitting.map((text, index) => this.optionOf(text, index)));
    this.list.hidden = fitting.length === 0;
    this.input.setAttribute('aria-expanded', String(fitting.length > 0));
    this.activate(-1);
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
    else if (key === 'Escape' && this.isOpen) {
      this.close();
      event.stopImmediatePropagation();
    } else return;
    event.preventDefault();
  }

  private pressEnter(event: KeyboardEvent): void {
    const option = this.list.children[this.active];
    this.close();
    if (!(option instanceof HTMLElement)) return;
    event.stopImmediatePropagation();
    this.accept(option);
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
