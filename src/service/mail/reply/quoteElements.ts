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
export function isQuoteElement(name: string, attributes: Attributes): boolean {
  if (name === 'blockquote' && attributes.get('type')?.toLowerCase() === 'cite') return true;
  if (SIGNATURE_IDS.has(attributes.get('id')?.toLowerCase() ?? '')) return true;
  if (/display:\s*none/i.test(attributes.get('style') ?? '')) return true;
  return (attributes.get('class') ?? '').split(/\s+/).some((one) => QUOTE_CLASSES.has(one.toLowerCase()));
}

/** Whether an element begins the quoted mail, which then goes on to the end. */
export function beginsQuotedMail(name: string, attributes: Attributes): boolean {
  if (LAST_IDS.has(attributes.get('id')?.toLowerCase() ?? '')) return true;
  return name === 'div' && OUTLOOK_LINE.test(attributes.get('style') ?? '');
}
