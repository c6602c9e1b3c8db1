import { withoutControls } from '../../../core/shownText.ts';
import { writtenLabels } from '../fieldMessages.ts';
import { byId, vsCode } from './elements.ts';

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
