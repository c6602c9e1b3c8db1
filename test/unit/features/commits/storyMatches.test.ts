import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Backlog } from '../../../../src/core/backlog/backlog.ts';
import type { Story } from '../../../../src/core/story/story.ts';
import { completionContext, storyMatches } from '../../../../src/features/commits/storyMatches.ts';
import { aBacklog, anIteration, aStory } from '../../../support/builders/builders.ts';

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
  assertContext('修正#1', '2 #1');
  assertContext('修正：#1', '3 #1');
  assertContext('**#1', '2 #1');
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

function backlogOf(stories: readonly Story[], icebox: readonly Story[] = [], done: readonly Story[] = []): Backlog {
  return aBacklog({
    iterations: [anIteration({ stories })],
    icebox,
    done: [anIteration({ number: 2, stories: done })],
  });
}

const idsOf = (matches: ReturnType<typeof storyMatches>) => matches.map(({ story }) => story.id);

describe('stories proposed for a query', () => {
  const backlog = backlogOf(
    [
      aStory({ id: 10, state: 'accepted', name: 'Log out' }),
      aStory({ id: 11, name: 'Log in by e-mail' }),
      aStory({ id: 12, state: 'started', name: 'Sign in' }),
    ],
    [aStory({ id: 120, name: 'Keep a log' })],
    [aStory({ id: 2, state: 'accepted', name: 'Draw the logo' })],
  );

  it('are those in work first, then in priority order, and those done last', () => {
    assert.deepEqual(idsOf(storyMatches([{ backlog }], '', 10)), [12, 11, 120, 10, 2]);
  });

  it('have the active one first, once', () => {
    assert.deepEqual(idsOf(storyMatches([{ backlog }, { backlog, activeId: 120 }], '', 6))[0], 120);
    assert.deepEqual(idsOf(storyMatches([{ backlog, activeId: 120 }], '', 10)), [120, 12, 11, 10, 2]);
    assert.deepEqual(idsOf(storyMatches([{ backlog, activeId: 120 }], 'sign', 10)), [12]);
  });

  it('have it in their name in any case, or at the start of their id', () => {
    assert.deepEqual(idsOf(storyMatches([{ backlog }], 'LOG', 10)), [11, 120, 10, 2]);
    assert.deepEqual(idsOf(storyMatches([{ backlog }], '12', 10)), [12, 120]);
    assert.deepEqual(idsOf(storyMatches([{ backlog }], 'nothing', 10)), []);
  });

  it('are found by any part of their name, whatever is in it', () => {
    const text = fc.array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }), { minLength: 1, maxLength: 12 });
    const cases = fc.tuple(text, fc.nat(), fc.nat(), fc.constantFrom('toUpperCase', 'toString'));
    const property = fc.property(cases, ([letters, from, length, how]) => {
      const part = letters.slice(from % letters.length).slice(0, 1 + (length % letters.length));
      const isPlain = /^[\x20-\x7e]*$/.test(part.join(''));
      const query = isPlain ? part.join('')[how]() : part.join('');
      const matches = storyMatches([{ backlog: backlogOf([aStory({ id: 1, name: letters.join('') })]) }], query, 1);
      assert.deepEqual(idsOf(matches), [1]);
    });
    fc.assert(property);
  });

  it('are looked for among what the backlog holds now', () => {
    const [first, second] = [aStory({ id: 31, name: 'Dock' }), aStory({ id: 32, name: 'Dock too' })];
    const before = backlogOf([first, second]);
    assert.deepEqual(idsOf(storyMatches([{ backlog: before }], 'dock', 9)), [31, 32]);
    assert.deepEqual(idsOf(storyMatches([{ backlog: before, ownName: 'Ada' }], 'dock', 9)), [31, 32]);
    const after = backlogOf([first, { ...second, state: 'finished', ownedBy: 'Ada' }]);
    assert.deepEqual(idsOf(storyMatches([{ backlog: after, ownName: 'Ada' }], 'dock', 9)), [32, 31]);
    assert.deepEqual(idsOf(storyMatches([{ backlog: after, ownName: 'Bo' }], 'dock', 9)), [31, 32]);
  });

  it('say where each is, where there are several servers', () => {
    const servers = [
      { backlog, server: 'a.example' },
      { backlog, server: 'b.example', activeId: 11 },
    ];
    const found = storyMatches(servers, '11', 10).map(({ story, server }) => [story.id, server]);
    assert.deepEqual(found, [
      [11, 'b.example'],
      [11, 'a.example'],
    ]);
  });

  it('are at most as many as asked for', () => {
    assert.deepEqual(idsOf(storyMatches([{ backlog }], 'log', 2)), [11, 120]);
    assert.deepEqual(idsOf(storyMatches([{ backlog }], 'log', 0)), []);
  });

  it('are what one has started oneself before all else, whichever project it is in', () => {
    const begun = (id: number, state: string, ownedBy: string) => aStory({ id, state, ownedBy });
    const first = backlogOf([begun(1, 'started', 'Ben'), begun(2, 'unstarted', 'Ada'), begun(3, 'finished', 'Ada')]);
    const second = backlogOf([aStory({ id: 4 }), begun(5, 'started', 'Ada F.')], [aStory({ id: 6 })]);
    const searched = [
      { backlog: first, ownName: 'Ada' },
      { backlog: second, ownName: 'Ada F.' },
    ];
    assert.deepEqual(idsOf(storyMatches(searched, '', 10)), [5, 3, 1, 2, 4, 6]);
    assert.deepEqual(idsOf(storyMatches(searched, '', 2)), [5, 3]);
    const nameless = searched.map(({ backlog: one }) => ({ backlog: one }));
    assert.deepEqual(idsOf(storyMatches(nameless, '', 10)), [1, 5, 2, 3, 4, 6]);
  });

  it('are found among ten thousand, however few are told', () => {
    const many = backlogOf(Array.from({ length: 10_000 }, (_, index) => aStory({ id: index + 1 })));
    assert.deepEqual(idsOf(storyMatches([{ backlog: many }], '9999', 5)), [9999]);
    assert.deepEqual(idsOf(storyMatches([{ backlog: many }], 'story', 3)), [1, 2, 3]);
  });
});
