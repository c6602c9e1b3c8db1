/**
 * The story that a link of the form `vscode://story-tracker.story-tracker/story/12` means; `undefined` for every other
 * link, and for one that carries anything more.
 */
export function linkedStory(link: { readonly path: string; readonly query: string; readonly fragment: string }) {
  const [, digits] = /^\/story\/([1-9]\d{0,14})$/.exec(link.path) ?? [];
  return digits === undefined || link.query !== '' || link.fragment !== '' ? undefined : Number(digits);
}
