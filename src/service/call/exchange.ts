import type { IncomingMessage } from 'node:http';
import type { SignInAsker } from '../auth/passwordSignIn.ts';
import { challenge, unknownToken } from '../auth/projectAccess.ts';
import { forbidden } from '../ground/errors.ts';
import type { Reply } from '../http/reply.ts';
import type { RequestBody } from '../http/requestBody.ts';
import { bearerToken, headerToken } from '../http/requestHeads.ts';
import type { Stamp } from '../store/database.ts';
import { tokenHash } from '../store/people/tokens.ts';
import type { UserRow } from '../store/people/users.ts';
import type { TokenScope } from '../store/schema.ts';
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
  /** What a token must allow for this request to be done. */
  readonly needs: TokenScope;
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
  /** What the token allows. */
  readonly scope: TokenScope;
}

export type Handler = (exchange: Exchange) => Promise<Reply>;

/** A number of the path; that it is there is the endpoint table's promise. */
export function param({ params }: Pick<Exchange, 'params'>, name: string): number {
  const value = params[name];
  if (value === undefined) throw new Error(`The path of this endpoint has no ${name}.`);
  return value;
}

/** Who sends a password with a request. */
export function askerOf({ service, sender, request, now }: Exchange): SignInAsker {
  const { database, attempts } = service;
  return { database, attempts, sender, isGone: () => request.socket.destroyed, now };
}

/** A handler that is given the user of the token in the header, and answers 401 without one. */
export function signedIn(handle: (call: Call) => Promise<Reply>): Handler {
  return async (exchange) =>
    handle(await callOf(exchange, headerToken(exchange.request.headers), 'in the header X-ServiceToken'));
}

/** The same for agents, which send a token as OAuth does, too. */
export function signedInAsAgent(handle: (call: Call) => Promise<Reply>): Handler {
  return async (exchange) => {
    const { headers } = exchange.request;
    const place = 'in the header X-ServiceToken, or as Authorization: Bearer';
    return handle(await callOf(exchange, headerToken(headers) || bearerToken(headers), place));
  };
}

/** The same for endpoint 7, whose token is in the query. */
export function signedInByQuery(handle: (call: Call) => Promise<Reply>): Handler {
  return async (exchange) =>
    handle(await callOf(exchange, exchange.query.get('token') ?? '', 'in the query, as token='));
}

async function callOf(exchange: Exchange, token: string, place: string): Promise<Call> {
  const { service, stamp, now, needs } = exchange;
  const owner = await service.tokens.ownerOf(token, service.database, stamp, now);
  if (!owner) throw token === '' ? challenge(`Sign in: send your API token ${place}.`) : unknownToken();
  const { user, scope } = owner;
  exchange.isOf(user.id);
  requireScope(scope, needs);
  return { ...exchange, user, tokenHash: tokenHash(token), scope };
}

/** Throws `Refusal` 403 where a token does not allow what a request needs. */
export function requireScope(scope: TokenScope, needs: TokenScope): void {
  if (needs !== 'read' && scope !== 'write') throw forbidden(READ_ONLY);
}

/** In any request that would change something. */
const READ_ONLY =
  'This API token is read-only. To make changes, use a token that was created without "Read only" or --read-only.';
