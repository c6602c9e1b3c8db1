import type { IncomingMessage } from 'node:http';
import { isLoopback } from './hostNames.ts';

/** Whether nobody on the way can read along: over TLS, or from this machine, where a proxy that speaks TLS may stand. */
export function isPrivateLine({ socket }: Pick<IncomingMessage, 'socket'>): boolean {
  return 'encrypted' in socket || isLoopback((socket.remoteAddress ?? '').replace(/^::ffff:/, ''));
}
