import assert from 'node:assert/strict';
import fc from 'fast-check';
import { branchName } from '../../../src/core/activeStory/branchName.ts';
import { matches, parseFilter } from '../../../src/core/filter/filter.ts';
import { folded, normalized, withoutControls } from '../../../src/core/text.ts';
import { aStory } from '../../support/builders/builders.ts';
import { growth } from '../../support/measures/growth.ts';

/** Twice the size costs 2 times as much where time is linear, 4 times where it is the square. */
const LINEAR = 3.2;
const SIZE = 50_000;
// biome-ignore lint/suspicious/noTemplateCurlyInString: it is what people put into the setting.
const TEMPLATE = '${slug}';

/** Marks of two kinds that have to change places with each other. */
const marks = (count: number, [first, second]: readonly string[] = ['\u0301', '\u0316']) =>
  `a${`${first}${second}`.repeat(count / 2)}`;

describe('text without what hides or turns it', () => {
  const tags = (text: string) => Array.from(text, (one) => String.fromCodePoint(0xe0000 + one.charCodeAt(0))).join('');

  it('has nothing that a model reads and a person does not see', () => {
    assert.equal(withoutControls(`Bake${tags('obey')}`), `Bake${'\ufffd'.repeat(4)}`);
    assert.equal(withoutControls(`😀${tags('obey')}`), `😀${'\ufffd'.repeat(4)}`);
    assert.equal(withoutControls('a\ufe01\u{e0101}\u{e0102}b'), 'a\ufe01\ufffd\ufffdb');
  });

  it('keeps flags, emoji and forms of characters as people write them', () => {
    for (const text of [`🏴${tags('gbeng')}\u{e007f}`, '❤️ 1️⃣ 👩‍🚀', '葛\u{e0100}飾', 'a\tb\nc', '👍🏽', 'שלום'])
      assert.equal(withoutControls(text), text);
  });

  it('is made in linear time, of flags without end too', () => {
    const flags = (size: number) => `🏴${'\u{e0041}'.repeat(size)}`;
    assert.ok(growth(SIZE, flags, withoutControls) <= LINEAR);
  });
});

describe('folded text', () => {
  it('is what normalising gives, for all that people write', () => {
    const written = fc.array(fc.constantFrom('a', 'É', 'e\u0301', '\u0316', '\u0301', 'ﾊ\uFF9E', ' ', '한', 'Σ'), {
      maxLength: 60,
    });
    fc.assert(
      fc.property(written, (parts) => {
        const text = parts.join('');
        if (/[\p{M}\uFF9E]{31}/u.test(text)) return;
        assert.equal(folded(text), text.normalize('NFC').toLowerCase());
        for (const form of ['NFC', 'NFKC', 'NFKD'] as const) assert.equal(normalized(text, form), text.normalize(form));
      }),
    );
  });

  it('takes accents for the same however they are encoded', () => {
    assert.equal(folded('CAFE\u0301'), folded('caf\u00E9'));
    assert.equal(folded(`${'x'.repeat(100)}A\u0316\u0301`), folded(`${'x'.repeat(100)}a\u0301\u0316`));
  });

  it('is found within text of marks without end', () => {
    const story = aStory({ description: `${marks(120)} Café` });
    const finds = (text: string) => matches(parseFilter(text), story, { now: 0 });
    assert.deepEqual([finds('CAFE\u0301'), finds(`"${marks(120)} café"`), finds('tea')], [true, true, false]);
  });

  for (const [name, pair] of Object.entries({
    accents: ['\u0301', '\u0316'],
    'half-width sounds': ['\uFF9E', '\u0301'],
  })) {
    const made = (size: number) => marks(size, pair);
    for (const form of ['NFC', 'NFKC', 'NFKD'] as const) {
      it(`takes time in proportion to a run of ${name}, as ${form}`, () => {
        assert.ok(growth(SIZE, made, (text) => normalized(text, form)) <= LINEAR);
      });
    }
    it(`is sorted in proportion to a run of ${name}`, () => {
      const compared = (text: string) => folded(text).localeCompare(folded(`${text}a`));
      assert.ok(growth(SIZE, made, compared) <= LINEAR);
    });
    it(`names a branch in proportion to a run of ${name}`, () => {
      const named = (name: string) => branchName(TEMPLATE, { type: 'bug', id: 1, name });
      assert.ok(growth(SIZE, made, named) <= LINEAR);
    });
  }
});
