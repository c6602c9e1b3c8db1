import { type HostKind, hostedRepository } from './remoteHost.ts';

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
