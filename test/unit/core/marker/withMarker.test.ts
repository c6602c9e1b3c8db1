import assert from 'node:assert/strict';
import fc from 'fast-check';
import { keptMarkers, readCommitMessage } from '../../../../src/core/marker/commitMessage.ts';
import { markerVerbs, parseMarkers, storyEffects } from '../../../../src/core/marker/markerSyntax.ts';
import { edited } from '../../../../src/core/marker/textEdit.ts';
import { type MarkerOptions, withMarker } from '../../../../src/core/marker/withMarker.ts';
import { withoutMarker } from '../../../../src/core/marker/withoutMarker.ts';

function assertMarked(message: string, ids: readonly number[], options: MarkerOptions, expected: string): void {
  const marked = withMarker(message, ids, options);
  assert.equal(marked.text, expected);
  assert.equal(edited(message, marked.edits).text, expected);
  assert.deepEqual(withMarker(expected, ids, options).edits, [], 'a second time changes nothing');
}

const body = { place: 'body' } as const;

describe('putting a marker into a commit message', () => {
  it('goes behind the subject', () => {
    assertMarked('Fix login', [12], {}, 'Fix login [fixes #12]');
    assertMarked('Fix login', [12, 34, 12], {}, 'Fix login [fixes #12 #34]');
    assertMarked('Fix login\n\nWhy.\n', [12], { verb: '' }, 'Fix login [#12]\n\nWhy.\n');
    assertMarked('\nFix login  \n', [12], { verb: 'delivers' }, '\nFix login [delivers #12]  \n');
  });

  it('or above the trailers', () => {
    assertMarked('Fix login', [12], body, 'Fix login\n\n[fixes #12]');
    assertMarked('Fix\r\n\r\nWhy.\r\n', [12], body, 'Fix\r\n\r\nWhy.\r\n\r\n[fixes #12]\r\n');
    assertMarked(
      'Fix\n\nWhy.\n\nRefs: 7\nSigned-off-by: Ada <a@b.c>\n',
      [12],
      body,
      'Fix\n\nWhy.\n\n[fixes #12]\n\nRefs: 7\nSigned-off-by: Ada <a@b.c>\n',
    );
    assertMarked('fix: login', [12], body, 'fix: login\n\n[fixes #12]');
    const picked = 'Signed-off-by: Ada <a@b.c>\n(cherry picked from commit 1f2e3d4c)\n';
    assertMarked(`Fix\n\n${picked}`, [12], body, `Fix\n\n[fixes #12]\n\n${picked}`);
    const mixed = 'BREAKING CHANGE: all\nSigned-off-by: Ada <a@b.c>\n';
    assertMarked(`Fix\n\n${mixed}`, [12], body, `Fix\n\n[fixes #12]\n\n${mixed}`);
    const template = 'Ticket: \nReviewed-by:\n';
    assertMarked(`Fix\n\n${template}`, [12], body, `Fix\n\n[fixes #12]\n\n${template}`);
    assertMarked('Fix\n\nSee:\nhttps://a.b', [12], body, 'Fix\n\nSee:\nhttps://a.b\n\n[fixes #12]');
  });

  it('goes to the body when the subject would get too long or is looked up by Git', () => {
    assertMarked('Fix 🙂', [12], { subjectLimit: 17 }, 'Fix 🙂 [fixes #12]');
    assertMarked('Fix 🙂!', [12], { subjectLimit: 17 }, 'Fix 🙂!\n\n[fixes #12]');
    assertMarked('fixup! Fix login', [12], {}, 'fixup! Fix login\n\n[fixes #12]');
  });

  it('leaves room for a subject that is still to be typed', () => {
    assertMarked('', [12], {}, ' [fixes #12]');
    assertMarked('', [12], body, '\n\n[fixes #12]');
    assert.equal(withMarker('', [12]).subjectAt, 0);
    assertMarked('', [12], { room: 'both' }, ' [fixes #12] ');
    assertMarked('\n\nWhy:', [12], { room: 'both' }, '\n\nWhy: [fixes #12]');
    assertMarked('Signed-off-by: A <a@b.c>', [12], { room: 'both' }, ' [fixes #12] \n\nSigned-off-by: A <a@b.c>');
    assert.equal(withMarker('', [12], { room: 'both' }).subjectAt, 13);
    assert.equal(withMarker('# Template\n\n# Rest', [12]).subjectAt, 11);
    assertMarked('\n# Please enter\n', [12], {}, ' [fixes #12]\n# Please enter\n');
    assertMarked('# Please enter\n#\n', [12], {}, '# Please enter\n#\n [fixes #12]');
    assertMarked('# Please enter', [12], {}, ' [fixes #12]\n# Please enter');
    assertMarked('\n\nSigned-off-by: Ada <a@b.c>\n', [12], {}, ' [fixes #12]\n\nSigned-off-by: Ada <a@b.c>\n');
    assertMarked('Signed-off-by: Ada <a@b.c>\n', [12], {}, ' [fixes #12]\n\nSigned-off-by: Ada <a@b.c>\n');
  });

  it('stays out of what Git drops', () => {
    const scissors = `# ${'-'.repeat(24)} >8 ${'-'.repeat(24)}\ndiff [fixes #12]\n`;
    assertMarked(`Fix\n${scissors}`, [12], body, `Fix\n\n[fixes #12]\n${scissors}`);
    assertMarked('#12 is broken\nFix it', [12], {}, '#12 is broken\nFix it [fixes #12]');
    assertMarked('# [fixes #12]\nFix', [12], {}, '# [fixes #12]\nFix [fixes #12]');
    assertMarked('; note\nFix #1', [12], { commentChar: ';' }, '; note\nFix #1 [fixes #12]');
    assertMarked('#12 is broken', [12], { commentChar: '' }, '#12 is broken [fixes #12]');
  });

  it('looks at nothing below the scissors, where a long diff may be', () => {
    const diff = '+ list[1] [fixes #12] fixes #12\n'.repeat(3);
    const message = `Fix [#3]\n# ${'-'.repeat(24)} >8 ${'-'.repeat(24)}\n${diff}`;
    const parts = readCommitMessage(message, '#');
    assert.equal(parts.lines.length, 2);
    assert.equal(parts.lines.at(-1)?.end, message.length);
    assert.deepEqual(
      keptMarkers(message, parts).map(({ ids }) => ids.map(({ id }) => id)),
      [[3]],
    );
    assert.equal(withoutMarker(message).text, message.replace(' [#3]', ''));
  });

  it('joins the marker that is there for the same effect', () => {
    assertMarked('Fix [Finishes #34] it', [12], {}, 'Fix [Finishes #34 #12] it');
    assertMarked('Fix [#34 fixes]', [12], {}, 'Fix [#34 #12 fixes]');
    assertMarked('Fix [fixes #34]\n\n[finishes #12]', [12], {}, 'Fix [fixes #34]\n\n[finishes #12]');
  });

  it('changes the verb of a story that is named already', () => {
    assertMarked('Fix [#12]', [12], {}, 'Fix [fixes #12]');
    assertMarked('Fix [fixes #12]', [12], { verb: '' }, 'Fix [#12]');
    assertMarked('Fix [fixes #12]', [12], { verb: 'finishes' }, 'Fix [finishes #12]');
    assertMarked('Fix [fixes #12 #34]', [12], { verb: 'delivers' }, 'Fix [fixes #34] [delivers #12]');
    assertMarked('Fix [#12] [delivers #34]', [12], { verb: 'delivers' }, 'Fix [delivers #34 #12]');
    assertMarked('Fix [#12]', [12, 34], {}, 'Fix [fixes #12 #34]');
  });

  it('names no story, changes nothing', () => {
    assertMarked('Fix', [], {}, 'Fix');
  });
});

function assertUnmarked(message: string, ids: readonly number[] | undefined, expected: string): void {
  assert.equal(withoutMarker(message, ids).text, expected);
}

describe('taking markers out of a commit message', () => {
  it('takes the space along that parted them', () => {
    assertUnmarked('Fix [fixes #12]', undefined, 'Fix');
    assertUnmarked('[fixes #12] Fix', undefined, 'Fix');
    assertUnmarked('Fix [fixes #12] it', undefined, 'Fix it');
    assertUnmarked('[#1] [#2] Fix [#3]', undefined, 'Fix');
    assertUnmarked('[#1][#2]', undefined, '');
    assertUnmarked(' [fixes #12]\n# c', undefined, '\n# c');
  });

  it('takes a paragraph along that held nothing else', () => {
    assertUnmarked('Fix\n\n[fixes #12]\n\nSigned-off-by: A', undefined, 'Fix\n\nSigned-off-by: A');
    assertUnmarked('Fix\n\n[fixes #12] [#3]\n', undefined, 'Fix\n');
    assertUnmarked('Fix\n\nWhy\n[fixes #12]\nBecause', undefined, 'Fix\n\nWhy\nBecause');
  });

  it('leaves the empty line that parts the subject from what follows', () => {
    assertUnmarked('Fix\n\n[fixes #12]\nBecause', undefined, 'Fix\n\nBecause');
    assertUnmarked('Fix\r\n\r\n[fixes #12]\r\nBecause', undefined, 'Fix\r\n\r\nBecause');
    assertUnmarked('Fix\n\n[fixes #12]\nSigned-off-by: A', undefined, 'Fix\n\nSigned-off-by: A');
    assertUnmarked('Fix\n\n[#1]\n[#2]\nBecause', undefined, 'Fix\n\nBecause');
    assertUnmarked('Fix\n\n[#1]\n[#2]\n\nBecause', undefined, 'Fix\n\nBecause');
    assertUnmarked('Fix\n\n[fixes #12]\n# Please enter', undefined, 'Fix\n# Please enter');
  });

  it('takes only the stories that are meant', () => {
    assertUnmarked('Fix [fixes #1 #2 #3]', [1], 'Fix [fixes #2 #3]');
    assertUnmarked('Fix [fixes #1, #2, #3]', [2], 'Fix [fixes #1, #3]');
    assertUnmarked('Fix [fixes #1 #2 #3]', [2, 3], 'Fix [fixes #1]');
    assertUnmarked('Fix [#1 #2 #3 fixes]', [1, 3], 'Fix [#2 fixes]');
    assertUnmarked('Fix [fixes #1] [#2]', [1], 'Fix [#2]');
    assertUnmarked('Fix [fixes #1]', [2], 'Fix [fixes #1]');
  });

  it('leaves what Git drops', () => {
    assertUnmarked('Fix [#1]\n# [#1]', undefined, 'Fix\n# [#1]');
  });
});

const scissorsLine = `# ${'-'.repeat(24)} >8 ${'-'.repeat(24)}`;
const line = fc.oneof(
  fc.constantFrom('', ' ', '# comment', '#12 x', '# [fixes #5]', '[fixes #5]', 'Fix [#6 #7] it', '[delivers #8, #9]  '),
  fc.constantFrom('Signed-off-by: A <a@b.c>', 'Refs: x', ' continued', 'fix: it', 'fixup! it', '; note', scissorsLine),
  fc
    .array(
      fc.constantFrom('é', 'e\u0301', '🙂', '👩‍🚀', '\u00a0', '[', ']', '#', '1', ' ', '\t', ':', 'A', 'b', '\ud800'),
      { maxLength: 12 },
    )
    .map((pieces) => pieces.join('')),
  fc.string({ maxLength: 12 }),
);
const aMessage = fc
  .tuple(fc.array(line, { maxLength: 8 }), fc.constantFrom('\n', '\r\n'))
  .map(([lines, eol]) => lines.join(eol));
const theOptions = fc.record(
  {
    verb: fc.constantFrom(...markerVerbs),
    place: fc.constantFrom('subject' as const, 'body' as const),
    room: fc.constantFrom('before' as const, 'both' as const),
    commentChar: fc.constantFrom('#', ';', ''),
    subjectLimit: fc.integer({ min: 0, max: 40 }),
  },
  { requiredKeys: [] },
);
const someIds = fc.uniqueArray(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 4 });
const newIds = fc.uniqueArray(fc.integer({ min: 100, max: 999 }), { minLength: 1, maxLength: 4 });

/** What Git would keep of the message, found line by line. */
function keptLines(message: string, commentChar: string): readonly string[] {
  const lines = message.split(/\r?\n/);
  const cut = lines.findIndex((text) => commentChar !== '' && text.startsWith(scissorsLine.replace('#', commentChar)));
  const above = cut < 0 ? lines : lines.slice(0, cut);
  return above.filter((text) => commentChar === '' || !text.startsWith(commentChar));
}

function kept(message: string, commentChar: string): string {
  return keptLines(message, commentChar).join('\n');
}

/** The paragraphs that Git would make of the message, without the lines that hold nothing but markers. */
function paragraphs(message: string): string {
  const isWords = (text: string) => !/^\s*(?:\[[^[\]]*#\d[^[\]]*\]\s*)+$/.test(text);
  const words = keptLines(message, '#').filter(isWords).join('\n');
  return words.replace(/\n{2,}/g, '\n\n').trim();
}

describe('markers in any commit message', () => {
  it('name the stories once with the effect that was asked for', () => {
    fc.assert(
      fc.property(aMessage, someIds, theOptions, (message, ids, options) => {
        const { text } = withMarker(message, ids, options);
        const wanted = [...storyEffects(`[${options.verb ?? 'fixes'} #1]`).values()][0];
        const effects = storyEffects(kept(text, options.commentChar ?? '#'));
        for (const id of ids) assert.equal(effects.get(id), wanted);
      }),
      { numRuns: 1000 },
    );
  });

  it('are not written twice', () => {
    fc.assert(
      fc.property(aMessage, someIds, theOptions, (message, ids, options) => {
        const { text } = withMarker(message, ids, options);
        assert.deepEqual(withMarker(text, ids, options).edits, []);
      }),
      { numRuns: 1000 },
    );
  });

  it('leave the effects on other stories and all that Git drops', () => {
    fc.assert(
      fc.property(aMessage, someIds, theOptions, (message, ids, options) => {
        const commentChar = options.commentChar ?? '#';
        const { text } = withMarker(message, ids, options);
        const before = new Map(storyEffects(kept(message, commentChar)));
        const after = new Map(storyEffects(kept(text, commentChar)));
        for (const id of ids) {
          before.delete(id);
          after.delete(id);
        }
        assert.deepEqual(after, before);
        const dropped = (one: string) =>
          one.split(/\r?\n/).filter((text) => commentChar !== '' && text.startsWith(commentChar));
        assert.deepEqual(dropped(text), dropped(message));
      }),
      { numRuns: 1000 },
    );
  });

  it('leave the other words, and come out as they went in', () => {
    fc.assert(
      fc.property(aMessage, newIds, theOptions, (message, ids, options) => {
        const { text, edits, subjectAt } = withMarker(message, ids, options);
        assert.equal(edits.length, 1);
        assert.ok(edits.every(({ length }) => length === 0) || parseMarkers(message).length > 0);
        assert.equal(text.includes('\r\n') && /[^\r]\n/.test(text), false, 'one kind of line end');
        const back = withoutMarker(text, ids, options).text;
        const [first = '-'] = keptLines(message, options.commentChar ?? '#');
        const hadRoom = subjectAt === undefined || first.trim() === '';
        const blank = subjectAt === undefined ? /(?!)/ : /^[^\S\r\n]+$/gm;
        const compared = (one: string) =>
          (hadRoom ? one : one.replace(/[\r\n]+/g, '\n').trimStart()).replace(blank, '');
        assert.equal(compared(back), compared(message), 'but for a line to type the subject in');
      }),
      { numRuns: 2000 },
    );
  });

  it('leave paragraphs apart when they are taken out of lines of their own', () => {
    const ownLine = fc.constantFrom(
      '',
      '',
      '[fixes #5]',
      '[#6 #7] [#8]',
      ' [#9]',
      'Sort',
      'by rank',
      'Refs: x',
      '# note',
    );
    const anOrderly = fc.tuple(fc.array(ownLine, { maxLength: 9 }), fc.constantFrom('\n', '\r\n'));
    fc.assert(
      fc.property(anOrderly, ([lines, eol]) => {
        const { text } = withoutMarker(lines.join(eol));
        assert.equal(paragraphs(text), paragraphs(lines.join(eol)));
      }),
      { numRuns: 2000 },
    );
  });

  it('are gone when all are taken out, and nothing else but space', () => {
    fc.assert(
      fc.property(aMessage, (message) => {
        fc.pre(!/\[[^\]\r\n]*\[/.test(message)); // what is around a marker in brackets may be one without it
        const { text, edits } = withoutMarker(message);
        assert.equal(storyEffects(kept(text, '#')).size, 0);
        assert.equal(edited(message, edits).text, text);
        for (const { offset, length, text: added } of edits) {
          const taken = message.slice(offset, offset + length).replace(/\[[^\]\r\n]*\]/g, '');
          assert.equal(taken.trim() + added, '');
        }
      }),
      { numRuns: 1000 },
    );
  });
});
