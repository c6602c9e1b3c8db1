import { join } from 'node:path';
import { temporaryFolder } from '../../scripts/vscode/temporaryFolder.ts';
import { againstBare } from './support/againstBare.ts';
import type { Bench } from './support/bench.ts';
import { startService } from './support/service.ts';

/** Reads of the service that nothing has changed since, each against a bare `node:http` server that sends the same bytes. */
export const reads: Bench = {
  name: 'reads',
  async run() {
    const folder = temporaryFolder('bench-reads');
    const service = await startService(join(folder.path, 'data'), '--demo');
    try {
      const compared = { folder: folder.path, service, token: service.said.token };
      return [
        ...(await againstBare(
          'current_backlog of an unchanged project',
          '/projects/1/iterations/current_backlog',
          compared,
        )),
        ...(await againstBare('one project (a small guarded read)', '/projects/1', compared)),
        ...(await againstBare('no activity since then', '/activities?newer_than_version=999999', compared)),
      ];
    } finally {
      await service.stop();
      await folder.remove();
    }
  },
};
