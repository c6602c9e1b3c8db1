import type { BacklogLists } from '../../core/replica/replica.ts';
import type { ReplicaFile } from '../file/replicaFile.ts';
import { rowOf, valueIn } from '../file/replicaRows.ts';
import { type Places, readPlaces } from './places.ts';
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
