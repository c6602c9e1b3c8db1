import { mkdir, readdir, rename, rmdir, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';

const DAY = 24 * 60 * 60 * 1000;
/** Counted from the end of the day on which a file was swept. */
const MONTH = 31 * DAY;
const DAY_NAME = /^\d{4}-\d{2}-\d{2}$/;
const BATCH = 500;

/** A file that was swept. */
export interface SweptFile {
  readonly name: string;
  /** `YYYY-MM-DD` in UTC, by the clock of the file system: when it was swept. */
  readonly day: string;
  readonly bytes: number;
}

/**
 * Where swept files stay for a month, in a folder for each day: a mistaken sweep loses nothing. It is beside the files, so that a file goes there and back
 * by one rename, which is done or not done whatever happens.
 */
export class FileTrash {
  private readonly folder: string;
  /** Where the files come from. */
  private readonly home: string;

  constructor(folder: string, home: string) {
    this.folder = folder;
    this.home = home;
  }

  /** Where what is swept at `now` goes to. */
  place(now: number): string {
    return join(this.folder, new Date(now).toISOString().slice(0, 10));
  }

  /** Whether the file was there to be put away: another process may sweep, too. */
  async put(name: string, now: number): Promise<boolean> {
    await mkdir(this.place(now), { recursive: true, mode: 0o700 });
    return ifThere(rename(join(this.home, name), join(this.place(now), name)));
  }

  /** Puts a file back in its place. Tells whether it was here. */
  async takeBack(name: string): Promise<boolean> {
    for (const day of await this.days()) {
      if (await ifThere(rename(join(this.folder, day, name), join(this.home, name)))) return true;
    }
    return false;
  }

  /** All that is here, some at a time and newest first. */
  async *batches(): AsyncGenerator<readonly SweptFile[]> {
    for (const day of await this.days()) {
      const names = await readdir(join(this.folder, day)).catch(noneThere);
      for (let start = 0; start < names.length; start += BATCH) {
        const batch: SweptFile[] = [];
        for (const name of names.slice(start, start + BATCH)) {
          const found = await stat(join(this.folder, day, name)).catch(() => undefined);
          if (found?.isFile()) batch.push({ name, day, bytes: found.size });
        }
        yield batch;
      }
    }
  }

  /** Whether a file was swept so long ago that it may go for good. */
  isOver({ day }: SweptFile, now: number): boolean {
    return now - (Date.parse(day) + DAY) > MONTH;
  }

  async removeForGood({ day, name }: SweptFile): Promise<void> {
    await ifThere(unlink(join(this.folder, day, name)));
  }

  /** Removes the folders of days of which nothing is left. */
  async removeEmptyDays(): Promise<void> {
    for (const day of await this.days()) await rmdir(join(this.folder, day)).catch(() => undefined);
  }

  /** Newest first; none before anything was swept. */
  private async days(): Promise<readonly string[]> {
    const names = await readdir(this.folder).catch(noneThere);
    return names
      .filter((name) => DAY_NAME.test(name))
      .sort()
      .reverse();
  }
}

function noneThere(error: unknown): readonly string[] {
  if (isMissing(error)) return [];
  throw error;
}

async function ifThere(work: Promise<void>): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
