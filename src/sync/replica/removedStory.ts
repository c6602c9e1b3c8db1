import type { DatabaseSync } from 'node:sqlite';
import type { BacklogLists, ReplicaProject } from '../../core/replica/replica.ts';
import { accountKey, nextRevision, rowOf, valueIn } from '../file/replicaRows.ts';
import { readPlaces, writePlaces } from './places.ts';

/**
 * Takes a story out of a project's copy, its server having just said that it has it no longer. A refresh that is under way may
 * have read it before: it begins anew. Of a project that is being read for the first time there is no copy yet; the refresh that follows
 * every change mends that.
 */
export function removeStory(database: DatabaseSync, project: ReplicaProject, storyId: number): void {
  const account = accountKey(database, project);
  if (account === undefined) return;
  const at = [account, project.projectId] as const;
  const row = rowOf(database, 'SELECT value, places FROM lists WHERE account = ? AND project = ?', ...at);
  if (!row) return;
  const lists = listsWithout(valueIn<BacklogLists>(row, 'value'), new Set([storyId]));
  const places = typeof row.places === 'string' ? readPlaces(row.places).filter(({ id }) => id !== storyId) : undefined;
  database
    .prepare('UPDATE lists SET value = ?, places = ?, digest = NULL WHERE account = ? AND project = ?')
    .run(JSON.stringify(lists), places ? writePlaces(places) : null, ...at);
  database
    .prepare('UPDATE backlog SET listsRevision = ?, stamp = stamp + 1 WHERE account = ? AND id = ?')
    .run(nextRevision(database), ...at);
  database.prepare('DELETE FROM story WHERE account = ? AND project = ? AND id = ?').run(...at, storyId);
}

/** The lists without these stories. */
export function listsWithout(lists: BacklogLists, gone: ReadonlySet<number>): BacklogLists {
  const kept = (ids: readonly number[]) => ids.filter((id) => !gone.has(id));
  const thinned = (iterations: BacklogLists['done']) =>
    iterations.map((iteration) => ({ ...iteration, storyIds: kept(iteration.storyIds) }));
  return { iterations: thinned(lists.iterations), icebox: kept(lists.icebox), done: thinned(lists.done) };
}
