import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  isMadeOf,
  isSameMessage,
  messageChange,
  named,
  standingMarkers,
  withStandingMarker,
  withTurn,
} from '../../../../src/core/marker/commitBox.ts';
import { parseMarkers, storyEffects } from '../../../../src/core/marker/markerSyntax.ts';
import type { MarkerOptions } from '../../../../src/core/marker/withMarker.ts';

const before = 'Sort [fixes #12]';

describe('A change of a commit message', () => {
  const whole = (text: string, old = before) => [{ rangeOffset: 0, rangeLength: old.length, text }];

  it('replaces it, whoever wrote the other message', () => {
    assert.equal(messageChange(before, whole('Sort the list by rank'), true), 'replaced');
    assert.equal(messageChange(before, whole('S'), true), 'replaced', 'a generator that begins');
    assert.equal(messageChange(before, whole('Sort the list by rank'), false), 'replaced', 'pasted over everything');
    assert.equal(messageChange('', whole('Sort the list', ''), true), 'replaced', 'into an empty box');
  });

  it('empties it, where a program does so, which may be about to write another one', () => {
    assert.equal(messageChange(before, whole(''), true), 'emptied');
    assert.equal(messageChange(before, whole(' \n'), true), 'emptied');
  });

  it('clears it, where a person deletes it or types over it', () => {
    assert.equal(messageChange(before, whole(''), false), 'cleared');
    assert.equal(messageChange(before, whole('S'), false), 'cleared');
    assert.equal(messageChange(before, whole('🙂'), false), 'cleared');
    assert.equal(messageChange('', whole('S', ''), false), 'cleared');
  });

  it('edits it, where something of it is left', () => {
    assert.equal(messageChange(before, [{ rangeOffset: 4, rangeLength: 12, text: '' }], false), 'edited');
    assert.equal(messageChange('S', [{ rangeOffset: 1, rangeLength: 0, text: 'ort' }], false), 'edited');
    const two = [...whole('Sort'), { rangeOffset: 0, rangeLength: 0, text: 'x' }];
    assert.equal(messageChange(before, two, false), 'edited');
    assert.equal(messageChange(before, [], false), 'edited');
  });
});

describe('Markers that stay when a message is replaced', () => {
  /** As the commit box holds it after `from` was replaced by `to`. */
  function kept(from: string, to: string, options: MarkerOptions = {}, isByPerson = false): string {
    return standingMarkers(from).reduce(
      (text, marker) => withStandingMarker(text, marker, options, isByPerson).text,
      to,
    );
  }
  const assertKept = (from: string, to: string, expected: string, options: MarkerOptions = {}) =>
    it(`${JSON.stringify(from)} replaced by ${JSON.stringify(to)} → ${JSON.stringify(expected)}`, () =>
      assert.equal(kept(from, to, options), expected));

  assertKept(before, 'Sort the list', 'Sort the list [fixes #12]');
  assertKept(before, 'Sort the list\n\n- by rank', 'Sort the list [fixes #12]\n\n- by rank');
  assertKept(before, 'Sort\n\nSigned-off-by: A <a@b.c>', 'Sort\n\n[fixes #12]\n\nSigned-off-by: A <a@b.c>', {
    place: 'body',
  });
  assertKept(before, 'Sort the list', 'Sort the list\n\n[fixes #12]', { subjectLimit: 20 });
  assertKept('Sort\n\n[#12]', 'Sort the list', 'Sort the list [#12]');
  assertKept('Sort [Fixed #12]', 'Sort the list', 'Sort the list [Fixed #12]');
  assertKept('Sort [#12 delivered]', 'Sort the list', 'Sort the list [delivered #12]');
  assertKept('Sort [fixes #12 #13] [#14]', 'Sort the list', 'Sort the list [fixes #12 #13] [#14]');
  assertKept(before, 'Sort the list [fixes #12]', 'Sort the list [fixes #12]');
  assertKept(before, 'Sort the list [finishes #12]', 'Sort the list [finishes #12]');
  assertKept(before, 'Sort the list [#12]', 'Sort the list [fixes #12]');
  assertKept('Sort [#12]', 'Sort the list [delivers #12]', 'Sort the list [#12]');
  assertKept('Sort [fixes #12 #13]', 'Sort the list [fixes #13]', 'Sort the list [fixes #13 #12]');
  assertKept(before, 'Sort the list [fixes #34]', 'Sort the list [fixes #34 #12]');
  assertKept(before, 'Sort the list [delivers #34]', 'Sort the list [delivers #34] [fixes #12]');
  assertKept(before, '# Sort', '# Sort [fixes #12]');
  assertKept(before, 'Sort\r\n\r\nBody', 'Sort [fixes #12]\r\n\r\nBody');
  assertKept('Sort #12', 'Sort the list', 'Sort the list');
  assertKept('Sort [#12] [fixes #12]', 'Sort the list', 'Sort the list [fixes #12]');
  assertKept('', 'Sort the list', 'Sort the list');

  it('leave a story as a person names it in what they paste', () => {
    assert.equal(kept(before, 'Sort the list [#12]', {}, true), 'Sort the list [#12]');
    assert.equal(kept(before, 'Sort the list [#34]', {}, true), 'Sort the list [#34] [fixes #12]');
  });

  it('ask for what they asked, and lose no word of the other message', () => {
    const id = fc.integer({ min: 1, max: 99 });
    const verb = fc.constantFrom('fixes ', 'Finished ', 'delivers ', '');
    const marker = fc.tuple(verb, fc.uniqueArray(id, { minLength: 1, maxLength: 3 }));
    const message = fc
      .tuple(fc.stringMatching(/^[a-z #\n:[\]]{0,30}$/), fc.array(marker, { maxLength: 3 }))
      .map(([text, all]) =>
        [text, ...all.map(([of, ids]) => `[${of}${ids.map((one) => `#${one}`).join(' ')}]`)].join(' '),
      );
    fc.assert(
      fc.property(message, message, (from, to) => {
        const text = kept(from, to);
        const [asked, got] = [storyEffects(from), storyEffects(text)];
        for (const story of asked.keys()) assert.ok(got.has(story), text);
        for (const story of storyEffects(to).keys()) assert.ok(got.has(story), text);
        const words = parseMarkers(to).reduceRight(
          (rest, { range }) => rest.slice(0, range.start) + rest.slice(range.end),
          to,
        );
        for (const word of words.split(/\s+/)) assert.ok(text.includes(word), word);
        assert.equal(kept(from, text), text, 'asked again');
      }),
    );
  });
});

describe('A message that was committed', () => {
  it('is told by its subject and its markers, whatever hooks and trailers were added', () => {
    assert.ok(isMadeOf('Sort [fixes #12]\n', before));
    assert.ok(isMadeOf('web: Sort [fixes #12]\n\nCo-authored-by: A <a@b.c>\n', before));
    assert.ok(isMadeOf('Sort\n\n[fixes #12]\n', 'Sort [fixes #12]  '));
    assert.ok(isMadeOf('[#12]\n', ' [#12] '));
    assert.ok(!isMadeOf('Group [fixes #12]\n', before));
    assert.ok(!isMadeOf('Sort\n', before));
    assert.ok(!isMadeOf('Sort [#34]\n', before));
  });

  it('is the same whatever space Git takes out', () => {
    assert.ok(isSameMessage('Sort  \r\n\r\nBody\n\n', 'Sort\n\nBody'));
    assert.ok(!isSameMessage('Sort\n\nBody', 'Sort\nBody'));
  });
});

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
