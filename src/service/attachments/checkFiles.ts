import { stat } from 'node:fs/promises';
import type { Database } from '../store/database.ts';
import { attachmentsBehind, knownStoredNames, type PlacedAttachment } from '../store/stories/attachments.ts';
import type { AttachmentFiles, StoredFile } from './attachmentFiles.ts';
import { FolderPairing, type Pairing } from './folderPairing.ts';
import { type Tally, takeBackNamed } from './sweepAttachments.ts';
import type { SweptFile } from './trash.ts';

/** Attachments that are asked for at once. */
const PAGE = 500;

/** What a folder of attached files holds and lacks, compared with what the database names. */
export interface FilesReport {
  readonly pairing: Pairing;
  /** How many attachments there are. */
  readonly named: number;
  /** Those whose file is not in its place. */
  readonly missing: readonly PlacedAttachment[];
  /** Those whose file has another length than was attached. */
  readonly cut: readonly (PlacedAttachment & { readonly found: number })[];
  /** Files that no attachment names. The young ones may be about to be named. */
  readonly leftOver: readonly StoredFile[];
  readonly trash: readonly (SweptFile & { readonly isNamed: boolean })[];
  /** What was taken back from the trash before all this was looked at. */
  readonly restored: Tally;
}

/** Looks at every attachment and every file. `restores` what the trash has of files that are named. */
export async function checkFiles(files: AttachmentFiles, database: Database, restores: boolean): Promise<FilesReport> {
  const restored = restores ? await takeBackNamed({ files, database }) : { files: 0, bytes: 0 };
  const pairing = await new FolderPairing(files, database).look();
  const named = await compareNamed(files, database);
  const leftOver: StoredFile[] = [];
  for await (const batch of files.batches()) leftOver.push(...(await split(database, batch)).unnamed);
  const trash: FilesReport['trash'][number][] = [];
  for await (const batch of files.trash.batches()) {
    const parts = await split(database, batch);
    trash.push(...parts.named.map((file) => ({ ...file, isNamed: true })));
    trash.push(...parts.unnamed.map((file) => ({ ...file, isNamed: false })));
  }
  return { pairing, ...named, leftOver, trash, restored };
}

async function compareNamed(files: AttachmentFiles, database: Database) {
  const missing: PlacedAttachment[] = [];
  const cut: FilesReport['cut'][number][] = [];
  let [named, last] = [0, 0];
  for (;;) {
    const page = await database.read((tx) => attachmentsBehind(tx, last, PAGE));
    if (page.length === 0) return { named, missing, cut };
    for (const one of page) {
      const found = await stat(files.path(one.storedAs)).catch(() => undefined);
      if (!found) missing.push(one);
      else if (found.size !== one.size) cut.push({ ...one, found: found.size });
    }
    named += page.length;
    last = page.at(-1)?.attachment ?? last;
  }
}

async function split<T extends { readonly name: string }>(database: Database, batch: readonly T[]) {
  const names = batch.map(({ name }) => name);
  const known = await database.read((tx) => knownStoredNames(tx, names));
  return { named: batch.filter(({ name }) => known.has(name)), unnamed: batch.filter(({ name }) => !known.has(name)) };
}
