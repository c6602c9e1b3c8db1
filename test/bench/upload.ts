import { execFile } from 'node:child_process';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { temporaryFolder } from '../../scripts/vscode/temporaryFolder.ts';
import { receive } from './receive.ts';
import { atLeast, atMost, type Bench, type Row } from './support/bench.ts';
import { answerOf, bundledProgram, startProgram } from './support/program.ts';
import { rounds } from './support/rounds.ts';
import { median, medianRatio } from './support/statistics.ts';
import { rounded } from './support/table.ts';

/** What `programs/uploadFile.ts` prints. */
export interface UploadFigures {
  readonly milliseconds: number;
  /** Peak memory over that of the same process before the upload. */
  readonly megabytes: number;
}

const MIB = 1024 * 1024;
const SIZES = [64, 512, 2048] as const;
const MAIN_SIZE = 512;

/** Sending files: speed against `curl -F`, memory at several sizes; then receiving them. */
export const upload: Bench = {
  name: 'upload',
  async run() {
    const folder = temporaryFolder('bench-upload');
    const sink = await startProgram<string>(await bundledProgram('sink', folder.path), []);
    try {
      const program = await bundledProgram('uploadFile', folder.path);
      const files = new Map<number, string>();
      for (const size of SIZES) files.set(size, await sparseFile(size, folder.path));
      const send = (size: number) => answerOf<UploadFigures>(program, [sink.said, files.get(size) ?? '']);
      const main = files.get(MAIN_SIZE) ?? '';
      return [await speed(send, main, sink.said), ...(await memory(send)), ...(await receive(main, folder.path))];
    } finally {
      await sink.stop();
      await folder.remove();
    }
  },
};

type Send = (size: number) => Promise<UploadFigures>;

async function sparseFile(mebibytes: number, folder: string): Promise<string> {
  const path = join(folder, `${mebibytes}.bin`);
  const file = await open(path, 'w');
  await file.truncate(mebibytes * MIB);
  await file.close();
  return path;
}

async function speed(send: Send, file: string, sink: string): Promise<Row> {
  const { ours, curl } = await rounds(7, {
    ours: async () => (await send(MAIN_SIZE)).milliseconds,
    curl: () => curlMilliseconds(file, `${sink}/services/v3/projects/1/stories/1/attachments`),
  });
  return {
    what: `upload ${MAIN_SIZE} MiB: speed against curl -F`,
    value: medianRatio(curl, ours),
    unit: '×',
    goal: atLeast(0.5),
    detail: `${rounded(median(ours))} ms; curl ${rounded(median(curl))} ms; the same sink process for both`,
  };
}

/** By curl's own clock, so that starting it does not count. */
async function curlMilliseconds(file: string, address: string): Promise<number> {
  const args = ['--silent', '--show-error', '--output', '/dev/null', '--write-out', '%{time_total}'];
  const { stdout } = await promisify(execFile)('curl', [...args, '--form', `Filedata=@${file}`, address]);
  return Number(stdout) * 1000;
}

async function memory(send: Send): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const size of SIZES) {
    const samples: number[] = [];
    for (let run = 0; run < 5; run += 1) samples.push((await send(size)).megabytes);
    rows.push({
      what: `upload ${size} MiB: peak memory over idle`,
      value: median(samples),
      unit: 'MB',
      goal: atMost(40),
      detail: `median of ${samples.length}, ${rounded(Math.min(...samples))} to ${rounded(Math.max(...samples))} MB; sparse file`,
    });
  }
  return rows;
}
