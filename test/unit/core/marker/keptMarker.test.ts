import assert from 'node:assert/strict';
import fc from 'fast-check';
import { named, withTurn } from '../../../../src/core/marker/keptMarker.ts';

describe('The marker that is kept in the commit box', () => {
  const assertTurn = (text: string, from: number | undefined, to: number | undefined, expected: string) =>
    it(`${JSON.stringify(text)} from ${from} to ${to} → ${JSON.stringify(expected)}`, () => {
      assert.equal(withTurn(text, { from, to, options: { room: 'both' } }).text, expected);
    });

  assertTurn('', undefined, 12, ' [fixes #12] ');
  assertTurn('Sort', undefined, 12, 'Sort [fixes #12]');
  assertTurn('# Sort\n\nBody', undefined, 12, '# Sort [fixes #12]\n\nBody');
  assertTurn('Sort [#34]', undefined, 12, 'Sort [#34]');
  assertTurn(' [fixes #12]', 12, 34, ' [fixes #34] ');
  assertTurn(' [fixes #12] ', 12, 34, ' [fixes #34] ');
  assertTurn(' [fixes #12] ', 12, undefined, '');
  assertTurn(' [fixes #12]', 12, undefined, '');
  assertTurn('Sort [fixes #12]', 12, 34, 'Sort [fixes #12]');
  assertTurn('Sort [fixes #12]', 12, undefined, 'Sort [fixes #12]');
  assertTurn(' [fixes #12 #13]', 12, 34, ' [fixes #12 #13]');
  assertTurn('Sort', 12, undefined, 'Sort');

  it('takes no word away that a person wrote', () => {
    const property = fc.property(fc.string({ maxLength: 40 }), (text) => {
      const after = withTurn(text, { from: 12, to: 34, options: {} }).text;
      for (const word of text.split(/\s+/)) assert.ok(after.includes(word), word);
    });
    fc.assert(property);
  });

  it('is there once', () => {
    const once = named('Sort', 12, {}).text;
    assert.equal(named(once, 12, {}).text, once);
  });
});
