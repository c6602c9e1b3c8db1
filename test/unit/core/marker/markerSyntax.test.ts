import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  type MarkerEffect,
  markerText,
  markerVerbs,
  parseMarkers,
  storyEffects,
  strongestEffects,
  withIdsNow,
} from '../../../../src/core/marker/markerSyntax.ts';

function assertEffects(message: string, expected: Readonly<Record<number, MarkerEffect>>): void {
  const actual = Object.fromEntries(storyEffects(message));
  assert.deepEqual(actual, expected, message);
}

describe('reading commit markers', () => {
  it('takes ids alone as a comment', () => {
    assertEffects('Start [#12]', { 12: 'comment' });
    assertEffects('[#12 #34] and [ #5 ]', { 12: 'comment', 34: 'comment', 5: 'comment' });
    assertEffects('[#12, #34]', { 12: 'comment', 34: 'comment' });
  });

  it('takes every verb, before or behind the ids, in any case', () => {
    for (const verb of 'fix fixes fixed complete completes completed finish finishes finished'.split(' ')) {
      assertEffects(`[${verb} #1]`, { 1: 'finish' });
      assertEffects(`[#1 ${verb.toUpperCase()}]`, { 1: 'finish' });
    }
    for (const verb of ['deliver', 'Delivers', 'DELIVERED'])
      assertEffects(`[${verb} #1 #2]`, { 1: 'deliver', 2: 'deliver' });
  });

  it('takes the strongest of several effects on one story', () => {
    assertEffects('[#1] [delivers #1] [fixes #1 #2]', { 1: 'deliver', 2: 'finish' });
    assertEffects('[fixes #1 #1]', { 1: 'finish' });
  });

  it('leaves alone what is no marker', () => {
    for (const text of [
      '#12',
      'fixes #12',
      '(fixes #12)',
      '[]',
      '[12]',
      '[fixes]',
      '[fixes 12]',
      '[see #12]',
      '[fixes #12 today]',
      '[fixes #12 delivers]',
      '[#12 fixes #34]',
      '[#12fixes]',
      '[#12.]',
      '[#]',
      '[fixes #12',
      '[fixes\n#12]',
      '[#1234567890123456]',
      '[constructor #1]',
    ]) {
      assertEffects(text, {});
    }
  });

  it('finds a marker in brackets within brackets', () => {
    assertEffects('[[fixes #12]] [x [#3] y]', { 12: 'finish', 3: 'comment' });
  });

  it('tells where marker and ids are', () => {
    const message = 'Ünïcode 🙂 [Fixes #12, #34] end';
    const [marker] = parseMarkers(message);
    assert.ok(marker);
    assert.equal(message.slice(marker.range.start, marker.range.end), '[Fixes #12, #34]');
    assert.equal(marker.verb, 'Fixes');
    assert.deepEqual(
      marker.ids.map(({ range }) => message.slice(range.start, range.end)),
      ['#12', '#34'],
    );
  });

  it('writes other ids into markers, and nowhere else', () => {
    const idNow = (id: number) => (id === 12 ? 345 : id);
    assert.equal(
      withIdsNow('#12 [fixes #12, #34] and [#12 #12] (#12)\n', idNow),
      '#12 [fixes #345, #34] and [#345 #345] (#12)\n',
    );
    assert.equal(withIdsNow('No marker #12', idNow), 'No marker #12');
    const effects = [
      [12, 'finish'],
      [345, 'comment'],
      [34, 'deliver'],
    ] as const;
    assert.deepEqual(
      [...strongestEffects(effects, idNow)],
      [
        [345, 'finish'],
        [34, 'deliver'],
      ],
    );
  });

  it('names each story once', () => {
    assert.equal(markerText([12, 7, 12], 'fixes'), '[fixes #12 #7]');
  });

  it('reads back what we write, amid any text', () => {
    const ids = fc.uniqueArray(fc.integer({ min: 1, max: 1e9 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(ids, fc.constantFrom(...markerVerbs), fc.string(), fc.string(), (written, verb, before, after) => {
        const text = `${before}${markerText(written, verb)}${after}`;
        const read = parseMarkers(text).find(({ range }) => range.start === before.length);
        assert.deepEqual(
          read?.ids.map(({ id }) => id),
          written,
        );
        assert.equal(read?.verb, verb);
      }),
    );
  });

  it('stays quick on brackets and digits without end', () => {
    for (const piece of ['[', '[#1', ' ', '#1 ', '[fixes ', ',', '1']) {
      assert.equal(parseMarkers(`[${piece.repeat(50_000)}`).length, 0);
      assert.equal(parseMarkers(`[#1${piece.repeat(50_000)}!]`).length, 0);
    }
  });
});
