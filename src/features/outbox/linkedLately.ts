import type { LinkedCommit } from '../../core/replica/replica.ts';
import type { App } from '../../host/app.ts';

/** One linked commit, once for each server. */
export interface LatelyLinked {
  readonly commit: LinkedCommit;
  readonly storyIds: readonly number[];
}

const MOST = 10;
const DAY = 24 * 60 * 60 * 1000;

/** The commits that servers one is signed in to took in the last day, the latest first. */
export async function linkedLately(
  { backlogs, engine }: Pick<App, 'backlogs' | 'engine'>,
  now: number,
): Promise<readonly LatelyLinked[]> {
  const projects = await backlogs.projects().catch(() => []);
  const isKnown = ({ account: { accountId }, projectId }: LinkedCommit) =>
    projects.some(({ account, project }) => account.id === accountId && project.id === projectId);
  const linked = (await engine.linkedCommits.linked()).filter((one) => now - one.linkedAt < DAY && isKnown(one));
  const commits = Map.groupBy(linked.toReversed(), ({ account, hash }) => JSON.stringify([account.accountId, hash]));
  return [...commits.values()].slice(0, MOST).flatMap((links) => {
    const [commit] = links;
    return commit ? [{ commit, storyIds: links.map(({ storyId }) => storyId) }] : [];
  });
}
