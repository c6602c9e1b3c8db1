import { withoutEnds } from '../core/text.ts';

/** A remote's address, taken apart. */
export interface Remote {
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

/** What a host runs, by which its pages have their addresses. */
export type HostKind = 'gitHub' | 'gitea' | 'gitLab' | 'bitbucket' | 'bitbucketServer' | 'azure';

/** A repository on a host whose pages we know. */
export interface HostedRepository {
  readonly kind: HostKind;
  /** Always https, without anyone's name or password. */
  readonly page: string;
}

/**
 * The page of a remote's repository. `undefined` for hosts we do not know, unless reached by https and named for what they are
 * (`gitlab.example.org`), and where no repository of such a host has such a path.
 */
export function hostedRepository(remote: string): HostedRepository | undefined {
  const parsed = parseRemote(remote);
  if (!parsed) return undefined;
  const { secure, host, port, path } = parsed;
  const known = publicKind(host);
  const place = known && pathOf(known, path);
  if (known && place !== undefined) return { kind: known, page: `https://${host}/${place}` };
  const own = secure ? ownKind(host, path) : undefined;
  const ownPlace = own && pathOf(own, path);
  return own && ownPlace !== undefined ? { kind: own, page: `https://${host}${port}/${ownPlace}` } : undefined;
}

/** `undefined` for what is no address of a repository on a host. */
export function parseRemote(remote: string): Remote | undefined {
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

/** Path of a repository's page where the remote has this path; `undefined` where no repository of such a host has. */
function pathOf(kind: HostKind, path: string): string | undefined {
  if (kind === 'azure') return azurePath(path);
  return kind === 'bitbucketServer' ? bitbucketServerPath(path) : path;
}

/** By https `organisation/project/_git/repository`, by SSH `v3/organisation/project/repository`. */
function azurePath(path: string): string | undefined {
  const parts = path.split('/');
  const [version, organisation, project, repository] = parts;
  if (version === 'v3' && parts.length === 4) return `${organisation}/${project}/_git/${repository}`;
  return parts.at(-2) === '_git' ? path : undefined;
}

/** The one that teams run themselves: `scm/project/repository`, or `scm/~person/repository`. */
function bitbucketServerPath(path: string): string | undefined {
  const [, before = '', owner = '', repository = ''] = /^((?:.+\/)?)scm\/([^/]+)\/([^/]+)$/.exec(path) ?? [];
  if (repository === '') return undefined;
  const place = owner.startsWith('~') ? `users/${owner.slice(1)}` : `projects/${owner}`;
  return `${before}${place}/repos/${repository}`;
}

const publicHosts: Readonly<Record<string, HostKind>> = {
  'github.com': 'gitHub',
  'gitlab.com': 'gitLab',
  'bitbucket.org': 'bitbucket',
  'codeberg.org': 'gitea',
  'gitea.com': 'gitea',
  'dev.azure.com': 'azure',
};

/** First part of the name that people give to a host of their own. */
const ownHosts: Readonly<Record<string, HostKind>> = {
  github: 'gitHub',
  gitlab: 'gitLab',
  gitea: 'gitea',
  forgejo: 'gitea',
  bitbucket: 'bitbucketServer',
};

function publicKind(host: string): HostKind | undefined {
  return Object.hasOwn(publicHosts, host) ? publicHosts[host] : undefined;
}

/** What is named for what it is, or has what only Azure's addresses have: there `v3` is a name like any other. */
function ownKind(host: string, path: string): HostKind | undefined {
  const [first = '', ...rest] = host.split('.');
  if (rest.length === 0 || isPretending(host)) return undefined;
  if (Object.hasOwn(ownHosts, first)) return ownHosts[first];
  return path.split('/').at(-2) === '_git' ? 'azure' : undefined;
}

/** `github.com.example.org` belongs to someone who wants to be taken for another. */
function isPretending(host: string): boolean {
  return Object.keys(publicHosts).some((known) => host.startsWith(`${known}.`));
}
