import { closeSync, mkdirSync, openSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { messageOf } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import { t } from '../../core/translation.ts';
import {
  columnsOf,
  isOfTheFile,
  isUnreadable,
  putRescued,
  putRow,
  type RescuedRows,
  readableRows,
  rescuedRows,
} from './rescuedRows.ts';
import { migrate } from './schema.ts';

type Sqlite = typeof import('node:sqlite');

interface ReplicaFileOptions {
  /** Absolute path; without one nothing outlives the process. */
  readonly path?: string;
  readonly log: Log;
  /** How long another window may hold the file before this one goes on without it. */
  readonly busyMs?: number;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

/** After so long a file that could not be used is tried again, twice as long after each time in a row. */
const RETRY_MS = 5_000;
const LONGEST_RETRY_MS = 10 * 60_000;
/** A file that was good for so long fails anew, and not still. */
const GOOD_MS = 60 * 60_000;
const BUSY_MS = 2000;
/** No longer than a person notices. */
const RETRY_BUSY_MS = 50;

/**
 * The one SQLite file of client state, shared by all windows. What cannot be read is set aside and begun anew; where no
 * file can be had the state is kept in memory, which the log tells, until there is one again: then it is taken over into it.
 */
export class ReplicaFile {
  private readonly options: ReplicaFileOptions;
  private opened: DatabaseSync | undefined;
  private opening: Promise<Sqlite> | undefined;
  private sqlite: Sqlite | undefined;
  private path: string | undefined;
  /** Tells the file that was opened from another one at its place. */
  private identity: string | undefined;
  /** Of a file that was set aside, to be taken into the new one. */
  private rescued: RescuedRows | undefined;
  private losses = 0;
  private retryAt = 0;
  private cameBackAt: number | undefined;

  constructor(options: ReplicaFileOptions) {
    this.options = options;
    this.path = options.path;
  }

  /** Whether what is written is there again after a restart. */
  get isKept(): boolean {
    return this.path !== undefined;
  }

  /** Whether this window has read newer things than those of that time, which it could not write down. */
  isBehind(readAt: number): boolean {
    const { cameBackAt } = this;
    return cameBackAt !== undefined && readAt < cameBackAt && cameBackAt <= this.now();
  }

  /** Loads SQLite on first use: an extension that is not looked at does not pay for it. */
  async ready(): Promise<void> {
    this.opening ??= import('node:sqlite');
    this.sqlite = await this.opening;
    this.comeBack();
  }

  /** What `use` gives; run a second time, on an empty database, when the first one fails underneath it. */
  run<T>(use: (database: DatabaseSync) => T): T {
    try {
      return use(this.database());
    } catch (thrown) {
      if (!this.replace(thrown)) throw thrown;
      return use(this.database());
    }
  }

  /** As `run` in one transaction, which other windows see whole or not at all. */
  change<T>(use: (database: DatabaseSync) => T): T {
    return this.run((database) => inTransaction(database, use));
  }

  /** As `change`, and on disk when it returns: a loss of power does not undo it. */
  changeDurably<T>(use: (database: DatabaseSync) => T): T {
    return this.run((database) => {
      database.exec('PRAGMA synchronous = FULL');
      try {
        return inTransaction(database, use);
      } finally {
        if (database.isOpen) database.exec('PRAGMA synchronous = NORMAL');
      }
    });
  }

  close(): void {
    this.opened?.close();
    this.opened = undefined;
  }

  private database(): DatabaseSync {
    if (this.opened && !this.opened.isTransaction && this.isReplaced()) {
      this.options.log.info('Another window recreated the local copy. It is used from now on.');
      this.close();
    }
    for (let tries = 0; !this.opened && tries < 3; tries++) {
      try {
        this.opened = this.open(this.path, this.options.busyMs);
      } catch (thrown) {
        if (!this.replace(thrown)) throw thrown;
      }
    }
    if (!this.opened) throw new Error(t('SQLite is not available.'));
    return this.opened;
  }

  private open(path: string | undefined, busyMs = BUSY_MS): DatabaseSync {
    if (!this.sqlite) throw new Error('Await ready() before the first use.');
    if (path !== undefined) {
      makeOwnFile(path);
      this.identity = identityOf(path);
    }
    const database = new this.sqlite.DatabaseSync(path ?? ':memory:');
    try {
      database.exec(`PRAGMA busy_timeout = ${busyMs}`);
      database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON');
      migrate(database);
      this.putRescued(database);
      return database;
    } catch (thrown) {
      database.close();
      throw thrown;
    }
  }

  /** Another window set the file aside, and what it took over from it is at its place. */
  private isReplaced(): boolean {
    const there = this.path === undefined ? undefined : identityOf(this.path);
    return there !== undefined && there !== this.identity;
  }

  private putRescued(database: DatabaseSync): void {
    if (!this.rescued) return;
    const { rescued } = this;
    const entries = inTransaction(database, () => putRescued(database, rescued));
    this.rescued = undefined;
    if (entries > 0) this.options.log.info(`Recovered ${entries} unsent changes.`);
  }

  /** Whether another database is used from now on. */
  private replace(thrown: unknown): boolean {
    if (this.path === undefined || !isOfTheFile(thrown)) return false;
    const why = messageOf(thrown);
    const isReplaced = this.isReplaced();
    this.opened?.close();
    this.opened = undefined;
    if (isUnreadable(thrown) && isReplaced) return true;
    if (this.sqlite && isUnreadable(thrown)) this.rescued = rescuedRows(this.sqlite, this.path);
    if (isUnreadable(thrown) && setAside(this.path)) {
      this.options.log.warn(`Could not read the local copy. It was set aside and is being recreated: ${why}`);
    } else {
      this.options.log.warn(`The local copy cannot be used, so nothing is saved for the next start: ${why}`);
      this.lose();
    }
    return true;
  }

  private lose(): void {
    const at = this.now();
    this.path = undefined;
    this.losses = at - this.retryAt > GOOD_MS ? 1 : this.losses + 1;
    this.retryAt = at + Math.min(RETRY_MS * 2 ** (this.losses - 1), LONGEST_RETRY_MS);
  }

  /** Goes from memory to the file again once that can be written. What is just being sent stays where it is looked for. */
  private comeBack(): void {
    const { opened: memory, options } = this;
    const { path, busyMs, log } = options;
    const left = this.retryAt - this.now();
    const isDue = left <= 0 || left > LONGEST_RETRY_MS;
    if (this.path !== undefined || path === undefined || !isDue || memory?.isTransaction) return;
    this.retryAt = this.now() + RETRY_MS;
    let back: DatabaseSync | undefined;
    try {
      const made = memory ? unsavedRows(memory) : new Map();
      if (!made) return;
      back = this.open(path, Math.min(busyMs ?? RETRY_BUSY_MS, RETRY_BUSY_MS));
      const into = back;
      inTransaction(into, () => putMadeInMemory(into, made));
      back.exec(`PRAGMA busy_timeout = ${busyMs ?? BUSY_MS}`);
    } catch (thrown) {
      back?.close();
      log.debug(`The local copy still cannot be used: ${messageOf(thrown)}`);
      return;
    }
    memory?.close();
    this.opened = back;
    this.path = path;
    this.cameBackAt = this.now();
    log.info('The local copy can be used again. Changes made in the meantime were saved to it.');
  }

  private now(): number {
    return (this.options.now ?? Date.now)();
  }
}

/** `undefined` when there is no file. */
function identityOf(path: string): string | undefined {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats && `${stats.dev}:${stats.ino}`;
}

function inTransaction<T>(database: DatabaseSync, use: (database: DatabaseSync) => T): T {
  database.exec('BEGIN IMMEDIATE');
  try {
    const value = use(database);
    database.exec('COMMIT');
    return value;
  } catch (thrown) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw thrown;
  }
}

/** Renames the file and what SQLite keeps beside it; `false` when that is not allowed or another program prevents it. */
function setAside(path: string): boolean {
  const name = `${path}.unreadable-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`;
  let isAside = true;
  for (const suffix of ['', '-wal', '-shm']) {
    try {
      renameSync(path + suffix, name + suffix);
    } catch (thrown) {
      const isMissing = thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT';
      if (!isMissing) isAside = false;
    }
  }
  return isAside;
}

/** Story texts are nobody else's on a shared machine; SQLite gives its other files the mode of this one. */
function makeOwnFile(path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  closeSync(openSync(path, 'a', 0o600));
}

/** What of a time without a file nobody could read from a server again. */
const TABLES = ['outbox', 'linkedCommit', 'activeStory', 'foundCommit'] as const;

/** What was done while there was no file; `undefined` while something is being sent, whose sender looks for it there. */
function unsavedRows(memory: DatabaseSync): RescuedRows | undefined {
  const rows = new Map(TABLES.map((table) => [table, readableRows(memory, table)]));
  return rows.get('outbox')?.some(({ state }) => state === 'sending') ? undefined : rows;
}

/** Takes it over into the file, where an active story that was chosen later wins. Always writes, so that a full disk shows. */
function putMadeInMemory(database: DatabaseSync, made: RescuedRows): void {
  database.exec('UPDATE replica SET revision = revision + 1');
  for (const [table, rows] of made) {
    const columns = columnsOf(database, table);
    for (const row of rows) {
      if (table === 'activeStory') {
        database.prepare('DELETE FROM activeStory WHERE repository = ?').run(row.repository ?? null);
      }
      putRow(database, table, columns, row);
    }
  }
}
