import assert from 'node:assert/strict';
import { restAskedFor } from '../../../../src/service/webHooks/postActivity.ts';

describe('the rest that a receiver asks for', () => {
  const now = Date.UTC(2026, 10, 21, 12);
  assertRest('120', 120_000);
  assertRest(' 5 ', 5_000);
  assertRest('Sat, 21 Nov 2026 12:01:00 GMT', 60_000);
  assertRest('Sat, 21 Nov 2026 11:00:00 GMT', 0);
  assertRest('soon', 0);
  assertRest('-5', 0);
  assertRest(undefined, 0);

  function assertRest(header: string | undefined, expected: number): void {
    it(`${header} is ${expected} ms`, () => assert.equal(restAskedFor(header, now), expected));
  }
});
