import type { IncomingHttpHeaders } from 'node:http';
import { ANSWER_CACHE_CONTROL } from '../../v3/assumptions.ts';
import type { Answer } from '../cache/answer.ts';
import { hasAlready, wantsGzip } from './preconditions.ts';
import { type Reply, xmlReply } from './reply.ts';

/** Bytes up to which compressing is not worth it. */
const SHORT = 1024;

/** An answer as this caller wants it: not at all if they have it, compressed if they asked for that. */
export async function answerReply(answer: Answer, wishes: IncomingHttpHeaders): Promise<Reply> {
  const isGzip = answer.body.length > SHORT && wantsGzip(wishes);
  const entityTag = `"${answer.hash}${isGzip ? '-gzip' : ''}"`;
  const headers = { ETag: entityTag, 'Cache-Control': ANSWER_CACHE_CONTROL, Vary: 'Accept-Encoding' };
  if (hasAlready(wishes, entityTag)) return { status: 304, headers, body: '' };
  if (!isGzip) return xmlReply(answer.body, 200, headers);
  return xmlReply(await answer.gzipped(), 200, { ...headers, 'Content-Encoding': 'gzip' });
}
