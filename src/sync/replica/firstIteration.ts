import type { DatabaseSync } from 'node:sqlite';
import type { FirstIteration, PlacedIteration, ReplicaProject } from '../../core/replica/replica.ts';
import type { Iteration } from '../../core/story/iteration.ts';
import type { Project } from '../../core/story/project.ts';
import type { Story } from '../../core/story/story.ts';
import { accountKey, listsIn, rowOf, rowsOf, valueIn } from '../file/replicaRows.ts';
import { listedIds } from './backlogSnapshot.ts';

/** Stories of an iteration that is told by itself; more would hold who is told. */
const MOST = 500;
/** Stories that are there so soon that a part of them need not be told first. */
const FEW = 1000;

/** Whether an iteration is short enough to be told in one go. */
export function isShort(iteration: Pick<PlacedIteration, 'storyIds'> | Pick<Iteration, 'stories'>): boolean {
  return ('stories' in iteration ? iteration.stories : iteration.storyIds).length <= MOST;
}

/** The current iteration as it is kept, read before all that is kept; `undefined` where that is not worth it. */
export function keptFirst(database: DatabaseSync, project: ReplicaProject): FirstIteration | undefined {
  const account = accountKey(database, project);
  if (account === undefined) return undefined;
  const at = [account, project.projectId] as const;
  const row = rowOf(database, 'SELECT value FROM backlog WHERE account = ? AND id = ?', ...at);
  const lists = listsIn(database, ...at);
  const [current] = lists.iterations;
  if (!row || !current || !isShort(current) || listedIds(lists).length <= FEW) return undefined;
  const { storyIds, ...iteration } = current;
  const sql = 'SELECT id, value FROM story WHERE account = ? AND project = ? AND id = ?';
  const stories = storyIds.flatMap((id) => rowsOf(database, sql, ...at, id).map((one) => valueIn<Story>(one, 'value')));
  return { project: valueIn<Project>(row, 'value'), iteration: { ...iteration, stories } };
}
