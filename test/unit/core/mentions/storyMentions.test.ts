import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type MentionPlace, storyMentions } from '../../../../src/core/mentions/storyMentions.ts';
import { growth } from '../../../support/measures/growth.ts';

const LINEAR = 2.5;

const ALL: readonly MentionPlace[] = ['commit', 'terminal', 'markdown', 'comment'];

describe('Numbers of stories in a line', () => {
  describe('are found in every place', () => {
    for (const [line, ...ids] of [
      ['Sort the list [fixes #12]', 12],
      ['[#12 #13] and [Delivers #14], too', 12, 13, 14],
      ['Fixes #12, and finishes #13.', 12, 13],
      ['(see #12)', 12],
      ['as told in story #123456', 123456],
      ['[fixes #123456]', 123456],
      ['see #12.', 12],
      ['"#12" in quotes', 12],
      ['Story #333 and its like', 333],
      ['Sort: #1, #2 and #3', 1, 2, 3],
      ['the bug #27514889 of old', 27514889],
      ['Résumé #12 – fertig', 12],
      ['see #12: it says why', 12],
      ['修正#12', 12],
      ['修正#12を参照', 12],
      ['を修正（#12）。#13も、#14：済み', 12, 13, 14],
      ['カー#12', 12],
      ['수정#12를 보라', 12],
      ['แก้#12แล้ว', 12],
      ['修正#12:完了', 12],
      ['**#12** and *#13*, ***#14***', 12, 13, 14],
      ['_#12_ and __#13__, ~~#14~~', 12, 13, 14],
      ['**#12**は**_#13_**', 12, 13],
      ['(_#12_), 「__#13__」', 12, 13],
    ] as const) {
      assertIds(ALL, line, ...ids);
    }
  });

  describe('are not found', () => {
    for (const line of [
      'color: #123456;',
      'a colour such as #123456 or #fff',
      '#fff #333 #000',
      "fill('#333')",
      'border: 1px solid #333;',
      'box-shadow: 0 0 2px #444;',
      'lighten(#555, 10%)',
      "const bg = '#12345678';",
      'theme #800 is dark',
      'Merge pull request #12 from owner/branch',
      'PR #12 and #13',
      'see PRs #12, #13, and #14',
      'MR #12',
      'issue #12',
      'owner/repo#12',
      'a#12',
      '&#12;',
      '##12',
      '\\#12',
      'file.md#12',
      'https://example.org/a#12',
      'https://example.org/#12',
      'see https://example.org/?q=a-#12 there',
      'http://h/a/b(c)#12',
      '[here](#12)',
      '<a href="#12">',
      "<a href='#12'>",
      'url(#12)',
      '# Heading {#12}',
      '#012',
      '#0',
      '#1.2',
      '#1.2.3',
      '#1/2',
      '#1-2',
      '#1,5',
      '#1:30',
      '#1#2',
      'a #3 of 12',
      'build #12 is green',
      'step #12',
      '#12a',
      '#12-slug',
      '#12_x',
      '#1234567890123456',
      '1#2',
      'é#12',
      'a_#12_',
      'a__#12',
      'a~#12',
      '/_#12',
      'プルリクエスト#12',
      '合并请求 #12',
      '修正#12a',
      '修正abc#12',
      '修正##12',
      '修正１#12',
      'ж#12',
      '#12é',
    ]) {
      assertIds(ALL, line);
    }
  });

  describe('in a terminal', () => {
    const places = ['terminal'] as const;
    assertIds(places, '    Sort [fixes #12]', 12);
    assertIds(places, 'abc1234 (HEAD -> main) Sort #12 and #13', 12, 13);
    assertIds(places, '    #12 Sort the list', 12);
    assertIds(places, '#12 [build 3/5] RUN npm ci');
    assertIds(places, '#12 0.341 added 3 packages');
    assertIds(places, '#12  Sort the list  feature/sort  about 1 day ago');
    assertIds(places, '    #12 0x4a5b6c in main main.c:3');
    assertIds(places, '  #12 Foo.bar (/src/foo.dart:12)');
    assertIds(places, '[#12] at the beginning', 12);
  });

  describe('in Markdown', () => {
    const places = ['markdown'] as const;
    assertIds(places, '- [ ] sort **#12** and _see #13_', 12, 13);
    assertIds(places, '#12 is where it began', 12);
    assertIds(places, '`#12` and ``see #13`` but #14', 14);
    assertIds(places, '[#12](https://example.org) and [fixes #13](x) but [fixes #14]', 14);
    assertIds(places, '[#12][pull] but [#13][#14]', 13, 14);
    assertIds(places, '[#12]: https://example.org');
    assertIds(places, '[[#12]] and [[note#13]]');
    assertIds(places, '<span title="#12"> but #13', 13);
  });

  describe('in a comment', () => {
    const places = ['comment'] as const;
    assertIds(places, 'TODO(#12): sort', 12);
    assertIds(places, 'TODO(me, #12): sort', 12);
    assertIds(places, 'FIXME: #12', 12);
    assertIds(places, 'TODO [#12] sort', 12);
    assertIds(places, 'TODO(#123456)', 123456);
    assertIds(places, 'the tide is late (#12)', 12);
    assertIds(places, 'call `f(#12)` or see #13', 13);
  });

  it('tell of those that end a line in parentheses, as hosts of repositories write pull requests', () => {
    const likely = (line: string) => storyMentions(line, 'commit').map(({ isLikePullRequest }) => isLikePullRequest);
    assert.deepEqual(likely('Sort the list (#12)'), [true]);
    assert.deepEqual(likely('Sort #11 (#12) '), [false, true]);
    assert.deepEqual(likely('Sort (#12) the list'), [false]);
    assert.deepEqual(likely('Sort [#12]'), [false]);
    assert.deepEqual(likely('TODO(#12)'), [false]);
  });

  it('have the place of the number with its hash', () => {
    for (const place of ALL) {
      const line = '🐚 see https://h/#9 `x` #12, [fixes #345]';
      for (const { id, range } of storyMentions(line, place))
        assert.equal(line.slice(range.start, range.end), `#${id}`);
      assert.equal(storyMentions(line, place).length, 2);
    }
  });

  it('are looked for in the beginning of a long line only, and never cut', () => {
    const line = `${'word '.repeat(398)}#12 #123456789 ${'#1 '.repeat(100)}`;
    const ids = storyMentions(line, 'comment').map(({ id }) => id);
    assert.deepEqual(ids, [12]);
    assert.deepEqual(storyMentions(`${'a'.repeat(3_000)} #12`, 'comment'), []);
  });
});

describe('Numbers of stories', () => {
  const digits = fc.integer({ min: 1, max: 99_999_999 }).map(String);
  const hex = fc.tuple(
    fc.constantFrom(3, 4, 6, 8),
    fc.array(fc.constantFrom(...'0123456789abcdefABCDEF'), { minLength: 8, maxLength: 8 }),
  );
  const property = fc.constantFrom('color', 'background', 'border-color: 1px solid', 'fill', 'stroke', 'box-shadow');
  const colour = hex.map(([length, all]) => `#${all.join('').slice(0, length)}`);
  const word = fc.constantFrom('the', 'tide', 'noon', 'über', 'x_1', '海');
  const text = fc.array(word, { maxLength: 4 }).map((words) => words.join(' '));
  const series = fc
    .tuple(digits, fc.constantFrom('.', '/', '-', '#', ':'), digits)
    .map(([a, by, b]) => `#${a}${by}${b}`);
  const other = fc.oneof(
    fc.tuple(property, colour).map(([name, value]) => `${name}: ${value};`),
    fc.tuple(word, digits).map(([name, id]) => `https://example.org/${encodeURIComponent(name)}?a=1#${id}`),
    fc.tuple(word, digits).map(([name, id]) => `${name}.md#${id}`),
    fc.tuple(word, digits).map(([name, id]) => `[${name}](#${id})`),
    digits.map((id) => `&#${id};`),
    digits.map((id) => `pull request #${id}`),
    series,
  );

  it('are in no colour, address, anchor, entity or series, whatever is around it', () => {
    fc.assert(
      fc.property(text, other, text, fc.constantFrom(...ALL), (before, part, after, place) => {
        // A word stands behind what is looked at, so that no number is the last of a chain.
        const line = `${before} ${part} ${after}`;
        assert.deepEqual(storyMentions(line, place), [], line);
      }),
      { numRuns: 2_000 },
    );
  });

  it('are found next to those, in markers', () => {
    fc.assert(
      fc.property(other, digits, fc.constantFrom(...ALL), (part, id, place) => {
        const line = `${part} [fixes #${id}] ${part}`;
        assert.deepEqual(
          storyMentions(line, place).map((one) => one.id),
          [Number(id)],
          line,
        );
      }),
      { numRuns: 1_000 },
    );
  });

  it('are always a number of the line with its hash, in order and apart', () => {
    const piece = fc.constantFrom(
      '#1',
      '#12',
      '[',
      ']',
      '(',
      ')',
      '`',
      ' ',
      'fixes ',
      'x',
      '://',
      '<',
      '>',
      '"',
      ':',
      '\u{1f41a}',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), fc.constantFrom(...ALL), (pieces, place) => {
        const line = pieces.join('');
        let last = 0;
        for (const { id, range } of storyMentions(line, place)) {
          assert.equal(line.slice(range.start, range.end), `#${id}`);
          assert.ok(range.start >= last);
          last = range.end;
        }
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('Looking for numbers of stories', () => {
  for (const [name, piece] of [
    ['numbers', '#1 '],
    ['hashes', '#'],
    ['brackets', '[#1'],
    ['links', '[#1]('],
    ['ticks', '`#1'],
    ['addresses', 'a://#1'],
    ['letters', 'a'],
    ['blanks', ' '],
    ['colours', '#fff '],
    ['pull requests', 'PR #1, '],
  ] as const) {
    it(`takes time that grows with the length of a line of ${name} only`, () => {
      const line = (length: number) => piece.repeat(Math.ceil(length / piece.length));
      // Eight times as long is still within what is looked at of a line.
      const times = growth(240, line, (one) => {
        for (let round = 0; round < 60; round += 1) for (const place of ALL) storyMentions(one, place);
      });
      assert.ok(times <= LINEAR, `Twice the length takes ${times} times as long.`);
    });
  }
});

/** The ids, in every one of the places. */
function assertIds(places: readonly MentionPlace[], line: string, ...ids: readonly number[]): void {
  for (const place of places) {
    it(`${place}: ${line} → ${ids.join(', ') || 'none'}`, () => {
      assert.deepEqual(
        storyMentions(line, place).map(({ id }) => id),
        ids,
      );
    });
  }
}
