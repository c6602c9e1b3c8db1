import { type Parts, partNames } from '../panelMessages.ts';

/** The element with this id, which the page always has. */
export function byId(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (!element) throw new Error(id);
  return element;
}

/** Shows the text, or hides the element when there is none. */
export function say(id: string, text: string): void {
  const element = byId(id);
  element.textContent = text;
  element.hidden = text === '';
}

export const isOnMac = navigator.platform.startsWith('Mac');

interface VsCodeApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare const acquireVsCodeApi: () => VsCodeApi;

/** What VS Code gives to a page, once. */
export const vsCode = acquireVsCodeApi();

const format = new Intl.DateTimeFormat(languageOf(document.documentElement.lang), {
  dateStyle: 'medium',
  timeStyle: 'short',
});

const formatToday = new Intl.DateTimeFormat(languageOf(document.documentElement.lang), { timeStyle: 'short' });

/** A moment, in milliseconds since the epoch, in the person's language and zone; of today the time alone. */
export function localTime(time: number): string {
  const moment = new Date(time);
  const isToday = moment.toDateString() === new Date().toDateString();
  return (isToday ? formatToday : format).format(moment);
}

/** Shows the moments below an element in the person's language and zone. */
export function showLocalTimes(element: HTMLElement): void {
  for (const time of element.querySelectorAll('time')) {
    const moment = new Date(time.dateTime);
    if (!Number.isNaN(moment.getTime())) time.textContent = format.format(moment);
  }
}

/** None, which is that of the window, for one that is not known. */
function languageOf(language: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(language)[0];
  } catch {
    return undefined;
  }
}

const shown = new Map<string, string>();
const completions = new Map<string, readonly (() => void)[]>();

/** Has what belongs into a part besides what the extension sends put in whenever that is new. */
export function onShown(part: string, complete: () => void): void {
  completions.set(part, [...(completions.get(part) ?? []), complete]);
}

/**
 * Puts in what differs from what is there. What has the focus keeps it, and its place on screen, whatever comes above it; its
 * neighbours get the focus when it has gone.
 */
export function showParts(parts: Parts): void {
  byId('loading').hidden = true;
  byId('rest').hidden = false;
  const changed = partNames.filter((name) => shown.get(name) !== parts[name]);
  if (changed.length === 0) return;
  const focused = focusedOnScreen();
  const before = focused?.getBoundingClientRect().top ?? 0;
  for (const name of changed) replace(name, parts[name]);
  if (!focused?.checkVisibility()) return;
  window.scrollBy({ top: focused.getBoundingClientRect().top - before, behavior: 'instant' });
}

function focusedOnScreen(): Element | undefined {
  const { activeElement, body } = document;
  if (!activeElement || activeElement === body || !activeElement.checkVisibility()) return undefined;
  const { top, bottom } = activeElement.getBoundingClientRect();
  return bottom > 0 && top < window.innerHeight ? activeElement : undefined;
}

/** Makes the next content of this part be put in although it is the same: the person has changed what it shows. */
export function forget(part: string): void {
  shown.delete(part);
}

function replace(name: string, html: string): void {
  const section = document.querySelector<HTMLElement>(`[data-part="${name}"]`);
  if (!section) return;
  shown.set(name, html);
  const focused = section.contains(document.activeElement) ? document.activeElement : null;
  const key = focused instanceof HTMLElement ? focused.dataset.key : undefined;
  section.innerHTML = html;
  showLocalTimes(section);
  section.hidden = html === '';
  for (const complete of completions.get(name) ?? []) complete();
  if (!focused) return;
  const keyed = [...section.querySelectorAll<HTMLElement>('[data-key]')];
  const next = keyed.find((element) => element.dataset.key === key) ?? section.querySelector('.actions') ?? keyed[0];
  if (next instanceof HTMLElement) focusInTime(next);
}

/** When the person is in the page: a question of VS Code's that is open would lose the focus to it, and be gone. */
export function focusInTime(element: HTMLElement): void {
  const focus = () => element.focus({ preventScroll: true });
  if (document.hasFocus()) focus();
  else window.addEventListener('focus', focus, { once: true });
}
