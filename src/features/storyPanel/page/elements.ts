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
