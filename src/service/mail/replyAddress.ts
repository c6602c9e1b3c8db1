import { createHmac, timingSafeEqual } from 'node:crypto';

/** Lower case, since mail systems may change the case of addresses. */
const DIGITS = '0123456789abcdefghijklmnopqrstuv';
const PROOF_BYTES = 20;
const SIGNED = /^([1-9]\d{0,9})-([1-9]\d{0,9})-([0-9a-v]{32})$/;

/** Two ids with a proof, of 160 bits, that they were given out for this purpose: `12-3-…`, at most 54 characters. */
export function signedIds(purpose: string, one: number, other: number, key: string): string {
  return `${one}-${other}-${proof(purpose, one, other, key)}`;
}

/** The ids, in any case; undefined when they were not given out for this purpose under this key. */
export function readSignedIds(purpose: string, text: string, key: string): readonly [number, number] | undefined {
  const [, one, other, given = ''] = SIGNED.exec(text.toLowerCase()) ?? [];
  const ids = [Number(one), Number(other)] as const;
  const expected = Buffer.from(proof(purpose, ...ids, key));
  const shown = Buffer.from(given);
  return expected.length === shown.length && timingSafeEqual(expected, shown) ? ids : undefined;
}

function proof(purpose: string, one: number, other: number, key: string): string {
  const mac = createHmac('sha256', key).update(`${purpose}/${one}/${other}`).digest();
  return base32(mac.subarray(0, PROOF_BYTES));
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

/** Whose reply to which story an address stands for. */
interface ReplyPlace {
  readonly storyId: number;
  readonly userId: number;
}

const PREFIX = 'story-';

/** The part before the `@` of an address that nobody can guess who was not given it; at most 64 characters (RFC 5321). */
export function replyLocalPart({ storyId, userId }: ReplyPlace, key: string): string {
  return PREFIX + signedIds('reply', storyId, userId, key);
}

/** Whose reply a local part stands for, or undefined when it is none that was given out under this key. */
export function readReplyLocalPart(localPart: string, key: string): ReplyPlace | undefined {
  if (!localPart.toLowerCase().startsWith(PREFIX)) return undefined;
  const ids = readSignedIds('reply', localPart.slice(PREFIX.length), key);
  return ids && { storyId: ids[0], userId: ids[1] };
}
