import { request } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { SocksClient } from 'socks';
import { TrackerError } from '../../core/errors.ts';
import { t } from '../../core/translation.ts';
import { bareHost } from './baseUrl.ts';
import type { Connect } from './connect.ts';
import {
  connectToProxy,
  nameOf,
  type ProxyServer,
  proxyRefusal,
  refusedLogin,
  unreachableProxy,
} from './proxyServer.ts';

/**
 * What goes into `Proxy-Authorization` for a proxy that is content with who is signed in to this machine; `undefined` where that
 * cannot be told.
 */
export type Negotiate = (proxyHost: string) => Promise<string | undefined>;

/**
 * A connection through a proxy to `authority`, host and port, made within `timeout` milliseconds or not at all. Rejects with a
 * `TrackerError` that names the proxy, and has the status with which the proxy refused where it did.
 */
export async function openTunnel(
  proxy: ProxyServer,
  authority: string,
  connect: Connect,
  timeout: number,
  negotiate?: Negotiate,
): Promise<Socket> {
  const socket = await connectToProxy(proxy, connect);
  try {
    const { status, schemes } = await askForTunnel(proxy, authority, socket, timeout);
    if (status >= 200 && status <= 299) return socket;
    const isNegotiating = status === 407 && proxy.authorization === undefined && isNegotiate(schemes);
    const authorization = isNegotiating ? await inTime(negotiate?.(proxy.url.hostname), timeout) : undefined;
    if (authorization === undefined) throw proxyRefusal(proxy, status, schemes);
    socket.destroy();
    return await openTunnel({ ...proxy, authorization }, authority, connect, timeout);
  } catch (error) {
    socket.on('error', () => undefined).destroy();
    throw error;
  }
}

/** Who is asked for a ticket may wait long for a server that cannot be reached, and cannot be stopped. */
async function inTime<T>(answer: Promise<T> | undefined, timeout: number): Promise<T | undefined> {
  const ended = new AbortController();
  const { signal } = ended;
  const silence = sleep(timeout, undefined, { signal }).catch(() => undefined);
  try {
    return await Promise.race([answer, silence]);
  } finally {
    ended.abort();
  }
}

function askForTunnel(
  proxy: ProxyServer,
  authority: string,
  socket: Socket,
  timeout: number,
): Promise<{ readonly status: number; readonly schemes: string }> {
  return new Promise((resolve, reject) => {
    const headers = { host: authority, ...authorizationOf(proxy) };
    const asking = request({ method: 'CONNECT', path: authority, headers, createConnection: () => socket });
    const timer = setTimeout(() => asking.destroy(silence()), timeout);
    const settled = (): void => clearTimeout(timer);
    asking.once('connect', ({ statusCode = 0, headers }, _, early) => {
      settled();
      if (early.length > 0) socket.unshift(early);
      resolve({ status: statusCode, schemes: headers['proxy-authenticate'] ?? '' });
    });
    asking.once('error', (error) => {
      settled();
      reject(unreachableProxy(proxy, error));
    });
    asking.end();
  });
}

/** Whether one of these ways to sign in is that of Kerberos. */
function isNegotiate(schemes: string): boolean {
  return /(^|,)\s*(negotiate|kerberos)\b/i.test(schemes);
}

/** The header that lets one through; none when the proxy needs none. */
export function authorizationOf({ authorization }: ProxyServer): { readonly 'proxy-authorization'?: string } {
  return authorization === undefined ? {} : { 'proxy-authorization': authorization };
}

function silence(): Error {
  return Object.assign(new Error('no answer to CONNECT'), { code: 'ETIMEDOUT' });
}

/**
 * A connection through a SOCKS proxy to `authority`, host and port, made within `timeout` milliseconds or not at all; the proxy
 * looks the name up. Rejects with a `TrackerError` that names the proxy.
 */
export async function openSocksTunnel(
  proxy: ProxyServer,
  authority: string,
  connect: Connect,
  timeout: number,
): Promise<Socket> {
  const socket = await connectToProxy(proxy, connect);
  try {
    await askForSocks(proxy, authority, socket, timeout);
    return socket;
  } catch (error) {
    socket.on('error', () => undefined).destroy();
    throw socksRefusal(proxy, error);
  }
}

async function askForSocks(proxy: ProxyServer, authority: string, socket: Socket, timeout: number): Promise<void> {
  const { url, login } = proxy;
  const [, host = '', port = ''] = /^(.*):(\d+)$/.exec(authority) ?? [];
  await SocksClient.createConnection({
    command: 'connect',
    destination: { host: bareHost(host), port: Number(port) },
    existing_socket: socket,
    proxy: {
      host: bareHost(url.hostname),
      port: Number(url.port),
      type: url.protocol === 'socks4:' ? 4 : 5,
      ...(login && { userId: login.username, password: login.password }),
    },
    timeout,
  });
}

/** The library tells what went wrong in words only. */
function socksRefusal(proxy: ProxyServer, error: unknown): TrackerError {
  const said = error instanceof Error ? error.message : '';
  if (/authentication/i.test(said)) return refusedLogin(proxy, proxy.login !== undefined);
  const code = SOCKS_CODES.find(([words]) => words.test(said))?.[1];
  if (code !== undefined) return unreachableProxy(proxy, Object.assign(new Error(said), { code }));
  const who = nameOf(proxy);
  // What the library throws has the password; its words do not.
  const details = { cause: new Error(said) };
  const why = /rejected connection(?: - \(?(\w+))?/i.exec(said);
  if (!why) return new TrackerError('unreachable', t('{0} does not speak SOCKS. Check its address.', who), details);
  const message = t(
    '{0} does not connect to this server ({1}). If the server is reachable without the proxy, add its name to http.noProxy.',
    who,
    why[1] ?? t('no reason given'),
  );
  return new TrackerError('unreachable', message, details);
}

const SOCKS_CODES: readonly (readonly [words: RegExp, code: string])[] = [
  [/timed out/i, 'ETIMEDOUT'],
  [/socket closed|ECONNRESET|EPIPE/i, 'ECONNRESET'],
];
