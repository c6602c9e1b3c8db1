import { withoutEnds } from '../core/text.ts';
import { ownPage, publicPage } from './commitPages.ts';
import { isHash } from './revision.ts';

interface Remote {
  readonly secure: boolean;
  readonly host: string;
  /** With a colon, or empty. */
  readonly port: string;
  /** Owner, groups and name, without slashes at the ends and without `.git`. */
  readonly path: string;
}

/** Other names under which public hosts take SSH, on port 443 for instance. */
const sshHosts: Readonly<Record<string, string>> = {
  'ssh.github.com': 'github.com',
  'altssh.gitlab.com': 'gitlab.com',
  'altssh.bitbucket.org': 'bitbucket.org',
  'ssh.dev.azure.com': 'dev.azure.com',
  'vs-ssh.visualstudio.com': 'dev.azure.com',
};

/**
 * Page of a commit on the host of `remote`, always https and without anybody's name or password. `undefined` for hosts
 * we do not know, unless reached by https and named for what they are (`gitlab.example.org`).
 */
export function commitUrl(remote: string, hash: string): string | undefined {
  const parsed = isHash(hash) ? parseRemote(remote) : undefined;
  if (!parsed) return undefined;
  const { secure, host, port, path } = parsed;
  const known = publicPage(host)?.(path, hash);
  if (known !== undefined) return `https://${host}/${known}`;
  const own = secure ? ownPage(host)?.(path, hash) : undefined;
  return own && `https://${host}${port}/${own}`;
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
  const trimmed = withoutEnds(path, '/').replace(/\.git$/, '');
  const parts = trimmed.split('/');
  const plain = parts.length > 1 && parts.every((part) => /^[\w.~%-]+$/.test(part) && !/^\.+$/.test(part));
  return plain && /^[a-z0-9.-]+$/.test(host) ? { secure, host, port, path: trimmed } : undefined;
}
