import { filled, markControls, texts, within } from './elements.ts';

/** The rows of iterations that differ, as one text (`strengthsText`), whatever is typed in them. */
export function readRows(fieldset: HTMLElement): string {
  const rows = [...fieldset.querySelectorAll<HTMLElement>('[data-rows] > li')].map((row) => {
    const typed = (name: string) => {
      const control = within(row, `[data-part="${name}"]`);
      const isControl = control instanceof HTMLInputElement || control instanceof HTMLSelectElement;
      return isControl ? control.value.replace(/[\s:]+/g, '') : '';
    };
    return { number: typed('number'), percent: typed('percent'), weeks: typed('weeks') };
  });
  const order = ({ number }: { readonly number: string }) =>
    number === '' ? Number.POSITIVE_INFINITY : Number(number);
  return rows
    .toSorted((one, other) => order(one) - order(other) || 0)
    .map(({ number, percent, weeks }) => `${number}:${percent}:${weeks}`)
    .join(' ');
}

export function writeRows(fieldset: HTMLElement, text: string): void {
  const rows = text.split(' ').filter((part) => part !== '');
  within(fieldset, '[data-rows]').replaceChildren(...rows.map(rowOf));
  afterChange(fieldset);
}

export function addRow(fieldset: HTMLElement): void {
  const row = rowOf(':100:');
  within(fieldset, '[data-rows]').append(row);
  afterChange(fieldset);
  within(row, 'input').focus();
}

export function removeRow(fieldset: HTMLElement, button: Element): void {
  button.closest('li')?.remove();
  afterChange(fieldset);
  within(fieldset, '[data-do="addStrength"]').focus();
}

/** As a person reads it, for what someone else made of it. */
export function strengthsInWords(text: string): string {
  const rows = text.split(' ').filter((part) => part !== '');
  return rows
    .map((part) => {
      const [number = '', percent = '', weeks = ''] = part.split(':');
      const length = weeks === '' ? '' : `, ${texts.weeks[weeks] ?? weeks}`;
      return filled(texts.strengths.told, number, percent) + length;
    })
    .join('\n');
}

function afterChange(fieldset: HTMLElement): void {
  within(fieldset, '[data-none]').hidden = fieldset.querySelector('[data-rows] > li') !== null;
  markControls();
}

function rowOf(part: string): HTMLElement {
  const [number = '', percent = '', weeks = ''] = part.split(':');
  const row = document.createElement('li');
  row.append(
    labelled(texts.strengths.iteration, box('number', number)),
    labelled(texts.strengths.strength, box('percent', percent)),
    labelled(texts.strengths.length, lengthChoice(weeks)),
    removeButton(number),
  );
  return row;
}

function labelled(text: string, control: HTMLElement): HTMLElement {
  const label = document.createElement('label');
  label.className = 'quiet';
  label.append(text, ' ', control);
  return label;
}

function box(part: string, value: string): HTMLInputElement {
  const input = document.createElement('input');
  input.type = 'text';
  input.inputMode = 'numeric';
  input.value = value;
  input.dataset.part = part;
  return input;
}

function lengthChoice(weeks: string): HTMLSelectElement {
  const select = document.createElement('select');
  select.dataset.part = 'weeks';
  const choices: readonly (readonly [string, string])[] = [['', texts.strengths.usual], ...Object.entries(texts.weeks)];
  select.append(...choices.map(([value, text]) => new Option(text, value, false, value === weeks)));
  return select;
}

function removeButton(number: string): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'link';
  button.dataset.rowDo = 'removeStrength';
  button.textContent = texts.strengths.remove;
  button.setAttribute('aria-label', filled(texts.strengths.removeNamed, number));
  return button;
}
