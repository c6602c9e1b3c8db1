import { execFile } from 'node:child_process';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { atLeast, type Row } from './support/bench.ts';
import { rounds } from './support/rounds.ts';
import { startService } from './support/service.ts';
import { median, medianRatio } from './support/statistics.ts';
import { rounded } from './support/table.ts';

const run = promisify(execFile);

/** The service taking a file from curl, against the same bytes through a pipe into `cat > file`; on disk for good both times. */
export async function receive(file: string, folder: string): Promise<readonly Row[]> {
  const data = join(folder, 'data');
  const service = await startService(data, '--demo');
  try {
    const { url, token } = service.said;
    const address = `${url}/services/v3/projects/1/stories/${await anyStory(url, token)}/attachments`;
    const { size } = await stat(file);
    const timed = async (work: () => Promise<unknown>, clean: () => Promise<unknown>) => {
      const begun = performance.now();
      await work();
      const time = performance.now() - begun;
      await clean();
      return time;
    };
    const copy = join(folder, 'copy.bin');
    const shell = (command: string) => run('sh', ['-c', command, 'sh', file, copy]);
    const { ours, durable, loose } = await rounds(7, {
      ours: () =>
        timed(
          () => send(file, address, token),
          () => removeLarge(join(data, 'attachments'), size),
        ),
      durable: () =>
        timed(
          () => shell('cat "$1" | cat > "$2" && sync -d "$2"'),
          () => rm(copy),
        ),
      loose: () =>
        timed(
          () => shell('cat "$1" | cat > "$2"'),
          () => rm(copy),
        ),
    });
    return [
      {
        what: `receive ${size / 1024 / 1024} MiB to disk: speed against cat > file, both synced`,
        value: medianRatio(durable, ours),
        unit: '×',
        goal: atLeast(0.9),
        detail: `${rounded(median(ours))} ms; cat through a pipe into a file, synced, ${rounded(median(durable))} ms; without sync ${rounded(median(loose))} ms`,
      },
    ];
  } finally {
    await service.stop();
  }
}

async function send(file: string, address: string, token: string): Promise<void> {
  const args = ['--silent', '--show-error', '--fail', '--output', '/dev/null', '--header', `X-ServiceToken: ${token}`];
  await run('curl', [...args, '--form', `Filedata=@${file}`, address]);
}

async function anyStory(url: string, token: string): Promise<string> {
  const answer = await fetch(`${url}/services/v3/projects/1/stories?limit=1`, { headers: { 'X-ServiceToken': token } });
  const id = /<id type="integer">(\d+)</.exec(await answer.text())?.[1];
  if (id === undefined) throw new Error('The demo project has no story.');
  return id;
}

/** The disk need not hold the file of every round. */
async function removeLarge(folder: string, size: number): Promise<void> {
  for (const name of await readdir(folder)) {
    if ((await stat(join(folder, name))).size === size) await rm(join(folder, name));
  }
}
