import type { IncomingHttpHeaders } from 'node:http';

/** Whether the caller says to have this very representation already (If-None-Match). */
export function hasAlready(headers: IncomingHttpHeaders, entityTag: string): boolean {
  const named = headers['if-none-match'];
  if (named === undefined) return false;
  if (named.trim() === '*') return true;
  return named.split(',').some((tag) => tag.trim().replace(/^W\//, '') === entityTag);
}

/** Whether the caller asks for gzip, and does not like the plain bytes better (Accept-Encoding). */
export function wantsGzip(headers: IncomingHttpHeaders): boolean {
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
