import { withoutEnds } from '../core/text.ts';
import { isHash } from './commitRecords.ts';

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
 * Page of a commit on the host of `remote`, always https and without anyone's name or password. `undefined` for hosts
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

/** Path of a commit's page where the repository has this path; `undefined` where no repository of such a host has. */
type CommitPage = (path: string, hash: string) => string | undefined;

const gitHub: CommitPage = (path, hash) => `${path}/commit/${hash}`;
const gitLab: CommitPage = (path, hash) => `${path}/-/commit/${hash}`;
const bitbucket: CommitPage = (path, hash) => `${path}/commits/${hash}`;

/** By https `organisation/project/_git/repository`, by SSH `v3/organisation/project/repository`. */
const azure: CommitPage = (path, hash) => {
  const parts = path.split('/');
  const [version, organisation, project, repository] = parts;
  if (version === 'v3' && parts.length === 4) return `${organisation}/${project}/_git/${repository}/commit/${hash}`;
  return parts.at(-2) === '_git' ? `${path}/commit/${hash}` : undefined;
};

/** The one that teams run themselves: `scm/project/repository`, or `scm/~person/repository`. */
const bitbucketServer: CommitPage = (path, hash) => {
  const [, before = '', owner = '', repository = ''] = /^((?:.+\/)?)scm\/([^/]+)\/([^/]+)$/.exec(path) ?? [];
  if (repository === '') return undefined;
  const place = owner.startsWith('~') ? `users/${owner.slice(1)}` : `projects/${owner}`;
  return `${before}${place}/repos/${repository}/commits/${hash}`;
};

const publicHosts: Readonly<Record<string, CommitPage>> = {
  'github.com': gitHub,
  'gitlab.com': gitLab,
  'bitbucket.org': bitbucket,
  'codeberg.org': gitHub,
  'gitea.com': gitHub,
  'dev.azure.com': azure,
};

/** First part of the name that people give to a host of their own. */
const ownHosts: Readonly<Record<string, CommitPage>> = {
  github: gitHub,
  gitlab: gitLab,
  gitea: gitHub,
  forgejo: gitHub,
  bitbucket: bitbucketServer,
};

function publicPage(host: string): CommitPage | undefined {
  return Object.hasOwn(publicHosts, host) ? publicHosts[host] : undefined;
}

/** What is named for what it is, or has what only Azure's addresses have. */
function ownPage(host: string): CommitPage | undefined {
  const [first = '', ...rest] = host.split('.');
  if (rest.length === 0 || isPretending(host)) return undefined;
  return Object.hasOwn(ownHosts, first) ? ownHosts[first] : azureServer;
}

/** `v3` is a name like any other where one reaches it by https. */
const azureServer: CommitPage = (path, hash) => (path.split('/').at(-2) === '_git' ? azure(path, hash) : undefined);

/** `github.com.example.org` belongs to someone who wants to be taken for another. */
function isPretending(host: string): boolean {
  return Object.keys(publicHosts).some((known) => host.startsWith(`${known}.`));
}
