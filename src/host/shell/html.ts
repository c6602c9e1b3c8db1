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

/** The label as a link, or as mere text where the address may not be opened. */
export function linkTo(address: string | undefined, label: string): string {
  const link = address === undefined ? undefined : safeLink(address);
  return link === undefined
    ? escaped(label)
    : `<a href="${escaped(link)}" title="${escaped(link)}">${escaped(label)}</a>`;
}

const SCHEMES = ['http:', 'https:', 'mailto:'];

/** The address as one that may be opened: of the web or a mail address, whole and not relative; else `undefined`. */
export function safeLink(address: string): string | undefined {
  if (address.length > 4000 || !URL.canParse(address)) return undefined;
  const { protocol, href } = new URL(address);
  return SCHEMES.includes(protocol) ? href : undefined;
}

/** The punctuation of ASCII, of which markup and bare addresses are made. CommonMark lets a backslash take the meaning of each. */
const PUNCTUATION = /[!-/:-@[-`{-~]/g;

/**
 * Text that is data as Markdown that shows it as it is. Lines break between its words, as VS Code's own `appendText` does not let
 * them. A bare address is none in it: Markdown would take all up to the next space for one, marks of our own included.
 */
export function plainMarkdown(text: string): string {
  const escaped = text.replaceAll(PUNCTUATION, '\\$&');
  return escaped.replaceAll(/[ \t]+/g, ' ').replaceAll(/\r\n?|\n/g, '\n\n');
}
