import { randomBytes } from 'node:crypto';
import type { ReadStream } from 'node:fs';
import { mkdir, open, opendir, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';

const DAY = 24 * 60 * 60 * 1000;
/** Files that are asked about at once; a query takes some ten thousand values at most. */
const SWEEP_BATCH = 500;
const STORED_NAME = /^[0-9a-f]{32}$/;

/**
 * The folder of attached files. Names are random and ours. A file is complete and on disk before the store names it, so
 * whatever goes wrong leaves at most a file that nobody names; `sweep` removes those.
 */
export class AttachmentFiles {
  private readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async open(folder: string): Promise<AttachmentFiles> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return new AttachmentFiles(folder);
  }

  newName(): string {
    return randomBytes(16).toString('hex');
  }

  path(storedName: string): string {
    if (!STORED_NAME.test(storedName)) throw new Error('Not the name of a stored attachment.');
    return join(this.folder, storedName);
  }

  /** The bytes of a file, which has to be as long as the store says; undefined when it is gone or was cut. */
  async read(storedName: string, size: number): Promise<ReadStream | undefined> {
    const handle = await open(this.path(storedName), 'r').catch(ignoreMissing);
    if (!handle) return undefined;
    if ((await handle.stat()).size === size) return handle.createReadStream({ highWaterMark: 256 * 1024 });
    await handle.close();
    return undefined;
  }

  async remove(storedName: string): Promise<void> {
    await unlink(this.path(storedName)).catch(ignoreMissing);
  }

  /** Makes new names in the folder survive a power cut; Windows has no such call and needs none. */
  async syncFolder(): Promise<void> {
    if (process.platform === 'win32') return;
    const handle = await open(this.folder, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  }

  /** Removes files older than a day that `known` does not name: what cut uploads and deleted stories left. */
  async sweep(known: (names: readonly string[]) => Promise<ReadonlySet<string>>, now: number): Promise<number> {
    let removed = 0;
    const removeUnknown = async (names: readonly string[]): Promise<void> => {
      const kept = await known(names);
      const orphans = names.filter((name) => !kept.has(name));
      for (const name of orphans) await this.remove(name);
      removed += orphans.length;
    };
    const old: string[] = [];
    for await (const { name } of await opendir(this.folder)) {
      if (STORED_NAME.test(name) && now - (await this.changedAt(name)) > DAY) old.push(name);
      if (old.length >= SWEEP_BATCH) await removeUnknown(old.splice(0));
    }
    await removeUnknown(old);
    return removed;
  }

  private async changedAt(name: string): Promise<number> {
    return (await stat(this.path(name)).catch(ignoreMissing))?.mtimeMs ?? Number.POSITIVE_INFINITY;
  }
}

function ignoreMissing(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
  throw error;
}
