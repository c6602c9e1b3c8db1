import { isHash } from './revision.ts';

interface Remote {
  readonly secure: boolean;
  readonly host: string;
  /** With a colon, or empty. */
  readonly port: string;
  /** Owner, groups and name, without slashes at the ends and without `.git`. */
  readonly path: string;
}

type Page = (hash: string) => string;

const commitPage: Page = (hash) => `/commit/${hash}`;
const gitLabPage: Page = (hash) => `/-/commit/${hash}`;
const bitbucketPage: Page = (hash) => `/commits/${hash}`;

const publicHosts: Readonly<Record<string, Page>> = {
  'github.com': commitPage,
  'gitlab.com': gitLabPage,
  'bitbucket.org': bitbucketPage,
  'codeberg.org': commitPage,
  'gitea.com': commitPage,
};

/** First part of the name that people give to a host of their own. */
const ownHosts: Readonly<Record<string, Page>> = {
  github: commitPage,
  gitlab: gitLabPage,
  gitea: commitPage,
  forgejo: commitPage,
};

/** Names under which public hosts take SSH on port 443. */
const sshHosts: Readonly<Record<string, string>> = {
  'ssh.github.com': 'github.com',
  'altssh.gitlab.com': 'gitlab.com',
  'altssh.bitbucket.org': 'bitbucket.org',
};

/**
 * Page of a commit on the host of `remote`, always https and without anybody's name or password. `undefined` for hosts
 * we do not know, unless reached by https and named for what they are (`gitlab.example.org`).
 */
export function commitUrl(remote: string, hash: string): string | undefined {
  const parsed = isHash(hash) ? parseRemote(remote) : undefined;
  if (!parsed) return undefined;
  const { secure, host, port, path } = parsed;
  const known = publicPage(host);
  if (known) return `https://${host}/${path}${known(hash)}`;
  const own = secure ? ownPage(host) : undefined;
  return own && `https://${host}${port}/${path}${own(hash)}`;
}

/** Whether a template can only be filled in where there is a remote. */
export function namesRemote(template: string): boolean {
  return /\$\{(?:host|path)\}/.test(template);
}

/** A page as a person's template says; `undefined` where that makes no web address, or names a remote that cannot be read. */
export function templatedUrl(template: string, remote: string | undefined, hash: string): string | undefined {
  const parsed = remote === undefined ? undefined : parseRemote(remote);
  if (!isHash(hash) || (namesRemote(template) && !parsed)) return undefined;
  const values: Readonly<Record<string, string>> = { commit: hash, host: parsed?.host ?? '', path: parsed?.path ?? '' };
  const filled = template.replaceAll(/\$\{(commit|host|path)\}/g, (_, name: string) => values[name] ?? '');
  const url = URL.parse(filled);
  const isWeb =
    url !== null && ['https:', 'http:'].includes(url.protocol) && url.username === '' && url.password === '';
  return isWeb ? url.href : undefined;
}

function publicPage(host: string): Page | undefined {
  return Object.hasOwn(publicHosts, host) ? publicHosts[host] : undefined;
}

/** `github.com.example.org` belongs to somebody who wants to be taken for another. */
function ownPage(host: string): Page | undefined {
  const pretends = Object.keys(publicHosts).some((known) => host.startsWith(`${known}.`));
  const [first = '', ...rest] = host.split('.');
  return rest.length > 0 && !pretends && Object.hasOwn(ownHosts, first) ? ownHosts[first] : undefined;
}

function parseRemote(remote: string): Remote | undefined {
  if (remote.length > 2000 || !/^[\x21-\x7e]+$/.test(remote) || remote.startsWith('-') || remote.includes('::')) {
    return undefined;
  }
  return remote.includes('://') ? fromUrl(remote) : fromScpForm(remote);
}

function fromUrl(remote: string): Remote | undefined {
  if (!URL.canParse(remote)) return undefined;
  const { protocol, hostname, port, pathname } = new URL(remote);
  if (!['https:', 'http:', 'ssh:', 'git:', 'git+ssh:'].includes(protocol)) return undefined;
  const secure = protocol === 'https:';
  return made(secure, hostname, secure && port !== '' ? `:${port}` : '', pathname);
}

/** `user@host:path`, as Git and ssh write it. */
function fromScpForm(remote: string): Remote | undefined {
  const [, host = '', path = ''] = /^(?:[^@/:]+@)?([^@/:]+):([^:]+)$/.exec(remote) ?? [];
  return made(false, host, '', path);
}

function made(secure: boolean, hostname: string, port: string, path: string): Remote | undefined {
  const lower = hostname.toLowerCase();
  const host = (Object.hasOwn(sshHosts, lower) && sshHosts[lower]) || lower;
  const trimmed = path.replace(/^\/+|\/+$/g, '').replace(/\.git$/, '');
  const parts = trimmed.split('/');
  const plain = parts.length > 1 && parts.every((part) => /^[\w.~%-]+$/.test(part) && !/^\.+$/.test(part));
  return plain && /^[a-z0-9.-]+$/.test(host) ? { secure, host, port, path: trimmed } : undefined;
}
