import type { AttachmentFiles, StoredFile, SweptFile } from '../attachments/attachmentFiles.ts';
import { FolderPairing, type Pairing } from '../attachments/folderPairing.ts';
import { openAttachmentFiles } from '../attachments/openAttachmentFiles.ts';
import { type Tally, takeBackNamed } from '../attachments/sweepAttachments.ts';
import { UsageError } from '../ground/errors.ts';
import type { Database } from '../store/database.ts';
import { attachmentsBehind, knownStoredNames, type PlacedAttachment } from '../store/stories/attachments.ts';
import { command, jsonOption, moment, table } from './command.ts';
import { dataOptions, withOpenStore } from './withStore.ts';

const restore = {
  type: 'boolean',
  default: false,
  help: 'restore files from the trash that attachments use again',
} as const;

export const filesCheck = command({
  name: 'files check',
  summary: 'compare attached files with the database',
  about:
    'Compares attached files with the database. Lists attachments whose file is missing or has a different length (with project, story and attachment), files without an attachment, and files in the trash. Changes nothing unless --restore is passed. Exits with 1 if a file is missing, truncated or altered.',
  options: { restore, ...dataOptions, ...jsonOption },
  examples: ['--data /srv/tracker', '--data /srv/tracker --restore', '--json'],
  run: async (given) =>
    withOpenStore(given, async (data) => {
      const { database } = data;
      const files = await openAttachmentFiles(data);
      const report = await checkFiles(files, database, given.restore);
      const isWrong = report.missing.length + report.cut.length > 0;
      return { text: textOf(report, files.place), data: dataOf(report, files.place), isWrong };
    }),
});

function textOf({ pairing, named, missing, cut, leftOver, trash, restored }: FilesReport, folder: string): string {
  const lost = trash.filter(({ isNamed }) => isNamed).length;
  return [
    pairing.kind === 'paired' ? `${folder} belongs to this database.` : pairing.message,
    restored.files > 0 ? `Restored from the trash: ${amount(restored.files, restored.bytes)}.` : '',
    `Attachments: ${named}. Missing: ${missing.length}. Truncated or altered: ${cut.length}.`,
    table(missing.map((one) => [...placeOf(one), 'missing'])).trimEnd(),
    table(cut.map((one) => [...placeOf(one), `${one.found} bytes instead of ${one.size}`])).trimEnd(),
    leftOver.length > 0 ? `Files without an attachment: ${amount(leftOver.length, bytesOf(leftOver))}.` : '',
    trash.length > 0 ? `In the trash: ${amount(trash.length, bytesOf(trash))}.` : '',
    lost > 0 ? `Attachments use ${lost} of them again. Restore with --restore.` : '',
  ]
    .filter((line) => line !== '')
    .map((line) => `${line}\n`)
    .join('');
}

function placeOf({ project, projectName, story, storyName, attachment, filename }: PlacedAttachment) {
  return [`project ${project}`, projectName, `story ${story}`, storyName, `attachment ${attachment}`, filename];
}

function amount(files: number, bytes: number): string {
  return `${files} ${files === 1 ? 'file' : 'files'} of ${bytes} bytes`;
}

function bytesOf(files: readonly { readonly bytes: number }[]): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}

function dataOf({ pairing, leftOver, ...report }: FilesReport, folder: string): unknown {
  return {
    folder,
    isPaired: pairing.kind === 'paired',
    ...(pairing.kind !== 'paired' && { why: pairing.kind, message: pairing.message }),
    ...report,
    leftOver: leftOver.map(({ changedAt, ...file }) => ({ ...file, changedAt: moment(changedAt) })),
  };
}

/** Attachments that are asked for at once. */
const ATTACHMENTS_AT_ONCE = 500;

/** What a folder of attached files holds and lacks, compared with what the database names. */
interface FilesReport {
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
async function checkFiles(files: AttachmentFiles, database: Database, restores: boolean): Promise<FilesReport> {
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
    const page = await database.read((tx) => attachmentsBehind(tx, last, ATTACHMENTS_AT_ONCE));
    if (page.length === 0) return { named, missing, cut };
    for (const one of page) {
      const found = await files.sizeOf(one.storedAs);
      if (found === undefined) missing.push(one);
      else if (found !== one.size) cut.push({ ...one, found });
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

const anyway = { type: 'boolean', default: false, help: 'even if most files have no attachment' } as const;

export const filesPair = command({
  name: 'files pair',
  summary: 'confirm that the attached files belong to the database',
  about:
    'Confirms that the attached files in the data folder belong to this database as it is, for example after you restored an older copy of it on purpose. Services then move files without an attachment to the trash and delete them a month later. Run files check first.',
  options: { anyway, ...dataOptions, ...jsonOption },
  examples: ['--data /srv/tracker', '--data /srv/tracker --database postgres://ada@db.example.org/tracker'],
  run: async (given) =>
    withOpenStore(given, async (data) => {
      const { database } = data;
      const files = await openAttachmentFiles(data);
      const pairing = new FolderPairing(files, database);
      const { there, known } = await pairing.acquaintance();
      const counted = `This database lists ${known} of the ${there} attached files in ${files.place}.`;
      if (there - known > known && !given.anyway) {
        throw new UsageError(
          `${counted} Pairing them moves the others to the trash. Pass the right database with --database or --data, or add --anyway.`,
        );
      }
      await pairing.pair();
      const text = `${counted} They are now paired.\n`;
      return { text, data: { folder: files.place, files: there, named: known } };
    }),
});
