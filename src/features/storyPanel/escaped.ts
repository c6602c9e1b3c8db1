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

/** Characters of a server's text within a line. */
const LONGEST_LINE = 1_000;

/** A server's text as it stands in a line: its beginning, where it is longer than anybody reads. */
export function lineOf(text: string): string {
  if (text.length <= LONGEST_LINE) return text;
  return `${text.slice(0, LONGEST_LINE).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** Text of a server inside a line of ours: it is isolated, so that its direction turns nothing around it. */
export function isolated(text: string | number): string {
  return `<bdi>${escaped(lineOf(String(text)))}</bdi>`;
}
