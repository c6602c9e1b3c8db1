import { openAsBlob } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { StoreUnavailable } from '../ground/errors.ts';
import { FairLock } from '../ground/fairQueue.ts';
import {
  type AttachmentFiles,
  checkedName,
  type FilesOwner,
  type FileTrash,
  isStoredName,
  noOwner,
  type StoredFile,
  type SweptFile,
} from './attachmentFiles.ts';
import { Bucket, PART, USUAL_PACE } from './bucket.ts';
import type { BucketAddress } from './bucketAddress.ts';
import type { FileSink } from './fileSink.ts';
import { BATCH, FILE_GONE, IncomingFiles } from './incomingFiles.ts';

/** How a swept file is called in its day: its name, and its bytes, which a list of the trash does not tell. */
const SWEPT = /^(\d{4}-\d{2}-\d{2})\/([0-9a-f]{32})-(\d{1,15})$/;

/** Throws `UsageError` where the bucket is not there or refuses these credentials. */
export async function openBucketFiles(
  folder: string,
  address: BucketAddress,
  owner: FilesOwner = noOwner,
  pace = USUAL_PACE,
): Promise<AttachmentFiles> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const bucket = new Bucket(address, pace);
  await bucket.requireThere();
  return new BucketFiles(await IncomingFiles.open(folder), bucket, owner);
}

/**
 * Attached files in a bucket of an S3-compatible store. A file arrives in a folder of this machine, and is sent on when it is whole. Nothing is
 * ever moved there, since a store would copy it: what is in the trash is a mark beside a file that stays.
 */
class BucketFiles implements AttachmentFiles {
  readonly trash: BucketTrash;
  private readonly incoming: IncomingFiles;
  private readonly bucket: Bucket;
  private readonly owner: FilesOwner;
  private readonly large = new FairLock();

  constructor(incoming: IncomingFiles, bucket: Bucket, owner: FilesOwner) {
    this.incoming = incoming;
    this.bucket = bucket;
    this.owner = owner;
    this.trash = new BucketTrash(bucket);
  }

  get place(): string {
    return this.bucket.name;
  }

  get options(): string {
    return `--files '${this.bucket.name}'`;
  }

  async create(storedName: string): Promise<FileSink> {
    await this.owner.requireOwn();
    return this.incoming.create(storedName);
  }

  async keep(storedName: string, sink: FileSink): Promise<void> {
    const path = this.incoming.path(storedName);
    await sink.finish();
    const send = async () => this.bucket.put(storedName, await openAsBlob(path));
    await ((await stat(path)).size > PART ? this.large.take('', send) : send());
    await this.incoming.remove(storedName);
  }

  /** The store answers once a file is there for good. */
  async sync(): Promise<void> {}

  async requireKept({ storedAs, size }: { readonly storedAs: string; readonly size: number }): Promise<void> {
    const found = await this.sizeOf(storedAs);
    if (found === size) return;
    const what = found === undefined ? 'is gone' : `was cut to ${found} bytes`;
    throw new StoreUnavailable(FILE_GONE, { cause: new Error(`${storedAs} in ${this.place} ${what}.`) });
  }

  noteNamed(): void {
    this.owner.noteNamed();
  }

  async read(storedName: string, size: number): Promise<Readable | undefined> {
    const answer = await this.bucket.get(checkedName(storedName));
    if (!answer?.body) return undefined;
    if (answer.headers.get('content-length') === String(size)) return Readable.fromWeb(answer.body);
    await answer.body.cancel();
    return undefined;
  }

  sizeOf(storedName: string): Promise<number | undefined> {
    return this.bucket.sizeOf(checkedName(storedName));
  }

  async discard(storedNames: readonly string[]): Promise<void> {
    if (storedNames.length === 0) return;
    const now = await this.now();
    for (const name of storedNames) await this.trash.put(checkedName(name), now);
  }

  async remove(storedName: string): Promise<void> {
    await this.bucket.remove(checkedName(storedName));
  }

  async abandon(storedName: string): Promise<void> {
    await this.incoming.remove(storedName);
    await this.remove(storedName);
  }

  async requireUsable(): Promise<void> {
    await this.incoming.requireUsable();
    await this.bucket.sizeOf('database.json');
  }

  /** By the clock of the store, which dates the files. */
  now(): Promise<number> {
    return this.bucket.now();
  }

  async *batches(): AsyncGenerator<readonly StoredFile[]> {
    const swept = await this.trash.names();
    for await (const objects of this.bucket.lists('')) {
      yield objects.filter(({ name }) => isStoredName(name) && !swept.has(name));
    }
  }

  sweepIncoming(before: number): Promise<{ readonly files: number; readonly bytes: number }> {
    return this.incoming.sweep(before);
  }

  note(name: string): Promise<string | undefined> {
    return this.bucket.text(name);
  }

  noteVersion(name: string): Promise<string | undefined> {
    return this.bucket.tag(name).catch(() => undefined);
  }

  async replace(name: string, text: string): Promise<void> {
    await this.bucket.put(name, new Blob([text]));
  }
}

/** Marks of the files that were swept: `trash/2026-11-27/NAME-BYTES`. */
class BucketTrash implements FileTrash {
  private readonly bucket: Bucket;

  constructor(bucket: Bucket) {
    this.bucket = bucket;
  }

  place(now: number): string {
    return `${this.bucket.name} (trash ${dayOf(now)})`;
  }

  async put(name: string, now: number): Promise<boolean> {
    const bytes = await this.bucket.sizeOf(name);
    if (bytes === undefined) return false;
    await this.bucket.put(`trash/${dayOf(now)}/${name}-${bytes}`, new Blob([]));
    return true;
  }

  async takeBack(name: string): Promise<boolean> {
    let wasThere = false;
    for await (const batch of this.batches()) {
      for (const file of batch.filter((one) => one.name === name)) {
        await this.bucket.remove(markOf(file));
        wasThere = true;
      }
    }
    return wasThere;
  }

  /** A list is in the order of names, so the days have to be turned round. */
  async *batches(): AsyncGenerator<readonly SweptFile[]> {
    const all: SweptFile[] = [];
    for await (const objects of this.bucket.lists('trash/')) {
      for (const { name } of objects) {
        const [, day, file, bytes] = SWEPT.exec(name) ?? [];
        if (day !== undefined && file !== undefined) all.push({ name: file, day, bytes: Number(bytes) });
      }
    }
    all.sort((one, other) => (one.day < other.day ? 1 : -1));
    for (let start = 0; start < all.length; start += BATCH) yield all.slice(start, start + BATCH);
  }

  async removeForGood(file: SweptFile): Promise<void> {
    await this.bucket.remove(file.name);
    await this.bucket.remove(markOf(file));
  }

  /** A bucket has no folders. */
  async removeEmptyDays(): Promise<void> {}

  async names(): Promise<ReadonlySet<string>> {
    const names = new Set<string>();
    for await (const batch of this.batches()) for (const { name } of batch) names.add(name);
    return names;
  }
}

function markOf({ day, name, bytes }: SweptFile): string {
  return `trash/${day}/${name}-${bytes}`;
}

function dayOf(now: number): string {
  return new Date(now).toISOString().slice(0, 10);
}
