import { isHash } from './commitRecords.ts';
import { type HostKind, hostedRepository, parseRemote } from './remoteHost.ts';

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
