/**
 * The long run against the XML reader: `npm run node -- scripts/fuzzXml.ts [count] [seed]`. Changed fixtures and noise, read in one piece and in
 * random chunks, decoded as every resource. Ends with 1 and the input at the first error that is not an `XmlError`, at the
 * first difference between the two ways of reading, and at any write to `Object.prototype`.
 */
import assert from 'node:assert/strict';
import type { Element } from '../src/v3/element.ts';
import { readDocument, readText } from '../src/v3/read.ts';
import { XmlError } from '../src/v3/xmlError.ts';
import { survives } from '../test/unit/v3/everyReader.ts';
import { fixture, fixtureNames } from '../test/unit/v3/fixture.ts';
import { mutated, noise, seeded } from '../test/unit/v3/mutations.ts';

const count = Number(process.argv[2] ?? 1_000_000);
const seed = Number(process.argv[3] ?? Date.now() % 2 ** 31);
/** Reading one of these small inputs for longer than this is a hang, in milliseconds. */
const HANG = 1000;
const CHUNKED_EVERY = 10;

const documents = fixtureNames.map(fixture);
const random = seeded(seed);
let understood = 0;
let longest = 0;

for (let index = 0; index < count; index += 1) {
  const document = documents[index % documents.length] ?? '';
  const input = index % 4 === 3 ? noise(random) : Buffer.from(mutated(document, random));
  try {
    await check(input, index);
  } catch (error) {
    process.stderr.write(`input ${index} of seed ${seed}: ${JSON.stringify(Buffer.from(input).toString('latin1'))}\n`);
    throw error;
  }
  if (index % 100_000 === 99_999) process.stdout.write(`${index + 1} inputs\n`);
}
process.stdout.write(
  `${count} inputs, ${understood} understood, seed ${seed}, longest ${longest.toFixed(1)} ms: no other error\n`,
);

async function check(input: Uint8Array, index: number): Promise<void> {
  const start = performance.now();
  if (survives(() => readText(input))) understood += 1;
  const took = performance.now() - start;
  longest = Math.max(longest, took);
  assert.ok(took < HANG, `took ${took} ms`);
  assert.equal(Object.keys(Object.prototype).length, 0);
  if (index % CHUNKED_EVERY === 0) await checkChunked(input);
}

async function checkChunked(input: Uint8Array): Promise<void> {
  const cut = Math.floor(random() * (input.length + 1));
  const whole = await outcome(() => readText(input));
  const chunked = await outcome(() => readDocument([input.subarray(0, cut), input.subarray(cut)]));
  assert.deepEqual(chunked, whole);
}

/** The element, or that it was refused. */
async function outcome(read: () => Element | Promise<Element>): Promise<Element | 'refused'> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof XmlError) return 'refused';
    throw error;
  }
}
