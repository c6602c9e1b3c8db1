import { createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { temporaryFolder } from '../../scripts/vscode/temporaryFolder.ts';
import { atLeast, atMost, type Bench, type Row } from './support/bench.ts';
import type { Holds } from './support/hostHolds.ts';
import { iterationsDocument } from './support/iterationsDocument.ts';
import { answerOf, bundledProgram } from './support/program.ts';
import { median, medianRatio } from './support/statistics.ts';
import { rounded } from './support/table.ts';

type Milliseconds = readonly number[];

/** What `programs/decodeRace.ts` prints. */
export interface RaceTimes {
  readonly ours: Milliseconds;
  readonly fastXmlParser: Milliseconds;
  readonly xml2js: Milliseconds;
  /** Every byte looked at once. */
  readonly bytes: Milliseconds;
  /** The same stories, parsed from JSON. */
  readonly json: Milliseconds;
}

const STORIES = 10_000;
const MANY_STORIES = 50_000;

/** Reading a backlog: speed against parsers that are widely used, longest hold of the event loop, memory. */
export const decode: Bench = {
  name: 'decode',
  async run() {
    const folder = temporaryFolder('bench-decode');
    try {
      const short = await written(STORIES, folder.path);
      const long = await written(MANY_STORIES, folder.path);
      return [
        ...(await speed(STORIES, short, folder.path)),
        ...(await speed(MANY_STORIES, long, folder.path)),
        await block(STORIES, short, folder.path),
        await block(MANY_STORIES, long, folder.path),
        await memory(long, folder.path),
      ];
    } finally {
      await folder.remove();
    }
  },
};

async function written(stories: number, folder: string): Promise<string> {
  const path = join(folder, `${stories}.xml`);
  await pipeline(Readable.from(iterationsDocument(stories)), createWriteStream(path));
  return path;
}

async function speed(stories: number, path: string, folder: string): Promise<readonly Row[]> {
  const program = await bundledProgram('decodeRace', folder);
  const turns = String(stories === STORIES ? 7 : 3);
  const { ours, fastXmlParser, xml2js, bytes, json } = await answerOf<RaceTimes>(
    program,
    [path, turns],
    ['--expose-gc'],
  );
  const { size } = await stat(path);
  const pace = (times: Milliseconds) => `${rounded(median(times))} ms, ${rounded(size / 1000 / median(times))} MB/s`;
  const against = (name: string, times: Milliseconds): Row => ({
    what: `decode ${stories} stories, streamed, against ${name}`,
    value: medianRatio(times, ours),
    unit: '×',
    ...(stories === STORIES && { goal: atLeast(4) }),
    detail: `${pace(ours)}; ${name} ${pace(times)}`,
  });
  const floors: Row = {
    what: `decode ${stories} stories, streamed, against JSON.parse of the same stories`,
    value: medianRatio(json, ours),
    unit: '×',
    ...(stories === STORIES && { goal: atLeast(0.3) }),
    detail: `JSON.parse ${rounded(median(json))} ms; each byte looked at ${pace(bytes)}`,
  };
  return [against('fast-xml-parser', fastXmlParser), against('xml2js', xml2js), floors];
}

async function block(stories: number, path: string, folder: string): Promise<Row> {
  const program = await bundledProgram('decodeBlock', folder);
  const longest: Holds[] = [];
  for (let run = 0; run < 7; run += 1) longest.push(await answerOf<Holds>(program, [path]));
  const spread = (of: keyof Holds) => {
    const times = longest.map((one) => one[of]);
    return `${rounded(median(times))}, ${rounded(Math.min(...times))} to ${rounded(Math.max(...times))} ms`;
  };
  return {
    what: `decode ${stories} stories: longest hold of the event loop, by the processor`,
    value: median(longest.map(({ busy }) => busy)),
    unit: 'ms',
    goal: atMost(8),
    detail: `${longest.length} fresh processes, median and range ${spread('busy')}; by the clock ${spread('hold')}`,
  };
}

async function memory(path: string, folder: string): Promise<Row> {
  const program = await bundledProgram('decodeMemory', folder);
  const peaks: number[] = [];
  const bare: number[] = [];
  for (let run = 0; run < 5; run += 1) {
    bare.push(await answerOf<number>(program, []));
    peaks.push(await answerOf<number>(program, [path]));
  }
  return {
    what: `decode ${MANY_STORIES} stories, nothing kept: peak memory over bare Node`,
    value: median(peaks) - median(bare),
    unit: 'MB',
    goal: atMost(60),
    detail: `${rounded(median(peaks))} MB; bare Node ${rounded(median(bare))} MB`,
  };
}
