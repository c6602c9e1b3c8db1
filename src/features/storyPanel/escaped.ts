const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text as HTML shows it, for element content and quoted attributes. */
export function escaped(text: string | number): string {
  return String(text).replace(/[&<>"']/g, (character) => entities[character] ?? '');
}

/** Text of a server inside a line of ours: it is isolated, so that its direction turns nothing around it. */
export function isolated(text: string | number): string {
  return `<bdi>${escaped(text)}</bdi>`;
}
