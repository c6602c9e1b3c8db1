import { createHmac, timingSafeEqual } from 'node:crypto';

/** Whose reply to which story an address stands for. */
export interface ReplyPlace {
  readonly storyId: number;
  readonly userId: number;
}

/** Of 160 bits; lower case, since mail systems may change the case of what is before the `@`. */
const LOCAL_PART = /^story-([1-9]\d{0,9})-([1-9]\d{0,9})-([0-9a-v]{32})$/i;
const DIGITS = '0123456789abcdefghijklmnopqrstuv';
const PROOF_BYTES = 20;

/** The part before the `@` of an address that nobody can guess who was not given it; at most 64 characters (RFC 5321). */
export function replyLocalPart(place: ReplyPlace, key: string): string {
  return `story-${place.storyId}-${place.userId}-${base32(proof(place, key))}`;
}

/** Whose reply a local part stands for, or undefined when it is none that was given out under this key. */
export function readReplyLocalPart(localPart: string, key: string): ReplyPlace | undefined {
  const [, storyId, userId, given = ''] = LOCAL_PART.exec(localPart) ?? [];
  const place = { storyId: Number(storyId), userId: Number(userId) };
  const expected = Buffer.from(base32(proof(place, key)));
  const shown = Buffer.from(given.toLowerCase());
  return expected.length === shown.length && timingSafeEqual(expected, shown) ? place : undefined;
}

function proof({ storyId, userId }: ReplyPlace, key: string): Buffer {
  return createHmac('sha256', key).update(`reply/${storyId}/${userId}`).digest().subarray(0, PROOF_BYTES);
}

/** Eight digits for every five bytes. */
function base32(bytes: Buffer): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 5) {
    const group = bytes.readUIntBE(at, 5);
    for (let digit = 7; digit >= 0; digit--) text += DIGITS.charAt(Math.floor(group / 32 ** digit) % 32);
  }
  return text;
}
