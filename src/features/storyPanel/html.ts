import type { ZonedDate } from '../../core/calendar.ts';
import { escaped, linkTo, safeLink } from '../../host/shell/html.ts';
import type { ListName, Windowed } from './listWindow.ts';
import type { PanelTexts } from './panelTexts.ts';

export { escaped, linkTo, safeLink };

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

/** A list with what leads to the items that are not shown; `onServer` of them are not known here. */
export function listPart(
  name: ListName,
  className: string,
  { older, newer }: Windowed<unknown>,
  rows: readonly string[],
  texts: PanelTexts,
  onServer = 0,
): string {
  const button = (does: 'older' | 'newest', text: string) =>
    `<button type="button" class="link" data-do="${does}" data-list="${name}" data-key="${does}-${name}">${escaped(text)}</button>`;
  const before = older > 0 ? `<div class="row">${button('older', texts.showOlder[name](older))}</div>` : '';
  const rest = older === 0 && onServer > 0 ? `<p class="quiet">${escaped(texts.onServer(onServer))}</p>` : '';
  const after = newer > 0 ? `<div class="row">${button('newest', texts.showNewest[name])}</div>` : '';
  const isPart = older + newer > 0;
  const focusable = isPart ? ` tabindex="-1" data-key="list-${name}"` : '';
  const list = rows.length === 0 ? '' : `<ul class="${className}"${focusable}>${rows.join('')}</ul>`;
  return `${rest}${before}${list}${after}`;
}
