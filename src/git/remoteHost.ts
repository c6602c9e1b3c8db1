import type { SimpleGit } from 'simple-git';
import { withoutEnds } from '../core/text.ts';
import { isHash } from './commitRecords.ts';

/** A remote's address, taken apart. */
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

/** What a host runs, by which its pages have their addresses. */
type HostKind = 'gitHub' | 'gitea' | 'gitLab' | 'bitbucket' | 'bitbucketServer' | 'azure';

/** A repository on a host whose pages we know. */
interface HostedRepository {
  readonly kind: HostKind;
  /** Always https, without anyone's name or password. */
  readonly page: string;
}

/**
 * The page of a remote's repository. `undefined` for hosts we do not know, unless reached by https and named for what they are
 * (`gitlab.example.org`), and where no repository of such a host has such a path.
 */
function hostedRepository(remote: string): HostedRepository | undefined {
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

/** Where a commit's page is below that of its repository. */
const COMMITS: Readonly<Record<HostKind, string>> = {
  gitHub: 'commit',
  gitea: 'commit',
  gitLab: '-/commit',
  bitbucket: 'commits',
  bitbucketServer: 'commits',
  azure: 'commit',
};

/** Page of a commit on the host of `remote`; `undefined` as of `hostedRepository`. */
export function commitUrl(remote: string, hash: string): string | undefined {
  const hosted = isHash(hash) ? hostedRepository(remote) : undefined;
  return hosted && `${hosted.page}/${COMMITS[hosted.kind]}/${hash}`;
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

/** The branch with the changes and the one that is to get them, as the host calls them. */
interface Branches {
  readonly branch: string;
  readonly base: string;
}

/** What of the page's address stands behind that of its repository. */
type PullRequestPage = (branches: Branches) => string;

const query = (values: Readonly<Record<string, string>>) => new URLSearchParams(values).toString();
const inPath = (branch: string) => branch.split('/').map(encodeURIComponent).join('/');
const compare: PullRequestPage = ({ branch, base }) => `compare/${inPath(base)}...${inPath(branch)}`;

const PAGES: Readonly<Record<HostKind, PullRequestPage>> = {
  gitHub: (branches) => `${compare(branches)}?expand=1`,
  gitea: compare,
  gitLab: ({ branch, base }) =>
    `-/merge_requests/new?${query({ 'merge_request[source_branch]': branch, 'merge_request[target_branch]': base })}`,
  bitbucket: ({ branch, base }) => `pull-requests/new?${query({ source: branch, dest: base })}`,
  bitbucketServer: ({ branch, base }) =>
    `pull-requests?create&${query({ sourceBranch: `refs/heads/${branch}`, targetBranch: `refs/heads/${base}` })}`,
  azure: ({ branch, base }) => `pullrequestcreate?${query({ sourceRef: branch, targetRef: base })}`,
};

/** The page on which a pull request is opened, on the host of `remote`; `undefined` where the host is not known. */
export function pullRequestUrl(remote: string, branches: Branches): string | undefined {
  const hosted = hostedRepository(remote);
  return hosted && `${hosted.page}/${PAGES[hosted.kind](branches)}`;
}

const REMOTE_KEYS = '^(remote\\..*\\.url|remote\\.pushdefault|branch\\..*\\.(remote|pushremote))$';

/** The one that the branch is pushed to first, then `origin`, the others as configured. */
export async function remoteNames(git: SimpleGit): Promise<readonly string[]> {
  const branch = (await git.raw(['symbolic-ref', '--quiet', 'HEAD'])).trim().replace(/^refs\/heads\//, '');
  const answer = await git.raw(['config', '--null', '--get-regexp', REMOTE_KEYS]);
  const entries = answer.split('\0').map((entry) => entry.split('\n', 2));
  const values = new Map(entries.map(([key = '', value = '']) => [key, value]));
  const pushed = [`branch.${branch}.pushremote`, 'remote.pushdefault', `branch.${branch}.remote`];
  const preferred = pushed.flatMap((key) => values.get(key) ?? []).slice(0, 1);
  const names = [...values.keys()].flatMap((key) => /^remote\.(.+)\.url$/s.exec(key)?.[1] ?? []);
  const usable = new Set(names.filter((name) => !name.startsWith('-')));
  return [...new Set([...preferred, 'origin', ...usable])].filter((name) => usable.has(name));
}
