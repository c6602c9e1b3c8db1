const CONTROLS = 'a[href], button, input, select, textarea, [tabindex]';

interface Focused {
  readonly element: HTMLElement;
  /** That of the part or form in which it is. */
  readonly holder: Element | null;
  readonly name: string;
}

let last: Focused | undefined;

/** Gives the focus back to what had it last when the page gets it again: frames of VS Code forget it. */
export function startKeepingFocus(): void {
  document.addEventListener('focusin', ({ target }) => {
    if (target instanceof HTMLElement) last = { element: target, holder: holderOf(target), name: nameOf(target) };
  });
  // Who clicks beside everything wants it nowhere.
  document.addEventListener('mousedown', ({ target }) => {
    if (target instanceof Element && !target.closest(`${CONTROLS}, label`)) last = undefined;
  });
  window.addEventListener('focus', giveBack);
}

function giveBack(): void {
  if (!last || document.activeElement !== document.body) return;
  const { element, holder, name } = last;
  const isThere = element.isConnected && element.checkVisibility();
  const same = [...(holder?.querySelectorAll<HTMLElement>(CONTROLS) ?? [])].find((one) => nameOf(one) === name);
  (isThere ? element : (same ?? holder?.querySelector<HTMLElement>('.actions')))?.focus({ preventScroll: true });
}

/** Parts and forms stay, whatever is drawn anew in them. */
function holderOf(element: Element): Element | null {
  return element.closest('[data-part], main form');
}

/** What tells it from others in its part, also when it was made anew. */
function nameOf(element: HTMLElement): string {
  return element.dataset.key ?? (element.id || element.getAttribute('href') || (element.textContent ?? ''));
}
