import { closeSync, mkdirSync, openSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { messageOf } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import { putRescued, type RescuedRows, rescuedRows } from './rescuedRows.ts';
import { migrate, NewerSchema } from './schema.ts';

type Sqlite = typeof import('node:sqlite');

export interface ReplicaFileOptions {
  /** Absolute path; without one nothing outlives the process. */
  readonly path?: string;
  readonly log: Log;
  /** How long another window may hold the file before this one goes on without it. */
  readonly busyMs?: number;
}

const CORRUPT = 11;
const NOT_A_DATABASE = 26;
const SCHEMA_IS_ODD = 1;
/** Constraint, misuse, range: our own mistakes, not the file's. */
const OURS: ReadonlySet<number> = new Set([19, 21, 25]);

/**
 * The one SQLite file of client state, shared by all windows. What cannot be read is set aside and begun anew; where no
 * file can be had the state is kept in memory, which the log tells once.
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

  constructor(options: ReplicaFileOptions) {
    this.options = options;
    this.path = options.path;
  }

  /** Whether what is written is there again after a restart. */
  get isKept(): boolean {
    return this.path !== undefined;
  }

  /** Loads SQLite on first use: an extension that is not looked at does not pay for it. */
  async ready(): Promise<void> {
    this.opening ??= import('node:sqlite');
    this.sqlite = await this.opening;
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
      this.options.log.info('Another window has made the local copy anew; it is used from now on.');
      this.close();
    }
    for (let tries = 0; !this.opened && tries < 3; tries++) {
      try {
        this.opened = this.open();
      } catch (thrown) {
        if (!this.replace(thrown)) throw thrown;
      }
    }
    if (!this.opened) throw new Error('SQLite cannot be used.');
    return this.opened;
  }

  private open(): DatabaseSync {
    if (!this.sqlite) throw new Error('Await ready() before the first use.');
    if (this.path !== undefined) {
      makeOwnFile(this.path);
      this.identity = identityOf(this.path);
    }
    const database = new this.sqlite.DatabaseSync(this.path ?? ':memory:');
    try {
      database.exec(`PRAGMA busy_timeout = ${this.options.busyMs ?? 2000}`);
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
    this.rescued = undefined;
    const entries = inTransaction(database, () => putRescued(database, rescued));
    if (entries > 0) this.options.log.info(`${entries} changes that were not sent yet were taken over.`);
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
      this.options.log.warn(`The local copy could not be read and was set aside; it is made anew: ${why}`);
    } else {
      this.options.log.warn(`Nothing is kept for the next start, since the local copy cannot be used: ${why}`);
      this.path = undefined;
    }
    return true;
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

function isOfTheFile(thrown: unknown): boolean {
  const code = codeOf(thrown);
  return thrown instanceof NewerSchema || (code !== undefined && !OURS.has(code)) || isFileError(thrown);
}

function isUnreadable(thrown: unknown): boolean {
  const code = codeOf(thrown);
  return thrown instanceof NewerSchema || code === CORRUPT || code === NOT_A_DATABASE || code === SCHEMA_IS_ODD;
}

/** SQLite's primary result code; none for errors that are not SQLite's. */
function codeOf(thrown: unknown): number | undefined {
  if (!(thrown instanceof Error) || !('errcode' in thrown) || typeof thrown.errcode !== 'number') return undefined;
  return thrown.errcode & 0xff;
}

function isFileError(thrown: unknown): boolean {
  return thrown instanceof Error && 'syscall' in thrown;
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
