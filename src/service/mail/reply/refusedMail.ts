import { requireRole } from '../../auth/projectAccess.ts';
import { Refusal } from '../../ground/errors.ts';
import { type UserRow, userById } from '../../store/people/users.ts';
import { projectById } from '../../store/projects/projects.ts';
import { placesOfStories } from '../../store/stories/storyRows.ts';
import type { MailContext } from '../mailContext.ts';
import { readReplyLocalPart } from '../replyAddress.ts';
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
const OWN_MESSAGE = /^<story-\d+\.[0-9a-f-]{36}\.assigned@/;
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
  if (automatic) throw new MailRefusal(550, '5.7.1', 'Only emails written by a person become comments.');
  if (OWN_MESSAGE.test(messageId))
    throw new MailRefusal(554, '5.4.6', 'This email was sent by this service and would loop.');
}

/** Throws for mails of which only the recipient, with a key, could read what is written. */
export function refuseSealed({ contentType, text }: Pick<IncomingMail, 'contentType' | 'text'>): void {
  if (!SEALED.test(contentType) && !text.startsWith('-----BEGIN PGP MESSAGE-----')) return;
  throw new MailRefusal(554, '5.6.0', 'This email is encrypted, or wrapped in its signature. Send it as plain email.');
}

function isManual(value: string | undefined): boolean {
  return value === undefined || /^no\b/i.test(value.trim());
}

/** Throws unless the mail is from the one whom the reply address was given to. */
export function refuseStranger({ from }: Pick<IncomingMail, 'from'>, email: string): void {
  const [author, ...others] = from;
  if (author === email.trim().toLowerCase() && others.length === 0) return;
  throw new MailRefusal(550, '5.7.1', 'This address only accepts emails from the person it was given to.');
}

/** Who comments on which story by writing to an address. */
export interface ReplyRecipient {
  readonly user: UserRow;
  readonly storyId: number;
  readonly projectId: number;
}

/** Throws `MailRefusal` for an address that was not given out, or that is of no use any more. */
export async function replyRecipient(room: MailContext, address: string): Promise<ReplyRecipient> {
  const at = address.lastIndexOf('@');
  const isOurs = address.slice(at + 1).toLowerCase() === room.settings.replyDomain?.toLowerCase();
  const place = isOurs ? readReplyLocalPart(address.slice(0, at), room.key) : undefined;
  if (!place) throw new MailRefusal(550, '5.1.1', 'This address does not exist.');
  const { storyId, userId } = place;
  return room.database.read(async (tx) => {
    const user = await userById(tx, userId);
    const [story] = await placesOfStories(tx, [storyId]);
    if (!user || !story || !(await projectById(tx, story.projectId))) {
      throw new MailRefusal(550, '5.1.6', 'The story of this address was deleted.');
    }
    await requireRole(tx, story.projectId, user, 'Member').catch(asMailRefusal);
    return { user, storyId, projectId: story.projectId };
  });
}

/** What the service refuses its users, as mail systems are told. */
export function asMailRefusal(error: unknown): never {
  if (!(error instanceof Refusal)) throw error;
  if (error.status === 413) throw new MailRefusal(552, '5.3.4', error.message);
  throw new MailRefusal(550, '5.7.1', error.message);
}
