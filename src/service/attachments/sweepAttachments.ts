import type { ServiceLog } from '../ground/background.ts';
import type { Database } from '../store/database.ts';
import type { DatabaseMark } from '../store/databaseState.ts';
import { attachmentsBehind, countAttachments, knownStoredNames } from '../store/stories/attachments.ts';
import { type AttachmentFiles, isOver } from './attachmentFiles.ts';
import type { FolderPairing } from './folderPairing.ts';

const DAY = 24 * 60 * 60 * 1000;
/** Attachments whose files are looked for at once, and at all: a folder of a million is not looked through for a warning. */
const PAGE = 500;
const MOST_LOOKED_FOR = 5_000;

interface SweepNeeds {
  readonly files: AttachmentFiles;
  readonly pairing: FolderPairing;
  readonly database: Database;
  readonly log: ServiceLog;
}

/** How much was moved or removed. */
export interface Tally {
  readonly files: number;
  readonly bytes: number;
}

/**
 * Tidies up the folder of attached files. What no attachment names and is older than a day goes to the trash, and from there for good
 * after a month: what kills left behind, and files of a deletion that was cut off. This only where folder and database belong together.
 * What is named again comes back. All ages are told by the clock of the file system.
 */
export async function sweepAttachments(needs: SweepNeeds): Promise<void> {
  const { files, pairing, log } = needs;
  const now = await files.now();
  const tell = (event: string, tally: Tally, where: string): void => {
    if (tally.files > 0) log({ event, ...tally, in: where });
  };
  tell('uploadsRemoved', await files.sweepIncoming(now - DAY), files.place);
  tell('filesTakenBack', await takeBackNamed(needs), files.place);
  await warnOfMissing(needs);
  const pair = await pairing.look();
  if (pair.kind !== 'paired') return log({ event: 'warning', about: 'files', message: pair.message });
  tell('filesSwept', await sweepUnnamed(needs, pair.mark, now), files.trash.place(now));
  tell('filesRemoved', await emptyTrash(needs, pair.mark, now), files.place);
}

/** Puts files back from the trash that the database names, whatever else is true of it. */
export async function takeBackNamed({ files, database }: Pick<SweepNeeds, 'files' | 'database'>): Promise<Tally> {
  const tally = { files: 0, bytes: 0 };
  for await (const batch of files.trash.batches()) {
    const names = batch.map(({ name }) => name);
    const named = await database.read((tx) => knownStoredNames(tx, names));
    for (const { name, bytes } of batch) if (named.has(name) && (await files.trash.takeBack(name))) add(tally, bytes);
  }
  return tally;
}

async function sweepUnnamed({ files, pairing }: SweepNeeds, mark: DatabaseMark, now: number): Promise<Tally> {
  const tally = { files: 0, bytes: 0 };
  for await (const batch of files.batches()) {
    const old = batch.filter(({ changedAt }) => now - changedAt > DAY);
    for (const { name, bytes } of await unnamed(pairing, old, mark))
      if (await files.trash.put(name, now)) add(tally, bytes);
  }
  return tally;
}

async function emptyTrash({ files, pairing }: SweepNeeds, mark: DatabaseMark, now: number): Promise<Tally> {
  const tally = { files: 0, bytes: 0 };
  for await (const batch of files.trash.batches()) {
    const over = batch.filter((file) => isOver(file, now));
    for (const file of await unnamed(pairing, over, mark)) {
      await files.trash.removeForGood(file);
      add(tally, file.bytes);
    }
  }
  await files.trash.removeEmptyDays();
  return tally;
}

/** None where the database was set back a moment ago. */
async function unnamed<T extends { readonly name: string }>(
  pairing: FolderPairing,
  batch: readonly T[],
  mark: DatabaseMark,
): Promise<readonly T[]> {
  if (batch.length === 0) return [];
  const names = batch.map(({ name }) => name);
  const named = await pairing.namesAmong(names, mark);
  return named ? batch.filter(({ name }) => !named.has(name)) : [];
}

/** Likely the wrong folder, or a disk that is not there, where there is no file at all. */
async function warnOfMissing({ files, database, log }: SweepNeeds): Promise<void> {
  const named = await database.read(countAttachments);
  if (named === 0) return;
  for await (const batch of files.batches()) {
    if (batch.length === 0) continue;
    const missing = await countMissing(files, database);
    if (missing === 0) return;
    const looked = named > MOST_LOOKED_FOR ? `the first ${MOST_LOOKED_FOR} of ${named}` : `${named}`;
    const verb = missing === 1 ? 'is' : 'are';
    const message = `${missing} of ${looked} attached files ${verb} missing in ${files.place}. Run: service files check ${files.options}`;
    return log({ event: 'warning', about: 'files', message });
  }
  const message = `None of the ${named} attached files in the database are in ${files.place}. Pass where they are with --data or --files, or restore them from a backup.`;
  log({ event: 'warning', about: 'files', message });
}

/** How many of the first attachments have no file; those that are deleted in the meantime do not count. */
async function countMissing(files: AttachmentFiles, database: Database): Promise<number> {
  let [missing, last] = [0, 0];
  for (let looked = 0; looked < MOST_LOOKED_FOR; looked += PAGE) {
    const page = await database.read((tx) => attachmentsBehind(tx, last, PAGE));
    const lost: string[] = [];
    for (const { storedAs } of page) if ((await files.sizeOf(storedAs)) === undefined) lost.push(storedAs);
    if (lost.length > 0) missing += (await database.read((tx) => knownStoredNames(tx, lost))).size;
    last = page.at(-1)?.attachment ?? last;
    if (page.length < PAGE) break;
  }
  return missing;
}

function add(tally: { files: number; bytes: number }, bytes: number): void {
  tally.files += 1;
  tally.bytes += bytes;
}
