import { access, constants, mkdir, opendir, rename, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '../../core/errors.ts';
import { errorCode, StoreUnavailable } from '../ground/errors.ts';
import { checkedName, type StoredFile } from './attachmentFiles.ts';
import { FileSink } from './fileSink.ts';

/** Files that are asked about at once; a query takes some ten thousand values at most. */
export const BATCH = 500;
/** Uploads, and small files that are about to be replaced. */
const UNFINISHED = /^(?:[a-z]+\.json\.)?[0-9a-f]{32}$/;
/** What says that the folder is not there, or not ours to write: removed, another disk, other rights. */
const OUT_OF_REACH = ['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'ESTALE'];
const NOT_WRITABLE = ['EROFS', 'EACCES', 'EPERM', 'ENOSPC'];

export const FILES_GONE =
  'The attached files of this service are not available right now. Nothing was changed. Try again later.';
export const FILE_GONE = 'The file was lost before it was attached. Nothing was changed. Send it again.';
/** For the log only. */
const PUT_BACK = 'Put the folder back, or restart the service to create a new one.';

/** The folder `incoming`, where files arrive on this machine before they are put in their place. */
export class IncomingFiles {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  /** In a folder that can only be read there is none. */
  static async open(parent: string): Promise<IncomingFiles> {
    const files = new IncomingFiles(join(parent, 'incoming'));
    await mkdir(files.folder, { recursive: true, mode: 0o700 }).catch(ignore(NOT_WRITABLE));
    return files;
  }

  path(storedName: string): string {
    return join(this.folder, checkedName(storedName));
  }

  create(storedName: string): Promise<FileSink> {
    return FileSink.create(this.path(storedName)).catch(outOfReach(FILES_GONE));
  }

  /** Finishes a file, and gives it another name by the same sync. */
  async finish(storedName: string, sink: FileSink, target: string): Promise<void> {
    await sink.finish(() => rename(this.path(storedName), target).catch(outOfReach(FILE_GONE)));
  }

  async remove(storedName: string): Promise<void> {
    await unlink(this.path(storedName)).catch(ignore(['ENOENT']));
  }

  /** Throws when it can be neither written nor read. */
  async requireUsable(): Promise<void> {
    await access(this.folder, constants.R_OK | constants.W_OK | constants.X_OK).catch(outOfReach(FILES_GONE));
  }

  /**
   * Removes what uploads left that were cut off by a kill, once it is older than `before`. No living upload is silent for so long: it
   * writes at least once an hour, or is ended.
   */
  async sweep(before: number): Promise<{ readonly files: number; readonly bytes: number }> {
    const swept = { files: 0, bytes: 0 };
    for await (const batch of batchesIn(this.folder, (name) => UNFINISHED.test(name))) {
      for (const { name, bytes } of batch.filter(({ changedAt }) => changedAt < before)) {
        await unlink(join(this.folder, name)).catch(ignore(['ENOENT']));
        swept.files += 1;
        swept.bytes += bytes;
      }
    }
    return swept;
  }
}

export async function* batchesIn(
  folder: string,
  isMeant: (name: string) => boolean,
): AsyncGenerator<readonly StoredFile[]> {
  let batch: StoredFile[] = [];
  for await (const { name } of await opendir(folder)) {
    if (!isMeant(name)) continue;
    const found = await stat(join(folder, name)).catch(ignore(['ENOENT']));
    if (found) batch.push({ name, bytes: found.size, changedAt: found.mtimeMs });
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** Turns what says that the folder is not there into `StoreUnavailable` with this sentence. */
export function outOfReach(sentence: string): (error: unknown) => never {
  return (error) => {
    if (!OUT_OF_REACH.includes(errorCode(error))) throw error;
    const mend = sentence === FILES_GONE ? ` ${PUT_BACK}` : '';
    throw new StoreUnavailable(sentence, { cause: new Error(`${messageOf(error)}.${mend}`, { cause: error }) });
  };
}

export function ignore(codes: readonly string[]): (error: unknown) => undefined {
  return (error) => {
    if (codes.includes(errorCode(error))) return undefined;
    throw error;
  };
}
