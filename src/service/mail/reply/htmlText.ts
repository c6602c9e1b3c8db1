import { type HtmlToken, htmlTokens } from './htmlTokens.ts';
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

/** By class, what mail programs put around what they quote, its introduction and signatures. */
const QUOTE_CLASSES = new Set([
  ...['gmail_quote', 'gmail_quote_container', 'gmail_attr', 'gmail_signature', 'gmail_signature_prefix'],
  ...['moz-cite-prefix', 'moz-signature', 'yahoo_quoted', 'protonmail_quote', 'protonmail_signature_block'],
  ...['tutanota_quote', 'ms-outlook-mobile-signature', 'zmail_extra', 'iphone_signature'],
]);
const SIGNATURE_IDS = new Set(['applemailsignature', 'signature', 'ms-outlook-mobile-signature', 'mail-signature']);
/** All that follows one of these is what was answered. */
const LAST_IDS = new Set(['appendonsend', 'divrplyfwdmsg', 'mail-editor-reference-message-container', 'replysplit']);
/** The line above the quoted head in Outlook on the desktop. */
const OUTLOOK_LINE = /border:\s*none;\s*border-top:\s*solid #(?:e1e1e1|b5c4df) 1\.0pt/i;

type Attributes = ReadonlyMap<string, string>;

/** Whether an element is quoted text or a signature by the marks that mail programs give those, or is not shown. */
function isQuoteElement(name: string, attributes: Attributes): boolean {
  if (name === 'blockquote' && attributes.get('type')?.toLowerCase() === 'cite') return true;
  if (SIGNATURE_IDS.has(attributes.get('id')?.toLowerCase() ?? '')) return true;
  if (/display:\s*none/i.test(attributes.get('style') ?? '')) return true;
  return (attributes.get('class') ?? '').split(/\s+/).some((one) => QUOTE_CLASSES.has(one.toLowerCase()));
}

/** Whether an element begins the quoted mail, which then goes on to the end. */
function beginsQuotedMail(name: string, attributes: Attributes): boolean {
  if (LAST_IDS.has(attributes.get('id')?.toLowerCase() ?? '')) return true;
  return name === 'div' && OUTLOOK_LINE.test(attributes.get('style') ?? '');
}
