import { type HtmlToken, htmlTokens } from './htmlTokens.ts';
import { beginsQuotedMail, isQuoteElement } from './quoteElements.ts';

import { TextWriter } from './textWriter.ts';

const VOID = new Set(['br', 'hr', 'img', 'input', 'meta', 'link', 'col', 'wbr', 'area', 'base', 'embed', 'source']);
export interface HtmlText {
  /** With `[image]` where one was that belongs to the mail. */
  readonly text: string;
  /** Content-IDs of those images, without angle brackets. */
  readonly images: readonly string[];
}

/** What a person wrote in HTML, as text: without what their program marks as quoted or as a signature. */
export function htmlText(html: string): HtmlText {
  const writer = new TextWriter();
  let skipped: { readonly name: string; depth: number } | undefined;
  for (const token of htmlTokens(html)) {
    if (skipped) {
      skipped.depth += depthChange(token, skipped.name);
      if (skipped.depth === 0) skipped = undefined;
    } else if (token.kind === 'open' && beginsQuotedMail(token.name, token.attributes)) {
      break;
    } else if (token.kind === 'open' && token.name === 'head') {
      skipped = { name: 'head', depth: 1 };
    } else if (token.kind === 'open' && isQuoteElement(token.name, token.attributes)) {
      writer.breakLine();
      if (!VOID.has(token.name)) skipped = { name: token.name, depth: 1 };
    } else {
      writer.take(token);
    }
  }
  return { text: writer.text(), images: writer.images };
}

function depthChange(token: HtmlToken, name: string): number {
  if (token.kind === 'text' || token.name !== name) return 0;
  return token.kind === 'open' ? 1 : -1;
}
