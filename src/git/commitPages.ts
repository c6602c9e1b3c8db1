/** Path of a commit's page where the repository has this path; `undefined` where no repository of such a host has. */
export type CommitPage = (path: string, hash: string) => string | undefined;

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

export function publicPage(host: string): CommitPage | undefined {
  return Object.hasOwn(publicHosts, host) ? publicHosts[host] : undefined;
}

/** What is named for what it is, or has what only Azure's addresses have. */
export function ownPage(host: string): CommitPage | undefined {
  const [first = '', ...rest] = host.split('.');
  if (rest.length === 0 || isPretending(host)) return undefined;
  return Object.hasOwn(ownHosts, first) ? ownHosts[first] : azureServer;
}

/** `v3` is a name like any other where one reaches it by https. */
const azureServer: CommitPage = (path, hash) => (path.split('/').at(-2) === '_git' ? azure(path, hash) : undefined);

/** `github.com.example.org` belongs to somebody who wants to be taken for another. */
function isPretending(host: string): boolean {
  return Object.keys(publicHosts).some((known) => host.startsWith(`${known}.`));
}
