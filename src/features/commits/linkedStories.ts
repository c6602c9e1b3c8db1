import type { LinkedCommit, LinkedCommits } from '../../core/replica/replica.ts';

/** The stories that a commit was linked to on this machine. */
export type LinkedStories = (hash: string) => readonly LinkedCommit[];

export async function linkedStories(commits: LinkedCommits): Promise<LinkedStories> {
  const byHash = Map.groupBy(await commits.linked(), ({ hash }) => hash);
  return (hash) => byHash.get(hash) ?? [];
}
