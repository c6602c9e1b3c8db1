import { resolve } from 'node:path';
import { UsageError } from '../ground/errors.ts';
import { command, jsonOption } from './command.ts';
import { readDatabase, readDataFolder } from './options.ts';
import { storeOptions } from './withStore.ts';

export const backup = command({
  name: 'backup',
  summary: 'copy all data while services may be running',
  about:
    'Copies all data of one moment into a folder, the attached files included, while services go on writing. A service starts from it with serve --data FOLDER. With --database the files only are copied, into a folder that may have some of them: copy the database with pg_dump, then run this command again for what was attached meanwhile.',
  options: { ...storeOptions, ...jsonOption },
  operands: ['FOLDER'],
  examples: [
    '/backups/tracker-2026-11-21 --data /srv/tracker',
    '/backups/tracker --data /srv/tracker --database postgres://ada@db.example.org/tracker',
  ],
  run: async (given, [target = '']) => {
    const { backUp } = await import('../transfer/transfer.ts');
    if (target.trim() === '') throw new UsageError('FOLDER is missing.');
    const isServer = readDatabase(given.database).database !== undefined;
    const data = resolve(readDataFolder(given.data));
    const progress = progressBar(process.stderr);
    const wishes = { target, isServer, onProgress: progress.show };
    const report = await backUp(data, wishes).finally(progress.end);
    const { folder, files, missing } = report;
    const counted = `${files} ${files === 1 ? 'file' : 'files'}`;
    const lines = [
      isServer
        ? `Attached files copied into ${folder}: ${counted}.`
        : `All data copied into ${folder}, with ${counted} attached.`,
    ];
    if (missing > 0)
      lines.push(`${missing} attachments have no file, and had none before or were deleted a moment ago.`);
    if (isServer) lines.push(PG_DUMP);
    return { text: `${lines.join('\n')}\n`, data: { ...report, hasDatabase: !isServer } };
  },
});

const PG_DUMP =
  'The database is not in it. Copy it with PostgreSQL\'s own pg_dump, for instance "pg_dump --format=custom --file=tracker.dump URL", and run this again for files that were attached meanwhile. pg_restore puts it back.';

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
