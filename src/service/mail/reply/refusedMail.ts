import type { IncomingMail } from './incomingMail.ts';

/** Why a mail is not taken: what its sender is told, with a code of SMTP (RFC 5321) and its extension (RFC 3463). */
export class MailRefusal extends Error {
  override readonly name = 'MailRefusal';
  /** Read by the SMTP server. */
  readonly responseCode: number;

  constructor(code: number, extended: string, sentence: string) {
    super(`${extended} ${sentence}`);
    this.responseCode = code;
  }
}

/** Message-IDs of mails that this product sends begin so. */
export const OWN_MESSAGE = /^<story-\d+\.[0-9a-f-]{36}\.assigned@/;
/** PGP and S/MIME; a signature beside the text is no hindrance. */
const SEALED = /^(?:multipart\/encrypted|application\/(?:x-)?pkcs7-mime)\b/;
const AUTOMATIC_HEADERS = ['list-id', 'list-post', 'x-autoreply', 'x-autorespond', 'x-auto-reply-from'];

/** Throws for mails that no person wrote, so that two programs never answer each other for ever (RFC 3834). */
export function refuseAutomaticMail({ headers, contentType, messageId }: IncomingMail): void {
  const automatic =
    !isManual(headers.get('auto-submitted')) ||
    /^(?:bulk|list|junk|auto[_-]?reply)$/i.test(headers.get('precedence')?.trim() ?? '') ||
    AUTOMATIC_HEADERS.some((name) => headers.has(name)) ||
    headers.get('return-path')?.trim() === '<>' ||
    contentType.startsWith('multipart/report');
  if (automatic) throw new MailRefusal(550, '5.7.1', 'Only mails that a person wrote become comments.');
  if (OWN_MESSAGE.test(messageId))
    throw new MailRefusal(554, '5.4.6', 'This mail was sent from here: it goes round in a loop.');
}

/** Throws for mails of which only the recipient, with a key, could read what is written. */
export function refuseSealed({ contentType, text }: Pick<IncomingMail, 'contentType' | 'text'>): void {
  if (!SEALED.test(contentType) && !text.startsWith('-----BEGIN PGP MESSAGE-----')) return;
  throw new MailRefusal(554, '5.6.0', 'This mail is encrypted, or packed into its signature. Send it as it is.');
}

function isManual(value: string | undefined): boolean {
  return value === undefined || /^no\b/i.test(value.trim());
}

/** Throws unless the mail is from the one whom the reply address was given to. */
export function refuseStranger({ from }: Pick<IncomingMail, 'from'>, email: string): void {
  const [author, ...others] = from;
  if (author === email.trim().toLowerCase() && others.length === 0) return;
  throw new MailRefusal(550, '5.7.1', 'This address takes mails only from the one whom it was given to.');
}
