import { resolve } from 'node:path';
import { UsageError } from '../ground/usageError.ts';
import { command, jsonOption } from './command.ts';
import { readDatabase, readDataFolder } from './options.ts';
import { progressBar } from './progressBar.ts';
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
