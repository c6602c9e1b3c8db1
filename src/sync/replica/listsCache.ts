import type { DatabaseSync } from 'node:sqlite';
import type { BacklogLists, ReplicaProject } from '../../core/replica/replica.ts';
import type { ReplicaFile } from '../file/replicaFile.ts';
import { accountKey, nextRevision, rowOf, valueIn } from '../file/replicaRows.ts';
import { type Places, readPlaces, writePlaces } from './places.ts';
import type { ListedIds } from './planRefresh.ts';

const NO_LISTS: BacklogLists = { iterations: [], icebox: [], done: [] };

/** What of a file's lists is at hand: those of the project that was asked about last. */
const atHand = new WeakMap<ReplicaFile, { readonly version: string; readonly kept: ListsCache }>();

/** A project's lists as the file has them, each form made when it is first asked for: mostly nothing has happened. */
export class ListsCache implements ListedIds {
  private readonly file: ReplicaFile;
  private readonly at: readonly [account: number, projectId: number];
  private readLists: BacklogLists | undefined;
  private readPlaces: Places | undefined;
  private readDone: ReadonlySet<number> | undefined;

  private constructor(file: ReplicaFile, at: readonly [account: number, projectId: number]) {
    this.file = file;
    this.at = at;
  }

  /** Those of this version, which no other state of the lists has had. */
  static of(file: ReplicaFile, at: readonly [account: number, projectId: number], version: string): ListsCache {
    const known = atHand.get(file);
    return known?.version === version ? known.kept : new ListsCache(file, at);
  }

  /** Keeps these at hand as they are after a change, so that the next refresh need not read what this one wrote. */
  keepAs(version: string, lists: BacklogLists | undefined, order: { readonly places?: Places } | undefined): void {
    if (!lists && !this.readLists) return;
    const kept = new ListsCache(this.file, this.at);
    kept.readLists = lists ?? this.readLists;
    kept.readPlaces = order ? order.places : this.readPlaces;
    atHand.set(this.file, { version, kept });
  }

  get lists(): BacklogLists {
    const row = this.readLists ? undefined : this.row('value');
    this.readLists ??= row ? valueIn<BacklogLists>(row, 'value') : NO_LISTS;
    return this.readLists;
  }

  get openCount(): number {
    const { iterations, icebox } = this.lists;
    return iterations.reduce((count, { storyIds }) => count + storyIds.length, icebox.length);
  }

  get done(): ReadonlySet<number> {
    this.readDone ??= new Set(this.lists.done.flatMap(({ storyIds }) => storyIds));
    return this.readDone;
  }

  get places(): Places | undefined {
    if (this.readPlaces) return this.readPlaces;
    const text = this.row('places')?.places;
    this.readPlaces = typeof text === 'string' ? readPlaces(text) : undefined;
    return this.readPlaces;
  }

  isHeld(storyId: number): boolean {
    const sql = 'SELECT id FROM story WHERE account = ? AND project = ? AND id = ?';
    return this.file.run((database) => rowOf(database, sql, ...this.at, storyId)) !== undefined;
  }

  private row(column: 'value' | 'places') {
    return this.file.run((database) =>
      rowOf(database, `SELECT ${column} FROM lists WHERE account = ? AND project = ?`, ...this.at),
    );
  }
}

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
