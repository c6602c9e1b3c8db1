import assert from 'node:assert/strict';
import type { LookupAddress } from 'node:dns';
import { setImmediate as turn } from 'node:timers/promises';
import { NameLookups } from '../../../../src/service/webHooks/nameLookups.ts';

describe('lookups of names', () => {
  let asked: { name: string; answer: (addresses: readonly LookupAddress[]) => void; fail: (error: Error) => void }[];
  let lookups: NameLookups;

  beforeEach(() => {
    asked = [];
    lookups = new NameLookups((name) => new Promise((answer, fail) => asked.push({ name, answer, fail })));
  });

  const names = () => asked.map(({ name }) => name);
  const address = { address: '8.8.8.8', family: 4 };

  it('are two at a time, whether they go well or not', async () => {
    const answers = ['a', 'b', 'c', 'd'].map((name) => lookups.addressesOf(name));
    assert.deepEqual(names(), ['a', 'b']);
    asked[1]?.fail(new Error('Nobody knows b.'));
    await assert.rejects(answers[1] ?? assert.fail(), /knows b/);
    await turn();
    assert.deepEqual(names(), ['a', 'b', 'c']);
    asked[0]?.answer([address]);
    await answers[0];
    await turn();
    assert.deepEqual(names(), ['a', 'b', 'c', 'd']);
    asked[2]?.answer([]);
    asked[3]?.answer([address]);
    assert.deepEqual(await Promise.all([answers[0], answers[2], answers[3]]), [[address], [], [address]]);
  });

  it('are shared by those who ask for the same name, and made anew afterwards', async () => {
    const [first, second] = [lookups.addressesOf('a'), lookups.addressesOf('a')];
    assert.deepEqual(names(), ['a']);
    asked[0]?.answer([address]);
    assert.deepEqual(await Promise.all([first, second]), [[address], [address]]);
    void lookups.addressesOf('a');
    assert.deepEqual(names(), ['a', 'a']);
  });
});
