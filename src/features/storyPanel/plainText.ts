import { escaped } from './escaped.ts';

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
