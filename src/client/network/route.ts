import type { buildConnector } from 'undici';
import type { Network } from '../../core/ports/connection.ts';
import { bareHost } from './baseUrl.ts';
import { type Connect, connectStraight, trustOf } from './connect.ts';
import { type HttpProxy, proxyFor } from './httpProxy.ts';
import { openTunnel } from './tunnel.ts';

/** The way from here to one server. Certificates are verified on all of it, always. */
export interface Route {
  readonly proxy: HttpProxy | undefined;
  /** To exactly what is named, be it the server or the proxy. */
  readonly straight: Connect;
  /** To the server, through a tunnel where a proxy is in between and the server has TLS. */
  readonly connect: Connect;
}

/** `timeout` is in milliseconds, for each connection. Throws `TrackerError` `input` when the proxy's address cannot be used. */
export function routeTo(server: URL, network: Network, timeout: number): Route {
  const proxy = proxyFor(server, network);
  const straight = connectStraight(trustOf(network), timeout);
  if (!proxy || server.protocol === 'http:') return { proxy, straight, connect: straight };
  const connect: Connect = async (target) => {
    const httpSocket = await openTunnel(proxy, authorityOf(target), straight, timeout);
    return straight({ ...target, httpSocket });
  };
  return { proxy, straight, connect };
}

function authorityOf({ hostname, port, protocol }: buildConnector.Options): string {
  const host = hostname.includes(':') ? `[${bareHost(hostname)}]` : hostname;
  return `${host}:${port || (protocol === 'https:' ? '443' : '80')}`;
}
