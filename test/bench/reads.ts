import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { temporaryFolder } from '../../scripts/vscode/temporaryFolder.ts';
import { startPostgres } from '../support/postgres/postgresServer.ts';
import { againstBare } from './support/againstBare.ts';
import type { Bench, Row } from './support/bench.ts';
import { startService } from './support/service.ts';

/** Milliseconds after which a process knows whether it writes to its PostgreSQL alone. */
const ALONE = 10_000;

/** Reads of the service that nothing has changed since, each against a bare `node:http` server that sends the same bytes; on both databases. */
export const reads: Bench = {
  name: 'reads',
  async run() {
    const folder = temporaryFolder('bench-reads');
    try {
      return [...(await rowsOn('SQLite', join(folder.path, 'sqlite'))), ...(await rowsOnPostgres(folder.path))];
    } finally {
      await folder.remove();
    }
  },
};

async function rowsOnPostgres(folder: string): Promise<readonly Row[]> {
  const server = await startPostgres({ isDurable: true });
  const options = ['--database', server.address];
  try {
    const one = await rowsOn('PostgreSQL', join(folder, 'postgres'), ...options);
    const other = await startService(join(folder, 'postgres'), ...options);
    try {
      return [...one, ...(await rowsOn('PostgreSQL, one of two processes', join(folder, 'postgres'), ...options))];
    } finally {
      await other.stop();
    }
  } finally {
    await server.stop();
  }
}

async function rowsOn(store: string, folder: string, ...options: readonly string[]): Promise<readonly Row[]> {
  const service = await startService(folder, '--demo', ...options);
  try {
    const compared = { folder, service, token: service.said.token };
    await wait(ALONE);
    const rows: Row[] = [];
    for (const [name, path] of READS) rows.push(...(await againstBare(`${name} (${store})`, path, compared)));
    return rows;
  } finally {
    await service.stop();
  }
}

const READS = [
  ['current_backlog of an unchanged project', '/projects/1/iterations/current_backlog'],
  ['one project, a small guarded read', '/projects/1'],
  ['no activity since then', '/activities?newer_than_version=999999'],
] as const;
