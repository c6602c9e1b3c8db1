import type { ZonedDate } from '../../core/calendar.ts';

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

/** A server's text as it stands in a line: its beginning, where it is longer than anyone reads. */
export function lineOf(text: string): string {
  if (text.length <= LONGEST_LINE) return text;
  return `${text.slice(0, LONGEST_LINE).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** Text of a server inside a line of ours: it is isolated, so that its direction turns nothing around it. */
export function isolated(text: string | number): string {
  return `<bdi>${escaped(lineOf(String(text)))}</bdi>`;
}

/**
 * A moment, with the server's text as its tooltip. The page puts it into the person's language and zone, which an extension
 * on another machine does not know; one of an unknown zone stays as the server wrote it (zonedDate.ts).
 */
export function shownTime({ text, time }: ZonedDate): string {
  const isKnown = time !== undefined && !Number.isNaN(new Date(time).getTime());
  if (!isKnown) return isolated(text);
  return `<time datetime="${new Date(time).toISOString()}" title="${escaped(lineOf(text))}">${isolated(text)}</time>`;
}

const ADDRESS = /\bhttps?:\/\/[^\s<>"'[\]]+[^\s<>"'[\].,;:!?)]/gi;

/** Plain text as HTML: its line breaks kept, its web addresses as links. */
export function plainText(text: string): string {
  let html = '';
  let from = 0;
  for (const { 0: address, index } of text.matchAll(ADDRESS)) {
    html += escaped(text.slice(from, index)) + linkTo(address, address);
    from = index + address.length;
  }
  return `<div class="plain" dir="auto">${html}${escaped(text.slice(from))}</div>`;
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
