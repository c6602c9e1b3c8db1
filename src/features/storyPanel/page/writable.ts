const BOXES = 'input:not([type="checkbox"]), textarea';
const CONTROLS = 'button, select, input[type="checkbox"]';
/** Reading on, and what becomes of a text that is written already. */
const HARMLESS =
  '[data-do="older"], [data-do="newest"], [data-do="olderHistory"], [data-field-do]:not([data-field-do="keepMine"]), .returned button';
/** Keys by which lists and boxes change something. */
const CHANGING = new Set(['Enter', 'F2', 'Delete', 'ArrowUp', 'ArrowDown', ',']);

let canWrite = true;

/** Whether the story can be changed: it is there, and its account is signed in. */
export function isWritable(): boolean {
  return canWrite;
}

/** From now on the page only shows the story, or lets it be changed again. What is written stays, to be read and copied. */
export function setWritable(isNow: boolean): void {
  canWrite = isNow;
  document.body.classList.toggle('readOnly', !isNow);
  markControls();
}

/** Has controls that have just come look as the others do. */
export function markControls(): void {
  const main = document.querySelector('main');
  for (const box of main?.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(BOXES) ?? []) {
    box.readOnly = !canWrite;
    mark(box);
  }
  for (const control of main?.querySelectorAll<HTMLButtonElement | HTMLSelectElement | HTMLInputElement>(CONTROLS) ??
    []) {
    // One that could not be used before is left so.
    const isOurs = control.dataset.readOnly !== undefined;
    if (control.matches(HARMLESS) || (control.disabled && !isOurs)) continue;
    control.disabled = !canWrite;
    control.toggleAttribute('data-read-only', !canWrite);
    mark(control);
  }
}

function mark(element: HTMLElement): void {
  if (canWrite) element.removeAttribute('aria-disabled');
  else element.setAttribute('aria-disabled', 'true');
}

/** Keeps from rows and headings what they do by keys, double clicks and the mouse while the story cannot be changed. */
export function startReadOnly(): void {
  const stop = (event: Event) => {
    if (!canWrite) event.stopImmediatePropagation();
  };
  window.addEventListener('dblclick', stop, true);
  window.addEventListener('paste', stop, true);
  window.addEventListener(
    'dragstart',
    (event) => {
      stop(event);
      if (!canWrite) event.preventDefault();
    },
    true,
  );
  window.addEventListener(
    'keydown',
    (event) => {
      const isInForm = event.target instanceof Element && event.target.closest('form, [data-part="tasks"]') !== null;
      if (isInForm && CHANGING.has(event.key)) stop(event);
    },
    true,
  );
}
