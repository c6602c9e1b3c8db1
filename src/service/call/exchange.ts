import type { IncomingMessage } from 'node:http';
import type { Reply } from '../http/reply.ts';
import type { RequestBody } from '../http/requestBody.ts';
import type { Stamp } from '../store/database.ts';
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
  /** The IP address that the request came from, before the proxies that are trusted. */
  readonly sender: string;
  /** Whether nobody on the way can read along (`isPrivateLine`). */
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
