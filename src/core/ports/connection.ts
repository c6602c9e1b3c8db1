import type { Network } from './network.ts';

/** Where one account's server is and how it wants to be spoken to. Without its token: that is asked for per request. */
export interface Connection {
  readonly accountId: string;
  /** Origin and sub-path, without `/services/v3`. */
  readonly baseUrl: string;
  /** Header that carries the token; `X-ServiceToken` unless a setting says otherwise (protocol.md, Names). */
  readonly tokenHeader: string;
  readonly network: Network;
}
