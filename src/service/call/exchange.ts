import type { IncomingMessage } from 'node:http';
import { challenge, unknownToken } from '../auth/projectAccess.ts';
import type { Reply } from '../http/reply.ts';
import type { RequestBody } from '../http/requestBody.ts';
import type { Stamp } from '../store/database.ts';
import { tokenHash } from '../store/people/tokens.ts';
import type { UserRow } from '../store/people/users.ts';
import type { Service } from './service.ts';

/** One request, guarded and routed, before it is known who asks. */
export interface Exchange {
  readonly service: Service;
  readonly request: IncomingMessage;
  /** The body of the request; tells a sender who waits for it to go on. */
  readonly body: () => RequestBody;
  readonly path: string;
  readonly query: URLSearchParams;
  /** Throws where no answer should be made: `CallerGone`, or `Refusal` 503 where too many of the caller's answers wait to be sent. */
  readonly requireReader: () => void;
  /** The numbers in the path, by the names of the endpoint table. */
  readonly params: Readonly<Record<string, number>>;
  /** How the caller addresses this service: scheme, host and base path. */
  readonly base: string;
  /** To be told whose the token is once it is known to be good. */
  readonly isOf: (userId: number) => void;
  /** The IP address that the request came from, before the proxies that are trusted. */
  readonly sender: string;
  /** Whether nobody on the way can read along. */
  readonly isPrivate: boolean;
  /** When the request came, in milliseconds since the epoch. */
  readonly now: number;
  /** Of the store when the request came; asked for once, since that costs more than all else that a read from memory does. */
  readonly stamp: Stamp;
}

/** A request of a known user. */
export interface Call extends Exchange {
  readonly user: UserRow;
  readonly tokenHash: string;
}

export type Handler = (exchange: Exchange) => Promise<Reply>;

/** A number of the path; that it is there is the endpoint table's promise. */
export function param({ params }: Pick<Exchange, 'params'>, name: string): number {
  const value = params[name];
  if (value === undefined) throw new Error(`The path of this endpoint has no ${name}.`);
  return value;
}

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
  const { service, stamp, now } = exchange;
  const user = await service.tokens.userOf(token, service.database, stamp, now);
  if (!user) throw token === '' ? challenge(`Sign in: send your API token ${place}.`) : unknownToken();
  exchange.isOf(user.id);
  return { ...exchange, user, tokenHash: tokenHash(token) };
}

function headerToken({ headers }: IncomingMessage): string {
  for (const name of TOKEN_HEADERS) {
    const value = headers[name];
    if (typeof value === 'string' && value !== '') return value;
  }
  return '';
}
