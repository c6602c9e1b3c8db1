import { resolve } from 'node:path';
import { UsageError } from '../ground/errors.ts';
import { command, jsonOption } from './command.ts';
import { readDatabase, readDataFolder } from './options.ts';
import { storeOptions } from './withStore.ts';

export const backup = command({
  name: 'backup',
  summary: 'copy all data, even while services are running',
  about:
    'Copies a consistent snapshot of all data, including attached files, into a folder while services keep writing. To run a service from it, use serve --data FOLDER. With --database, copies only the attached files, into a folder that may already have some of them: copy the database with pg_dump, then run this command again for files attached in the meantime.',
  options: { ...storeOptions, ...jsonOption },
  operands: ['FOLDER'],
  examples: [
    '/backups/tracker-2026-11-21 --data /srv/tracker',
    '/backups/tracker --data /srv/tracker --database postgres://ada@db.example.org/tracker',
  ],
  run: async (given, [target = '']) => {
    const { backUp } = await import('../transfer/transfer.ts');
    if (target.trim() === '') throw new UsageError('Missing FOLDER.');
    const isServer = readDatabase(given.database).database !== undefined;
    const data = resolve(readDataFolder(given.data));
    const progress = progressBar(process.stderr);
    const wishes = { target, isServer, onProgress: progress.show };
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
