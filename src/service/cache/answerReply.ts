import type { IncomingHttpHeaders } from 'node:http';
import { ANSWER_CACHE_CONTROL } from '../../v3/assumptions.ts';
import { type FileBody, type Reply, xmlReply } from '../http/reply.ts';
import type { Answer } from './answer.ts';

/** Bytes up to which compressing is not worth it. */
const SHORT = 1024;

/** Whether an answer is at hand as this caller wants it; else it is to be compressed, for which it is held for a while. */
export function isReady(answer: Answer | undefined, wishes: IncomingHttpHeaders): boolean {
  return answer === undefined || answer.isCompressed || answer.body.length <= SHORT || !wantsGzip(wishes);
}

/** An answer as this caller wants it: not at all if they have it, compressed if they asked for that. */
export async function answerReply(answer: Answer, wishes: IncomingHttpHeaders): Promise<Reply> {
  const isGzip = answer.body.length > SHORT && wantsGzip(wishes);
  return tagged(answer.hash, isGzip, wishes, async () => (isGzip ? answer.gzipped() : answer.body));
}

/** The same for one of which the body is made only for who does not have it. */
export function longAnswerReply(
  tag: string,
  wishes: IncomingHttpHeaders,
  body: (isGzip: boolean) => Promise<FileBody>,
): Promise<Reply> {
  const isGzip = wantsGzip(wishes);
  return tagged(tag, isGzip, wishes, () => body(isGzip));
}

async function tagged(
  tag: string,
  isGzip: boolean,
  wishes: IncomingHttpHeaders,
  body: () => Promise<Reply['body']>,
): Promise<Reply> {
  const entityTag = `"${tag}${isGzip ? '-gzip' : ''}"`;
  const headers = { ETag: entityTag, 'Cache-Control': ANSWER_CACHE_CONTROL, Vary: 'Accept-Encoding' };
  if (hasAlready(wishes, entityTag)) return { status: 304, headers, body: '' };
  return xmlReply(await body(), 200, isGzip ? { ...headers, 'Content-Encoding': 'gzip' } : headers);
}

/** Whether the caller says to have this very representation already (If-None-Match). */
function hasAlready(headers: IncomingHttpHeaders, entityTag: string): boolean {
  const named = headers['if-none-match'];
  if (named === undefined) return false;
  if (named.trim() === '*') return true;
  return named.split(',').some((tag) => tag.trim().replace(/^W\//, '') === entityTag);
}

/** Whether the caller asks for gzip, and does not like the plain bytes better (Accept-Encoding). */
function wantsGzip(headers: IncomingHttpHeaders): boolean {
  const wishes = new Map<string, number>();
  for (const wish of String(headers['accept-encoding'] ?? '').split(',')) {
    const [coding = '', ...parameters] = wish.split(';').map((part) => part.trim().toLowerCase());
    wishes.set(coding, quality(parameters));
  }
  const gzip = wishes.get('gzip') ?? wishes.get('x-gzip') ?? 0;
  return gzip > 0 && gzip >= (wishes.get('identity') ?? 0);
}

function quality(parameters: readonly string[]): number {
  const given = parameters.find((parameter) => parameter.startsWith('q='));
  const value = given === undefined ? 1 : Number(given.slice('q='.length));
  return value >= 0 && value <= 1 ? value : 0;
}
