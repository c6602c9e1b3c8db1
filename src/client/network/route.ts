import type { buildConnector } from 'undici';
import type { Network } from '../../core/ports/connection.ts';
import { bareHost } from './baseUrl.ts';
import { certificateFor } from './clientCertificate.ts';
import { type Connect, connectStraight, trustOf } from './connect.ts';
import { connectToProxy, isSocks, type ProxyServer, proxiesFor } from './proxyServer.ts';
import { type Negotiate, openSocksTunnel, openTunnel } from './tunnel.ts';

/** The way from here to one server. Certificates are verified on all of it, always. */
export interface Route {
  readonly proxy: ProxyServer | undefined;
  /** To exactly what is named, without a client certificate: to the proxy. */
  readonly straight: Connect;
  /** To the server, through a tunnel where a proxy is in between, unless that forwards requests. */
  readonly connect: Connect;
}

/**
 * The ways to a server, in the order in which they are to be tried; never empty. `timeout` is in milliseconds, for each
 * connection. Throws `TrackerError` `input` when the proxy's address cannot be used.
 */
export function routesTo(server: URL, network: Network, timeout: number, negotiate?: Negotiate): readonly Route[] {
  const straight = connectStraight(trustOf(network), timeout);
  const certificate = certificateFor(server, network);
  const toServer = certificate ? connectStraight(trustOf(network, certificate), timeout) : straight;
  return proxiesFor(server, network).map((proxy) => {
    if (!proxy || isForwarding(proxy, server)) return { proxy, straight, connect: toServer };
    const connect: Connect = async (target) => {
      const httpSocket = await tunnelTo(authorityOf(target), { proxy, straight }, timeout, negotiate);
      return target.protocol === 'https:' ? toServer({ ...target, httpSocket }) : httpSocket;
    };
    return { proxy, straight, connect };
  });
}

/** What has no TLS goes to a proxy that speaks HTTP as it is. */
export function isForwarding(proxy: ProxyServer, server: URL): boolean {
  return server.protocol === 'http:' && !isSocks(proxy);
}

/** A connection through a proxy to `authority`, host and port; as `openTunnel` and `openSocksTunnel`. */
export function tunnelTo(
  authority: string,
  { proxy, straight }: { readonly proxy: ProxyServer; readonly straight: Connect },
  timeout: number,
  negotiate?: Negotiate,
) {
  return isSocks(proxy)
    ? openSocksTunnel(proxy, authority, straight, timeout)
    : openTunnel(proxy, authority, straight, timeout, negotiate);
}

/**
 * The first way on which something answers; the last when nothing does, which tells why. A connection is made only where
 * there is a choice.
 */
export async function firstReachable(routes: readonly Route[]): Promise<Route> {
  for (const route of routes.slice(0, -1)) if (await isReachable(route)) return route;
  const last = routes.at(-1);
  if (!last) throw new Error('There is no way.');
  return last;
}

async function isReachable({ proxy, straight }: Route): Promise<boolean> {
  if (!proxy) return true;
  try {
    (await connectToProxy(proxy, straight)).destroy();
    return true;
  } catch {
    return false;
  }
}

function authorityOf({ hostname, port, protocol }: buildConnector.Options): string {
  const host = hostname.includes(':') ? `[${bareHost(hostname)}]` : hostname;
  return `${host}:${port || (protocol === 'https:' ? '443' : '80')}`;
}
