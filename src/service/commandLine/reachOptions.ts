import { withoutEnd } from '../../core/text.ts';
import { UsageError } from '../ground/errors.ts';
import { TrustedProxies } from '../http/clientAddress.ts';
import { publicUrlOf, readHost } from '../http/hostNames.ts';

/** The options of `serve` that say how the service is reached, besides where it listens. */
export const reachOptions = {
  'allowed-host': {
    type: 'string',
    multiple: true,
    default: [] as string[],
    value: 'NAME',
    help: 'additional host name of this service',
  },
  'base-path': {
    type: 'string',
    default: '',
    value: 'PATH',
    help: 'path of this service behind a proxy, such as /tracker',
  },
  'public-url': {
    type: 'string',
    value: 'URL',
    help: 'public address of this service behind a proxy, such as https://example.org/tracker. Addresses in answers, web hooks and emails start with it. The proxy may keep the path or remove it',
  },
  'trust-proxy': {
    type: 'string',
    multiple: true,
    default: [] as string[],
    value: 'ADDRESS',
    help: 'proxy, or network such as 10.0.0.0/8, whose X-Forwarded-For and X-Forwarded-Proto headers are trusted',
  },
  cert: {
    type: 'string',
    value: 'FILE',
    help: 'certificate for TLS with its intermediate certificates, in PEM format; read again on SIGHUP',
  },
  key: { type: 'string', value: 'FILE', help: 'private key of the certificate, in PEM format' },
} as const;

interface Given {
  readonly 'allowed-host': readonly string[];
  readonly 'base-path': string;
  readonly 'public-url'?: string | undefined;
  readonly 'trust-proxy': readonly string[];
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
}

/** How the service is to be reached. Throws `UsageError`. */
export function readReach(given: Given) {
  return {
    allowedHosts: given['allowed-host'].map(readAllowedHost),
    basePath: readBasePath(given['base-path']),
    ...(given['public-url'] !== undefined && { publicUrl: readPublicUrl(given['public-url']) }),
    trustedProxies: readProxies(given['trust-proxy']),
    ...readTlsFiles(given),
  };
}

function readAllowedHost(name: string): string {
  const host = readHost(name);
  if (host?.port !== '') throw new UsageError('--allowed-host must be a name such as tracker.example.org.');
  return host.name;
}

function readTlsFiles({ cert, key }: Pick<Given, 'cert' | 'key'>) {
  if (cert === undefined && key === undefined) return {};
  if (cert === undefined || key === undefined) throw new UsageError('Pass both --cert and --key.');
  return { tls: { cert, key } };
}

function readProxies(addresses: readonly string[]): readonly string[] {
  try {
    new TrustedProxies(addresses);
    return addresses;
  } catch {
    throw new UsageError('--trust-proxy must be an IP address, or a network such as 10.0.0.0/8.');
  }
}

function readBasePath(text: string): string {
  const path = withoutEnd(text, '/');
  if (path !== '' && !/^(?:\/[\w.~-]+)+$/.test(path)) {
    throw new UsageError('--base-path must be a path that starts with a slash, for instance /tracker.');
  }
  return path;
}

/** The address that `--public-url` names, without a slash at the end; throws `UsageError` for anything else than scheme, host and path. */
export function readPublicUrl(text: string): string {
  const url = publicUrlOf(text);
  if (!url) throw new UsageError('--public-url must be an address such as https://example.org/tracker.');
  return url.href;
}
