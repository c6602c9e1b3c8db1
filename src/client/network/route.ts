import { request } from 'node:http';
import type { Socket } from 'node:net';
import type { buildConnector } from 'undici';
import type { Network } from '../../core/ports/connection.ts';
import { bareHost } from './baseUrl.ts';
import { type Connect, connectStraight, trustOf } from './connect.ts';
import { type HttpProxy, proxyFor, proxyRefusal, unreachableProxy } from './httpProxy.ts';

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

/**
 * A connection through a proxy to `authority`, host and port, made within `timeout` milliseconds or not at all. Rejects with a
 * `TrackerError` that names the proxy, and has the status with which the proxy refused where it did.
 */
export async function openTunnel(
  proxy: HttpProxy,
  authority: string,
  connect: Connect,
  timeout: number,
): Promise<Socket> {
  const socket = await connectToProxy(proxy, connect);
  try {
    const status = await askForTunnel(proxy, authority, socket, timeout);
    if (status < 200 || status > 299) throw proxyRefusal(proxy, status);
    return socket;
  } catch (error) {
    socket.on('error', () => undefined).destroy();
    throw error;
  }
}

async function connectToProxy(proxy: HttpProxy, connect: Connect): Promise<Socket> {
  const { hostname, host, protocol, port } = proxy.url;
  return connect({ hostname: bareHost(hostname), host, protocol, port }).catch((error: unknown) => {
    throw unreachableProxy(proxy, error);
  });
}

function askForTunnel(proxy: HttpProxy, authority: string, socket: Socket, timeout: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { host: authority, ...authorizationOf(proxy) };
    const asking = request({ method: 'CONNECT', path: authority, headers, createConnection: () => socket });
    const timer = setTimeout(() => asking.destroy(silence()), timeout);
    const settled = (): void => clearTimeout(timer);
    asking.once('connect', ({ statusCode = 0 }, _, early) => {
      settled();
      if (early.length > 0) socket.unshift(early);
      resolve(statusCode);
    });
    asking.once('error', (error) => {
      settled();
      reject(unreachableProxy(proxy, error));
    });
    asking.end();
  });
}

/** The header that lets one through; none when the proxy needs none. */
export function authorizationOf({ authorization }: HttpProxy): { readonly 'proxy-authorization'?: string } {
  return authorization === undefined ? {} : { 'proxy-authorization': authorization };
}

function silence(): Error {
  return Object.assign(new Error('no answer to CONNECT'), { code: 'ETIMEDOUT' });
}
