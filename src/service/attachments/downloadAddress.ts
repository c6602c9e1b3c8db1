import { createHmac, timingSafeEqual } from 'node:crypto';
import { DOWNLOAD_MINUTES } from '../../v3/assumptions.ts';
import { CLOCK_SKEW } from '../ground/moments.ts';

/** Milliseconds. */
const GOOD_FOR = DOWNLOAD_MINUTES * 60_000;
const PATH = /^\/download\/(\d{1,15})$/;

/** Path and query of a temporary address of an attachment. */
export function downloadAddress(attachmentId: number, key: string, now: number): string {
  const expires = now + GOOD_FOR;
  return `/download/${attachmentId}?expires=${expires}&signature=${signature(attachmentId, expires, key)}`;
}

/** The attachment id in a download path, or undefined when it is no such path. */
export function downloadId(path: string): number | undefined {
  const id = PATH.exec(path)?.[1];
  return id === undefined ? undefined : Number(id);
}

/** One that is good for longer than any is of a clock that was ahead. */
export function isDownloadAllowed(attachmentId: number, query: URLSearchParams, key: string, now: number): boolean {
  const expires = Number(query.get('expires') ?? Number.NaN);
  const given = Buffer.from(query.get('signature') ?? '');
  const expected = Buffer.from(signature(attachmentId, expires, key));
  const isOfNow = expires > now && expires <= now + GOOD_FOR + CLOCK_SKEW;
  return isOfNow && given.length === expected.length && timingSafeEqual(given, expected);
}

function signature(attachmentId: number, expires: number, key: string): string {
  return createHmac('sha256', key).update(`${attachmentId}/${expires}`).digest('base64url');
}

/** Characters; older names may be longer than a header can be. The end is kept, since it says what kind of file it is. */
const LONGEST = 255;

/** The header that gives a download its name: an ASCII stand-in, and the exact name (RFC 6266, RFC 5987). */
export function contentDisposition(name: string): string {
  const filename = name.slice(-LONGEST);
  const plain = filename.replace(/[^\x20-\x7e]|["\\%/]/gu, '_');
  const exact = encodeURIComponent(filename.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${exact}`;
}
