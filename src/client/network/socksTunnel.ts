import type { Socket } from 'node:net';
import { SocksClient } from 'socks';
import { TrackerError } from '../../core/errors.ts';
import { bareHost } from './baseUrl.ts';
import type { Connect } from './connect.ts';
import { connectToProxy, type ProxyServer, refusedLogin, unreachableProxy } from './proxyServer.ts';

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
    await askForTunnel(proxy, authority, socket, timeout);
    return socket;
  } catch (error) {
    socket.on('error', () => undefined).destroy();
    throw refusal(proxy, error);
  }
}

async function askForTunnel(proxy: ProxyServer, authority: string, socket: Socket, timeout: number): Promise<void> {
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
function refusal(proxy: ProxyServer, error: unknown): TrackerError {
  const said = error instanceof Error ? error.message : '';
  if (/authentication/i.test(said)) return refusedLogin(proxy, proxy.login !== undefined);
  const code = CODES.find(([words]) => words.test(said))?.[1];
  if (code !== undefined) return unreachableProxy(proxy, Object.assign(new Error(said), { code }));
  const who = `The proxy ${proxy.url.host} (${proxy.source})`;
  // What the library throws has the password; its words do not.
  const details = { cause: new Error(said) };
  const why = /rejected connection(?: - \(?(\w+))?/i.exec(said);
  if (!why) return new TrackerError('unreachable', `${who} does not speak SOCKS. Check its address.`, details);
  const message = `${who} does not connect to this server (${why[1] ?? 'no reason given'}). If the server is reachable without the proxy, add its name to http.noProxy.`;
  return new TrackerError('unreachable', message, details);
}

const CODES: readonly (readonly [words: RegExp, code: string])[] = [
  [/timed out/i, 'ETIMEDOUT'],
  [/socket closed|ECONNRESET|EPIPE/i, 'ECONNRESET'],
];
