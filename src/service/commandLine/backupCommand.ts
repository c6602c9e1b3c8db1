import { constants } from 'node:os';
import { resolve } from 'node:path';
import { UsageError } from '../ground/errors.ts';
import { command, jsonOption } from './command.ts';
import { readDatabase, readDataFolder } from './options.ts';
import { storeOptions } from './withStore.ts';

const backupOptions = {
  dated: {
    type: 'boolean',
    default: false,
    help: 'make a new folder in FOLDER, named by date, such as story-tracker-2026-11-21',
  },
  embedded: {
    type: 'boolean',
    default: false,
    help: 'write progress as JSON to standard error; cancel when standard input closes',
  },
} as const;

export const backup = command({
  name: 'backup',
  summary: 'copy all data, even while services are running',
  about:
    'Copies a consistent snapshot of all data, including attached files, into a folder while services keep writing. A manifest in it says how each file was, which restore compares. To run a service from it, use serve --data FOLDER. With --database, copies only the attached files, into a folder that may already have some of them: copy the database with pg_dump, then run this command again for files attached in the meantime.',
  options: { ...storeOptions, ...backupOptions, ...jsonOption },
  operands: ['FOLDER'],
  examples: [
    '/backups/tracker-2026-11-21 --data /srv/tracker',
    '/backups --dated --data /srv/tracker',
    '/backups/tracker --data /srv/tracker --database postgres://ada@db.example.org/tracker',
  ],
  run: async (given, [target = '']) => {
    const { backUp } = await import('../transfer/backup.ts');
    if (target.trim() === '') throw new UsageError('Missing FOLDER.');
    const isServer = readDatabase(given.database).database !== undefined;
    const data = resolve(readDataFolder(given.data));
    const progress = given.embedded ? progressLines(process.stderr) : progressBar(process.stderr);
    if (given.embedded) endWithInput();
    const wishes = { target, isDated: given.dated, isServer, onProgress: progress.show };
    const report = await backUp(data, wishes).finally(progress.end);
    const { folder, files, missing } = report;
    const counted = `${files} ${files === 1 ? 'file' : 'files'}`;
    const lines = [
      isServer
        ? `Copied attached files into ${folder}: ${counted}.`
        : `Copied all data into ${folder}, with ${counted} attached.`,
    ];
    if (missing > 0) lines.push(`${withoutFile(missing)} Either there was none before, or it was just deleted.`);
    if (isServer) lines.push(PG_DUMP);
    return { text: `${lines.join('\n')}\n`, data: { ...report, hasDatabase: !isServer } };
  },
});

/** So many attachments, told in a sentence. */
export function withoutFile(count: number): string {
  return count === 1 ? '1 attachment has no file.' : `${count} attachments have no file.`;
}

const PG_DUMP =
  'The database is not in it. Copy it with PostgreSQL\'s own pg_dump, for instance "pg_dump --format=custom --file=tracker.dump URL", and run this again for files that were attached in the meantime. pg_restore puts it back.';

/** As a signal does, where who started this cannot send one. */
function endWithInput(): void {
  const end = (): void => {
    if (!process.emit('SIGTERM', 'SIGTERM')) process.exit(128 + constants.signals.SIGTERM);
  };
  process.stdin.on('end', end).on('error', end).resume();
}

const WIDTH = 30;
/** Milliseconds between two pictures. */
const PACE = 100;

interface Terminal {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

interface ProgressBar {
  /** Shows a part of the whole, from 0 to 1. */
  readonly show: (part: number) => void;
  /** Takes it off the screen. */
  readonly end: () => void;
}

/** For a program: a line of JSON for each percent. */
function progressLines(output: Terminal): ProgressBar {
  let shown = -1;
  return {
    show: (part) => {
      const percent = Math.floor(part * 100);
      if (percent <= shown) return;
      shown = percent;
      output.write(`${JSON.stringify({ progress: percent / 100 })}\n`);
    },
    end: () => undefined,
  };
}

/** A bar on a terminal; nothing where the output goes elsewhere. */
export function progressBar(terminal: Terminal, clock: () => number = Date.now): ProgressBar {
  if (terminal.isTTY !== true) return { show: () => undefined, end: () => undefined };
  let shownAt = Number.NEGATIVE_INFINITY;
  return {
    show: (part) => {
      if (clock() - shownAt < PACE) return;
      shownAt = clock();
      const done = Math.round(Math.min(Math.max(part, 0), 1) * WIDTH);
      const percent = String(Math.floor((done / WIDTH) * 100)).padStart(3);
      terminal.write(`\r[${'#'.repeat(done)}${' '.repeat(WIDTH - done)}] ${percent} %`);
    },
    end: () => void terminal.write(`\r${' '.repeat(WIDTH + 8)}\r`),
  };
}

export const restoreCommand = command({
  name: 'restore',
  summary: 'put a backup where a service finds its data',
  about:
    'Copies a backup into an empty or new data folder, and checks that each file is as it was when the backup was made. If one differs, nothing is restored. Stop services that use the folder first, and move their data away. For a backup of attached files only, restore the database with pg_restore.',
  options: { data: storeOptions.data, ...jsonOption },
  operands: ['FOLDER'],
  examples: ['/backups/tracker-2026-11-21 --data /srv/tracker'],
  run: async (given, [backup = '']) => {
    const { restore } = await import('../transfer/restore.ts');
    const progress = progressBar(process.stderr);
    const report = await restore(backup, readDataFolder(given.data), progress.show).finally(progress.end);
    const { folder, made, files, hasDatabase } = report;
    const counted = `${files} attached ${files === 1 ? 'file' : 'files'}`;
    const what = hasDatabase ? `all data, with ${counted},` : counted;
    const lines = [`Restored ${what} from the backup of ${made} to ${folder}.`];
    if (!hasDatabase) lines.push('The database is not in the backup. Restore it with pg_restore.');
    return { text: `${lines.join('\n')}\n`, data: report };
  },
});
