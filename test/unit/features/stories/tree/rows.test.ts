import assert from 'node:assert/strict';
import fc from 'fast-check';
import { sameValue } from '../../../../../src/features/stories/tree/rows.ts';

describe('sameValue', () => {
  it('holds between a value and its copy', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => sameValue(value, structuredClone(value))));
  });

  it('tells values apart', () => {
    const cases: readonly (readonly [unknown, unknown])[] = [
      [1, '1'],
      [
        [1, 2],
        [2, 1],
      ],
      [[1], [1, 2]],
      [{ a: 1 }, { b: 1 }],
      [{ a: undefined }, { b: undefined }],
      [{ a: { b: [{ c: 1 }] } }, { a: { b: [{ c: 2 }] } }],
      [null, {}],
      [[], {}],
      [undefined, null],
    ];
    for (const [a, b] of cases) {
      assert.equal(sameValue(a, b), false, JSON.stringify([a, b]));
      assert.equal(sameValue(b, a), false, JSON.stringify([b, a]));
    }
  });
});
