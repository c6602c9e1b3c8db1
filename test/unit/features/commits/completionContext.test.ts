import assert from 'node:assert/strict';
import { completionContext } from '../../../../src/features/commits/completionContext.ts';

/** `before` is the line up to the cursor; what is replaced, and how, is told as `start query`. */
function assertContext(before: string, expected: string | undefined, commentChar = ''): void {
  it(`${JSON.stringify(before)}${commentChar && ` where ${commentChar} begins comments`} → ${expected ?? 'nothing'}`, () => {
    const context = completionContext(before, '', commentChar);
    const told =
      context && `${context.start} ${context.hash ? '#' : ''}${context.query}${context.inBracket ? ' in bracket' : ''}`;
    assert.equal(told, expected);
  });
}

describe('where stories are proposed', () => {
  assertContext('#', '0 #');
  assertContext('Sort #', '5 #');
  assertContext('Sort #12', '5 #12');
  assertContext('Sort #log-in', '5 #log-in');
  assertContext('Sort (#1', '6 #1');
  assertContext('Sort #ünï', '5 #ünï');
  assertContext('[fixes #', '7 # in bracket');
  assertContext('[fixes #12 #3', '11 #3 in bracket');
  assertContext('[fixes #12,#3', '11 #3 in bracket');
  assertContext('[#', '1 # in bracket');
  assertContext('[fixes lo', '7 lo in bracket');
  assertContext('[lo', '1 lo in bracket');
  assertContext('[fixes #1] #2', '11 #2');
  assertContext('', undefined);
  assertContext('Sort by rank', undefined);
  assertContext('Port it to C#', undefined);
  assertContext('see team/app#12', undefined);
  assertContext('Sort #12 now', undefined);
  assertContext('[fixes ', undefined);
  assertContext('# On branch #', undefined, '#');
  assertContext('#\tmodified: #', undefined, '#');
  assertContext('#', '0 #', '#');
  assertContext('#12', '0 #12', '#');
  assertContext('Sort #1', '5 #1', '#');
  assertContext('# On branch #', '12 #');
  assertContext('# On branch #', '12 #', ';');
  assertContext('; On branch #', undefined, ';');

  it('is at any word of three letters or more where that is wished for', () => {
    const at = (before: string) => {
      const context = completionContext(before, '', '', true);
      return context && `${context.start} ${context.query}${context.inBracket ? ' in bracket' : ''}`;
    };
    assert.equal(at('Sort by rank'), '8 rank');
    assert.equal(at('Sort'), '0 Sort');
    assert.equal(at('Sort by'), undefined);
    assert.equal(at('Sort 2026'), undefined);
    assert.equal(at('team/rank'), undefined);
    assert.equal(at('Sort '), undefined);
    assert.equal(at('[fixes rank'), '7 rank in bracket');
    assert.equal(at('[fixes #1, (rank'), undefined);
  });

  it('knows where the word ends that the cursor is in', () => {
    const wordEnd = (before: string, after: string) => completionContext(before, after, '')?.wordEnd;
    assert.equal(wordEnd('Sort #3', '5 now'), 8);
    assert.equal(wordEnd('Sort [fixes #3', '5]'), 15);
    assert.equal(wordEnd('Sort #', ''), 6);
  });
});
