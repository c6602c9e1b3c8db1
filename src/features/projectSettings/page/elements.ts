import { type FromPage, isRecord, pageState } from '../settingsMessages.ts';
import type { ScriptTexts } from '../settingsShell.ts';

interface VsCodeApi {
  postMessage(message: FromPage): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare const acquireVsCodeApi: () => VsCodeApi;

/** What VS Code gives to a page, once. */
export const vsCode = acquireVsCodeApi();

export const texts: ScriptTexts = JSON.parse(document.body.dataset.texts ?? '{}');

const project: unknown = JSON.parse(document.body.dataset.project ?? 'null');

/** What the page keeps over a reload; nothing of another project. */
export function remembered(): Readonly<Record<string, unknown>> {
  const state = vsCode.getState();
  const isOwn = JSON.stringify(pageState(state)) === JSON.stringify(pageState({ project }));
  return isOwn && isRecord(state) ? state : {};
}

/** Keeps these besides what else is kept. */
export function remember(change: Readonly<Record<string, unknown>>): void {
  vsCode.setState({ ...remembered(), project, ...change });
}

/** The element with this id, which the page always has. */
export function byId(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (!element) throw new Error(id);
  return element;
}

export function inputById(id: string): HTMLInputElement {
  const element = byId(id);
  if (!(element instanceof HTMLInputElement)) throw new Error(id);
  return element;
}

export function within(element: ParentNode, selector: string): HTMLElement {
  const found = element.querySelector<HTMLElement>(selector);
  if (!found) throw new Error(selector);
  return found;
}

/** Shows the text, or hides the element when there is none. */
export function say(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text;
  element.hidden = text === '';
}

/** The text with what its placeholders stand for. */
export function filled(text: string, ...values: readonly (string | number)[]): string {
  return text.replace(/\{(\d)\}/g, (_, index) => String(values[Number(index)] ?? ''));
}

/** A small button of a row; `spoken` names it where it stands alone. */
export function rowButton(action: string, id: number, text: string, spoken: string): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'link';
  button.textContent = text;
  button.dataset.rowDo = action;
  button.dataset.id = String(id);
  button.dataset.key = `${action}-${id}`;
  button.setAttribute('aria-label', spoken);
  return button;
}

/** Puts other rows in; what has the focus keeps it, or what stands in its place gets it. */
export function replaceRows(list: HTMLElement, rows: readonly HTMLElement[]): void {
  const focused = list.contains(document.activeElement) ? document.activeElement : null;
  const key = focused instanceof HTMLElement ? focused.dataset.key : undefined;
  list.replaceChildren(...rows);
  if (!focused) return;
  const keyed = [...list.querySelectorAll<HTMLElement>('[data-key]')];
  (keyed.find((element) => element.dataset.key === key) ?? keyed[0])?.focus({ preventScroll: true });
}

let canWrite = false;

export function isWritable(): boolean {
  return canWrite;
}

/** From now on settings can only be read, or changed again. What is typed stays. */
export function setWritable(isNow: boolean): void {
  canWrite = isNow;
  document.body.classList.toggle('readOnly', !isNow);
  markControls();
}

/** Has controls that have just come look as the others do. */
export function markControls(): void {
  for (const control of document.querySelectorAll<HTMLInputElement | HTMLSelectElement>('main input, main select')) {
    control.disabled = !canWrite;
  }
}

/** A form whose request is under way takes no second one. */
export function setBusy(form: HTMLElement, isBusy: boolean): void {
  form.setAttribute('aria-busy', String(isBusy));
  const submit = form.querySelector<HTMLButtonElement>('button[type="submit"]');
  if (submit) submit.disabled = isBusy;
}
