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
