/** `decodeRace FILE [ROUNDS]`: reads an `iterations` document with our reader and with others, in turns, everything kept. */
import { readFileSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { XMLParser } from 'fast-xml-parser';
import { parseStringPromise } from 'xml2js';
import { iterationList } from '../../../src/client/http/answers.ts';
import type { RaceTimes } from '../decode.ts';
import { chunksOf } from '../support/chunks.ts';
import { rounds } from '../support/rounds.ts';

const bytes = readFileSync(process.argv[2] ?? '');
const text = bytes.toString();
const parser = new XMLParser({ ignoreAttributes: false, parseTagValue: false });

async function timed(read: () => unknown): Promise<number> {
  globalThis.gc?.();
  await nextTurn();
  const begun = performance.now();
  const kept = await read();
  const time = performance.now() - begun;
  if (kept === undefined) throw new Error('Nothing was read.');
  return time;
}

rounds(Number(process.argv[3] ?? 7), {
  ours: () => timed(() => iterationList(chunksOf(bytes))),
  fastXmlParser: () => timed(() => parser.parse(text)),
  xml2js: () => timed(() => parseStringPromise(text)),
}).then((times: RaceTimes) => process.stdout.write(`${JSON.stringify(times)}\n`));
