import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type CommitHint, commitHints, namedStories, type StoryFact } from '../../../../src/core/marker/commitHints.ts';
import type { MarkerVerb } from '../../../../src/core/marker/markerSyntax.ts';
import { edited } from '../../../../src/core/marker/textEdit.ts';

/** 12 to 14 are in work, 20 is accepted, 99 is nobody's; of others nothing is known. */
const facts: ReadonlyMap<number, StoryFact> = new Map<number, StoryFact>([
  ...[12, 13, 14].map((id) => [id, { state: 'started' }] as const),
  [20, { state: 'accepted' }],
  [99, 'unknown'],
]);

function hintsOf(message: string, commentChar: string, verb: MarkerVerb = 'fixes'): readonly CommitHint[] {
  return commitHints(message, facts, { commentChar, verb });
}

/** `expected`: of each hint its kind, the text it is about, and the message after each of its fixes. */
function assertHints(message: string, expected: readonly (readonly string[])[], commentChar = ''): void {
  it(`${JSON.stringify(message)}${commentChar ? ' in a commit file' : ''}`, () => {
    const told = hintsOf(message, commentChar).map(({ kind, range, fixes }) => [
      kind,
      message.slice(range.start, range.end),
      ...fixes.map(({ edits }) => edited(message, edits).text),
    ]);
    assert.deepEqual(told, expected);
  });
}

describe('hints on a commit message', () => {
  describe('are none where nothing is at stake', () => {
    for (const message of [
      '',
      'Sort',
      'Sort [fixes #12]',
      'Sort [#12 #13]\n\nWhy.',
      'Port to C#12',
      'a/b#12',
      'é#12',
      '#ff12aa',
    ]) {
      assertHints(message, []);
      assertHints(message, [], '#');
    }
    assertHints('Sort, fixes #7 [fixes #8]', []);
    assertHints('Sort [fixes #12]\n\nThis fixes #12 for good; see #12.', []);
    assertHints('Sort\n# 12 files\n# On branch #12\n# fixes #12\n', [], '#');
    assertHints(`Sort\n# ${'-'.repeat(24)} >8 ${'-'.repeat(24)}\n+fixes #12\n`, [], '#');
  });

  describe('name markers that are in no brackets', () => {
    const kind = 'notInBrackets';
    assertHints('Sort, fixes #12', [[kind, 'fixes #12', 'Sort, [fixes #12]']]);
    assertHints('Fixes #12, #13.', [[kind, 'Fixes #12, #13', '[Fixes #12, #13].']]);
    assertHints('Sort\n\nFixes: #12\n', [[kind, 'Fixes: #12', 'Sort\n\n[Fixes #12]\n']]);
    assertHints('Sort #12', [[kind, '#12', 'Sort [fixes #12]']]);
    assertHints('修正#12を', [[kind, '#12', '修正[fixes #12]を']]);
    assertHints('#12 Sort', [[kind, '#12', '[fixes #12] Sort']]);
    assertHints('Sort (delivers #12)', [[kind, 'delivers #12', 'Sort ([delivers #12])']]);
    assertHints('Sort [fixes #12', [[kind, 'fixes #12', 'Sort [fixes #12]']]);
    assertHints('Sort fixes #12]', [[kind, 'fixes #12', 'Sort [fixes #12]']]);
    assertHints('Sort, closes #12', [[kind, 'closes #12', 'Sort, [fixes #12]']]);
    assertHints('Closes: #12', [[kind, 'Closes: #12', '[fixes #12]']]);
    assertHints('Sort [#12', [[kind, '#12', 'Sort [fixes #12]']]);
    assertHints('Sort [#12], delivers #12', [[kind, 'delivers #12', 'Sort [#12], [delivers #12]']]);
    assertHints('Sort\r\n\r\nfixes #12\r\n', [[kind, 'fixes #12', 'Sort\r\n\r\n[fixes #12]\r\n']]);
    assertHints('Sort fixes #7 #12', [[kind, 'fixes #7 #12', 'Sort [fixes #7 #12]']]);
  });

  describe('name brackets that no server reads as a marker', () => {
    const kind = 'unreadBrackets';
    assertHints('Sort [closes #12]', [[kind, 'closes #12', 'Sort [fixes #12]']]);
    assertHints('Sort [Resolved: #12, #13]', [[kind, 'Resolved: #12, #13', 'Sort [fixes #12, #13]']]);
    assertHints('Sort [fixes: #12]', [[kind, 'fixes: #12', 'Sort [fixes #12]']]);
    assertHints('Sort [WIP #12]', [[kind, '#12', 'Sort [WIP #12] [fixes #12]']]);
    assertHints('Sort [at last closes #12!]', [[kind, 'closes #12', 'Sort [at last closes #12!] [fixes #12]']]);
  });

  describe('take no number of someone else for a story', () => {
    for (const message of [
      'Sort (#12)',
      'Sort (#12)\n\n* Sort #12 again\n',
      'Merge pull request #12 from ada/sort',
      'Merge #12\n\nSort, for #12',
      'Sort, as in PR #12',
      'Sort (#12, #13)',
      'Sort after step #12',
      'Sort as #20 did',
      'Sort, fixes #20',
    ]) {
      assertHints(message, []);
    }
    assertHints('Fixes #12 (#12)', [['notInBrackets', 'Fixes #12', '[Fixes #12] (#12)']]);
    assertHints('Sort (#13)\n\nMore of #12', [['notInBrackets', '#12', 'Sort (#13)\n\nMore of [fixes #12]']]);
  });

  describe('name lines that Git drops', () => {
    const kind = 'droppedLine';
    assertHints('#12 Sort', [[kind, '#12', '[fixes #12] Sort', 'Sort [fixes #12]']], '#');
    assertHints('#12: Sort \n# On', [[kind, '#12', '[fixes #12]: Sort \n# On', 'Sort [fixes #12] \n# On']], '#');
    assertHints('Sort\n\n#12 #13', [[kind, '#12 #13', 'Sort\n\n[fixes #12 #13]']], '#');
    assertHints('#7 Sort', [], '#');
  });

  describe('name stories that no commit should finish', () => {
    assertHints('Sort [fixes #99]', [['unknownStory', '#99', 'Sort']]);
    assertHints('Sort [fixes #12 #99]', [['unknownStory', '#99', 'Sort [fixes #12]']]);
    assertHints('Sort [fixes #20, #12]', [['acceptedStory', '#20', 'Sort [fixes #12]']]);
    assertHints('Sort [#99] [#99]', [
      ['unknownStory', '#99', 'Sort [#99]'],
      ['unknownStory', '#99', 'Sort [#99]'],
    ]);
    assertHints('Sort\n# [fixes #99]', [], '#');
  });

  describe('name stories that one marker has twice', () => {
    assertHints('Sort [fixes #12 #12]', [['duplicate', '#12', 'Sort [fixes #12]']]);
    assertHints('Sort [#12, #13, #12 fixes]', [['duplicate', '#12', 'Sort [#12, #13 fixes]']]);
  });

  it('write the verb of the settings, which may be none', () => {
    const fixed = (verb: MarkerVerb) =>
      hintsOf('Sort #12', '', verb).flatMap(({ fixes }) => fixes.map(({ edits }) => edited('Sort #12', edits).text));
    assert.deepEqual(fixed('delivers'), ['Sort [delivers #12]']);
    assert.deepEqual(fixed(''), ['Sort [#12]']);
  });

  it('tell which stories have to be looked up', () => {
    const named = namedStories('Sort #1 [fixes #2]\n#3 is a comment\n# and #4', '#');
    assert.deepEqual([[...named.marked], [...named.mentioned]], [[2], [1, 3]]);
  });
});

describe('fixes of hints on a commit message', () => {
  const piece = fc.constantFrom(
    ...[
      '#12',
      '#13',
      '#20',
      '#99',
      '#7',
      'fixes',
      'Fixes:',
      'delivers',
      'closes',
      'Sort',
      'ünï 🙂',
      '(',
      ')',
      '[',
      ']',
    ],
    ...[' ', ' ', ' ', ', ', '\n', '\n\n', '\r\n', '[fixes #12]', '[#12 #99 #12]', '[#20]', '\n#', '# ', '\nRefs: a\n'],
  );
  const message = fc.array(piece, { maxLength: 16 }).map((pieces) => pieces.join(''));
  const commentChar = fc.constantFrom('', '#');
  const idsOf = (part: string) => part.match(/#\d+/g);
  const verb = fc.constantFrom<MarkerVerb>('fixes', 'delivers', '');

  function count(hints: readonly CommitHint[], { kind, storyIds }: CommitHint): number {
    return hints.filter((one) => one.kind === kind && String(one.storyIds) === String(storyIds)).length;
  }

  it('take the hint away', () => {
    fc.assert(
      fc.property(message, commentChar, verb, (text, char, written) => {
        const hints = hintsOf(text, char, written);
        // What is around a marker in brackets may be one itself without it.
        const isNested = /\[[^\]\r\n]*\[/.test(text);
        for (const hint of hints) {
          for (const { edits, kind } of hint.fixes) {
            if (kind === 'remove' && isNested) continue;
            const { text: mended } = edited(text, edits);
            const left = count(hintsOf(mended, char, written), hint);
            assert.ok(left < count(hints, hint), `${kind}: ${JSON.stringify(mended)}`);
          }
        }
      }),
      { numRuns: 3000 },
    );
  }).timeout(20_000);

  it('keep every other letter', () => {
    fc.assert(
      fc.property(message, commentChar, verb, (text, char, written) => {
        for (const { fixes } of hintsOf(text, char, written)) {
          for (const { kind, edits } of fixes) {
            const put = edits.map((edit) => edit.text).join('|');
            const taken = edits.map(({ offset, length }) => text.slice(offset, offset + length)).join('|');
            if (kind === 'bracket') assert.deepEqual(idsOf(put), idsOf(taken));
            if (kind === 'add') assert.equal(taken, '');
            if (kind === 'moveToEnd') assert.match(taken, /^[#\d\s,:.–-]*\|$/);
            // A marker that gets empty goes as a whole, with the space that it stood in.
            if (kind === 'remove') assert.match(taken, /^(?:\s*\[[^[\]]*\]\s*|[\s,]*#\d+[\s,]*)$/);
            assert.match(put, /^[|[ ]*(?:fixes |delivers )?[#\d\s,|]*\]?$/i);
          }
        }
      }),
      { numRuns: 3000 },
    );
  }).timeout(20_000);
});
