import assert from 'node:assert/strict';
import fc from 'fast-check';
import { storyEffects } from '../../../../src/core/marker/markerSyntax.ts';
import { edited } from '../../../../src/core/marker/textEdit.ts';
import { withMarker, withMarkerFor } from '../../../../src/core/marker/withMarker.ts';

/** In `before`, `<` and `>` are around what is selected. */
function assertPasted(before: string, expected: string): void {
  it(`${JSON.stringify(before)} becomes ${JSON.stringify(expected)}`, () => {
    const start = before.indexOf('<');
    const selected = { start, end: before.indexOf('>') - 1 };
    const message = before.replace(/[<>]/g, '');
    assert.equal(withMarkerFor(message, selected, [12], { commentChar: '' }).text, expected);
  });
}

describe('a marker in place of what is selected', () => {
  assertPasted('Sort<>', 'Sort [fixes #12]');
  assertPasted('So<>rt\n\nWhy.', 'Sort [fixes #12]\n\nWhy.');
  assertPasted('<Sort>', ' [fixes #12]');
  assertPasted('Sort< it>\n\nWhy.', 'Sort [fixes #12]\n\nWhy.');
  assertPasted('<Let us sort>\n\nWhy.', '\n\nWhy. [fixes #12]');
  assertPasted('Sort [fixes #7]\n\nSee <that> and more.', 'Sort [fixes #7 #12]\n\nSee  and more.');
  assertPasted('Sort [fixes <#7>]', 'Sort [fixes ] [fixes #12]');

  it('is what one gets by taking that out first, and its edits say so', () => {
    const piece = fc.constantFrom(
      'Sort',
      ' ',
      '\n',
      '\n\n',
      '[fixes #12]',
      '[#12 #13]',
      '[delivers #7]',
      'ünï 🙂',
      '#',
    );
    const message = fc.array(piece, { maxLength: 10 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(message, fc.nat(60), fc.nat(20), (text, from, length) => {
        const start = Math.min(from, text.length);
        const selected = { start, end: Math.min(start + length, text.length) };
        const pasted = withMarkerFor(text, selected, [12], { commentChar: '' });
        const rest = text.slice(0, selected.start) + text.slice(selected.end);
        assert.equal(pasted.text, withMarker(rest, [12], { commentChar: '' }).text);
        assert.equal(edited(text, pasted.edits).text, pasted.text);
        assert.ok(storyEffects(pasted.text).has(12));
        const isApart = pasted.edits.every(({ offset }, index) => {
          const before = pasted.edits[index - 1];
          return !before || before.offset + before.length <= offset;
        });
        assert.ok(isApart);
      }),
      { numRuns: 2000 },
    );
  }).timeout(20_000);
});
