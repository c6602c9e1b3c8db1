import type { IncomingMessage } from 'node:http';
import { challenge, unknownToken } from '../auth/tokenAccess.ts';
import type { Reply } from '../http/reply.ts';
import { tokenHash } from '../store/people/token.ts';
import type { Call, Exchange, Handler } from './exchange.ts';

/** The documented header, and the one that existing clients send (protocol.md, Names). */
const TOKEN_HEADERS = ['x-servicetoken', 'x-trackertoken'];

/** A handler that is given the user of the token in the header, and answers 401 without one. */
export function signedIn(handle: (call: Call) => Promise<Reply>): Handler {
  return async (exchange) =>
    handle(await callOf(exchange, headerToken(exchange.request), 'in the header X-ServiceToken'));
}

/** The same for endpoint 7, whose token is in the query. */
export function signedInByQuery(handle: (call: Call) => Promise<Reply>): Handler {
  return async (exchange) =>
    handle(await callOf(exchange, exchange.query.get('token') ?? '', 'in the query, as token='));
}

async function callOf(exchange: Exchange, token: string, place: string): Promise<Call> {
  const user = await exchange.service.tokens.userOf(token, exchange.stamp, exchange.now);
  if (!user) throw token === '' ? challenge(`Sign in: send your API token ${place}.`) : unknownToken();
  return { ...exchange, user, tokenHash: tokenHash(token) };
}

function headerToken({ headers }: IncomingMessage): string {
  for (const name of TOKEN_HEADERS) {
    const value = headers[name];
    if (typeof value === 'string' && value !== '') return value;
  }
  return '';
}
