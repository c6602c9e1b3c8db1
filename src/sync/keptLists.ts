import type { BacklogLists } from '../core/replica.ts';
import { type Places, readPlaces } from './places.ts';
import type { ListedIds } from './planRefresh.ts';
import type { ReplicaFile } from './replicaFile.ts';
import { rowOf, valueIn } from './replicaRows.ts';

const NO_LISTS: BacklogLists = { iterations: [], icebox: [], done: [] };

/** A project's lists as the file has them, each form made when it is first asked for: mostly nothing has happened. */
export class KeptLists implements ListedIds {
  private readonly file: ReplicaFile;
  private readonly at: readonly [account: number, projectId: number];
  private readLists: BacklogLists | undefined;
  private readOpen: ReadonlySet<number> | undefined;
  private readDone: ReadonlySet<number> | undefined;

  constructor(file: ReplicaFile, at: readonly [account: number, projectId: number]) {
    this.file = file;
    this.at = at;
  }

  get lists(): BacklogLists {
    const row = this.readLists ? undefined : this.row('value');
    this.readLists ??= row ? valueIn<BacklogLists>(row, 'value') : NO_LISTS;
    return this.readLists;
  }

  get open(): ReadonlySet<number> {
    const { iterations, icebox } = this.lists;
    this.readOpen ??= new Set([...iterations.flatMap(({ storyIds }) => storyIds), ...icebox]);
    return this.readOpen;
  }

  get done(): ReadonlySet<number> {
    this.readDone ??= new Set(this.lists.done.flatMap(({ storyIds }) => storyIds));
    return this.readDone;
  }

  get places(): Places | undefined {
    const text = this.row('places')?.places;
    return typeof text === 'string' ? readPlaces(text) : undefined;
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
