import { constants, open, readFile } from 'node:fs/promises';
import type { ServiceLog } from '../ground/background.ts';
import { knowGiven, VERSION_LEAP } from './counters.ts';
import type { Database } from './database.ts';

/** Milliseconds after which a version that was given is noted. */
const NOTE_PAUSE = 2_000;
/** Milliseconds for which a change believes what it read of the note, which other processes write, too. */
const TRUST_MS = 1_000;
/** Of any whole number that JavaScript knows. */
const WIDTH = 16;

const SET_BACK =
  'The database is older than it was: it was put back to an earlier state. Activities go on with numbers that were not given before.';

/**
 * The same store, which gives no version of an activity twice, though a copy from before be put in place of the database: whoever
 * asks for what is newer than a version that they know would otherwise not see what comes after it (protocol.md, Activity `version`).
 * `noteFile` holds, outside of the database, the highest version that is known to have been given.
 */
export async function risingVersions(database: Database, noteFile: string, log: ServiceLog): Promise<Database> {
  const note = new VersionNote(noteFile);
  await note.read();
  return {
    ...database,
    write: async (work) => {
      let versions: ReturnType<typeof knowGiven> | undefined;
      await note.refresh();
      const result = await database.write((tx) => {
        versions = knowGiven(tx, note.highest);
        return work(tx);
      });
      if (versions?.taken === undefined) return result;
      const { given, taken } = versions;
      if (given > 0 && taken >= given + VERSION_LEAP) log({ event: 'warning', about: 'database', message: SET_BACK });
      note.raise(taken);
      return result;
    },
    close: async () => {
      await note.close();
      await database.close();
    },
  };
}

/** A number in a file that is written from time to time, never before the version is committed. */
class VersionNote {
  highest = 0;
  private readonly file: string;
  private noted = 0;
  /** By the clock that nobody sets. */
  private readAt = 0;
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> | undefined;

  constructor(file: string) {
    this.file = file;
  }

  /** Reads what other processes have noted, unless that was done a moment ago. */
  async refresh(): Promise<void> {
    if (performance.now() - this.readAt > TRUST_MS) await this.read();
  }

  async read(): Promise<void> {
    this.readAt = performance.now();
    this.noted = Math.max(this.noted, await this.stored());
    this.highest = Math.max(this.highest, this.noted);
  }

  raise(version: number): void {
    this.highest = Math.max(this.highest, version);
    this.timer ??= setTimeout(() => void this.write(), NOTE_PAUSE).unref();
  }

  async close(): Promise<void> {
    clearTimeout(this.timer);
    await this.writing;
    await this.write();
  }

  /** A note that cannot be written is one that is older, which is still better than none. */
  private write(): Promise<void> {
    this.timer = undefined;
    this.writing = this.writeHighest().catch(() => undefined);
    return this.writing;
  }

  private async writeHighest(): Promise<void> {
    const { highest, file } = this;
    if (highest <= Math.max(this.noted, await this.stored())) return;
    const note = await open(file, constants.O_WRONLY | constants.O_CREAT, 0o600);
    try {
      await note.write(`${String(highest).padStart(WIDTH)}\n`, 0); // In one piece over the one before.
    } finally {
      await note.close();
    }
    this.noted = highest;
  }

  private async stored(): Promise<number> {
    const text = await readFile(this.file, 'utf8').catch(() => '');
    return /^ *\d+\n$/.test(text) ? Number(text) : 0;
  }
}
