import assert from 'node:assert/strict';
import fc from 'fast-check';
import { markerFate, named, withTurn } from '../../../../src/core/marker/keptMarker.ts';

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

describe('A message that another one took the place of', () => {
  const before = 'Sort [fixes #12]';
  const whole = (text: string, old = before) => [{ rangeOffset: 0, rangeLength: old.length, text }];
  const isReplaced = (...of: Parameters<typeof markerFate>) => markerFate(...of).isReplaced;

  it('is told from what a person does to it', () => {
    assert.ok(isReplaced(before, whole('Sort the list by rank'), 12));
    assert.ok(!isReplaced(before, whole('S'), 12), 'typed over a selection');
    assert.ok(!isReplaced(before, whole('🙂'), 12), 'typed over a selection');
    assert.ok(!isReplaced(before, whole(''), 12), 'emptied');
    assert.ok(!isReplaced(before, [{ rangeOffset: 4, rangeLength: 12, text: '' }], 12), 'the marker was taken out');
    assert.ok(!isReplaced('Sort', [{ rangeOffset: 0, rangeLength: 4, text: 'Other' }], 12), 'it had no marker');
  });

  it('is told where the box is emptied first, or filled piece by piece', () => {
    assert.deepEqual(markerFate(before, whole(''), 12), { isReplaced: false, isGone: true });
    assert.ok(isReplaced('', whole('Sort the list', ''), 12, true));
    assert.deepEqual(markerFate(before, whole('S'), 12), { isReplaced: false, isGone: true });
    assert.ok(isReplaced('S', whole('Sort', 'S'), 12, true));
    assert.ok(!isReplaced('', whole('Sort the list', ''), 12), 'there was none before');
  });

  it('is none where a person goes on typing', () => {
    assert.deepEqual(markerFate('S', [{ rangeOffset: 1, rangeLength: 0, text: 'o' }], 12, true), {
      isReplaced: false,
      isGone: false,
    });
  });
});
