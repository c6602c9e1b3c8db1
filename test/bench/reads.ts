import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from '../../scripts/vscode/temporaryFolder.ts';
import { atLeast, type Bench, type Row } from './support/bench.ts';
import { answerOf, bundledProgram, startProgram } from './support/program.ts';
import { rounds } from './support/rounds.ts';
import { type Listening, startService } from './support/service.ts';
import { median, medianRatio } from './support/statistics.ts';
import { rounded } from './support/table.ts';

/** Reads of the service that nothing has changed since, each against a bare `node:http` server that sends the same bytes. */
export const reads: Bench = {
  name: 'reads',
  async run() {
    const folder = temporaryFolder('bench-reads');
    const service = await startService(join(folder.path, 'data'), '--demo');
    try {
      const place = { folder: folder.path, service: service.said };
      return [
        await compared('current_backlog of an unchanged project', '/projects/1/iterations/current_backlog', place),
        await compared('one project (a small guarded read)', '/projects/1', place),
        await compared('no activity since then, asked of the store', '/activities?newer_than_version=999999', place),
      ];
    } finally {
      await service.stop();
      await folder.remove();
    }
  },
};

interface Place {
  readonly folder: string;
  readonly service: Listening;
}

async function compared(name: string, path: string, { folder, service }: Place): Promise<Row> {
  const address = `${service.url}/services/v3${path}`;
  const bytes = Buffer.from(
    await (await fetch(address, { headers: { 'X-ServiceToken': service.token } })).arrayBuffer(),
  );
  const body = join(folder, 'body.xml');
  await writeFile(body, bytes);
  const bare = await startProgram<string>(await bundledProgram('bareServer', folder), [body]);
  try {
    const load = await bundledProgram('load', folder);
    const { ours, theirs } = await rounds(7, {
      ours: () => answerOf<number>(load, [address, service.token]),
      theirs: () => answerOf<number>(load, [bare.said, service.token]),
    });
    return {
      what: `read ${name}: rate against bare node:http`,
      value: medianRatio(ours, theirs),
      unit: '×',
      goal: atLeast(0.85),
      detail: `${rounded(median(ours))}/s; bare ${rounded(median(theirs))}/s; ${bytes.length} bytes, 8 connections`,
    };
  } finally {
    await bare.stop();
  }
}
