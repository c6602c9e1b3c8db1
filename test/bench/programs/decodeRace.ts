/**
 * `decodeRace FILE [ROUNDS]`: reads an `iterations` document with our reader and with others, in turns, everything kept; and what is less than
 * that: every byte looked at once, and the same stories as JSON. No part of our reader may be a contestant of its own:
 * after a collection, code that is used in two ways is optimised anew each time, and both take twice as long.
 */
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

function lookAtBytes(): number {
  let all = 0;
  for (let at = 0; at < bytes.length; at += 1) all ^= bytes[at] ?? 0;
  return all;
}

async function race(count: number): Promise<RaceTimes> {
  const json = JSON.stringify(await iterationList(chunksOf(bytes)));
  return rounds(count, {
    ours: () => timed(() => iterationList(chunksOf(bytes))),
    fastXmlParser: () => timed(() => parser.parse(text)),
    xml2js: () => timed(() => parseStringPromise(text)),
    bytes: () => timed(lookAtBytes),
    json: () => timed(() => JSON.parse(json)),
  });
}

race(Number(process.argv[3] ?? 7)).then((times) => process.stdout.write(`${JSON.stringify(times)}\n`));
