import { TrackerError } from '../../core/errors.ts';
import type { Network } from '../../core/ports/connection.ts';
import { isLoopback } from './baseUrl.ts';
import { bypasses } from './noProxy.ts';

/** The proxy on the way to a server. */
export interface HttpProxy {
  /** http or https, host and port; without user and password. */
  readonly url: URL;
  /** Value of `Proxy-Authorization`. A secret. */
  readonly authorization: string | undefined;
  /** The setting or variable that names it. */
  readonly source: string;
}

/**
 * The proxy for a server: VS Code's setting, else the environment. None for this machine, unless a list of exceptions holds
 * `<-loopback>`. Throws `TrackerError` `input`, which does not repeat the address: it may hold a password.
 */
export function proxyFor(target: URL, network: Network): HttpProxy | undefined {
  const { noProxy, environment, proxyAuthorization } = network;
  const [address, source] = named(target, network);
  if (!network.useProxy || address === '') return undefined;
  const exceptions = [...noProxy, ...environment.NO_PROXY.split(/[\s,]+/)].map((entry) => entry.trim().toLowerCase());
  if (isLoopback(target.hostname) && !exceptions.includes('<-loopback>')) return undefined;
  if (exceptions.some((entry) => bypasses(entry, target))) return undefined;
  const url = parsed(address, source);
  const authorization = proxyAuthorization || credentialsOf(url);
  url.username = '';
  url.password = '';
  return { url, authorization, source };
}

function named({ protocol }: URL, { proxy, environment }: Network): readonly [address: string, source: string] {
  if (proxy.trim() !== '') return [proxy.trim(), 'http.proxy'];
  const variable = protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  return [environment[variable].trim(), variable];
}

function parsed(address: string, source: string): URL {
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(address) ? address : `http://${address}`);
  if (url?.protocol.startsWith('socks')) {
    throw new TrackerError('input', `${source} names a SOCKS proxy, which cannot be used here. Name an HTTP proxy.`);
  }
  if (url && /^https?:$/.test(url.protocol) && url.hostname !== '') return url;
  throw new TrackerError('input', `${source} is not the address of a proxy, such as http://proxy.example.com:3128.`);
}

function credentialsOf({ username, password }: URL): string | undefined {
  if (username === '' && password === '') return undefined;
  return `Basic ${Buffer.from(`${decoded(username)}:${decoded(password)}`).toString('base64')}`;
}

/** People forget to encode a percent sign; then it is meant as it stands. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
