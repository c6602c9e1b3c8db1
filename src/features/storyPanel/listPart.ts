import { escaped } from './html.ts';
import type { ListName, Windowed } from './listWindow.ts';
import type { PanelTexts } from './panelTexts.ts';

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
