import assert from 'node:assert/strict';
import { isPaste, namesIn, pastedNames } from '../../../../../src/features/stories/create/pastedNames.ts';

function assertNames(text: string, ...expected: readonly string[]): void {
  it(`of ${JSON.stringify(text)} are ${expected.length}`, () => assert.deepEqual(namesIn(text), expected));
}

describe('the names in several lines', () => {
  assertNames('Bake rye\nSell it\r\n\r\n  Eat it  ', 'Bake rye', 'Sell it', 'Eat it');
  assertNames('- one\n* two\n+ three\n• four', 'one', 'two', 'three', 'four');
  assertNames('1. one\n2) two\n10. ten', 'one', 'two', 'ten');
  assertNames('- [ ] open\n- [x] done\n[ ] bare\n3. [X] numbered', 'open', 'done', 'bare', 'numbered');
  assertNames('-5 degrees\n1.5 litres\n[api] fails\n*bold*', '-5 degrees', '1.5 litres', '[api] fails', '*bold*');
  assertNames('one\n---\n- \n[ ]\n***\ntwo', 'one', 'two');
});

describe('names that are pasted', () => {
  const lines = '- Bake rye\n- Sell it\n';

  it('are those of the clipboard, whatever a box of one line made of its line breaks', () => {
    for (const typed of ['- Bake rye- Sell it', '- Bake rye - Sell it', ' - Bake rye  - Sell it ']) {
      assert.deepEqual(pastedNames(typed, lines), ['Bake rye', 'Sell it']);
    }
  });

  it('are none where something else was typed, or one line was pasted', () => {
    assert.deepEqual(pastedNames('Bake rye', lines), []);
    assert.deepEqual(pastedNames('- Bake rye- Sell it now', lines), []);
    assert.deepEqual(pastedNames('Bake rye', 'Bake rye\n'), []);
    assert.deepEqual(pastedNames('--- Bake', '---\nBake'), []);
    assert.deepEqual(pastedNames('', ''), []);
  });
});

describe('a paste', () => {
  for (const [before, now, expected] of [
    ['', 'B', false],
    ['', 'Ba', true],
    ['Bake', 'Baker', false],
    ['Bke', 'Bake', false],
    ['aa', 'aaa', false],
    ['Bake', 'Bak', false],
    ['Bake the dough', 'B', false],
    ['Bake the dough', 'B Y', true],
    ['Bake', 'Take', false],
    ['Bake ', 'Bake \u{1f35e}', false],
    ['Bake dough', 'Bake rye dough', true],
    ['Bake', 'Bake', false],
    ['Bake', '', false],
  ] as const) {
    it(`${expected ? 'makes' : 'does not make'} ${JSON.stringify(now)} of ${JSON.stringify(before)}`, () => {
      assert.equal(isPaste(before, now), expected);
    });
  }
});
