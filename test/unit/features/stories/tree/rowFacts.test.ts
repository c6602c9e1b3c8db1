import assert from 'node:assert/strict';
import { iterationDates, noteLook, pointsSign } from '../../../../../src/features/stories/tree/rowFacts.ts';
import { aNote } from '../../../../support/builders/builders.ts';

const lookOf = (text: string) => noteLook(aNote({ text }));

describe('noteLook', () => {
  it('shows the subject of a commit and knows its page', () => {
    const { commit, summary, link } = lookOf(
      'Commit by Ada\nhttps://code.example/c/1a2b3c\n\nBake it longer\n\nToo pale. [fixes #12]',
    );
    assert.deepEqual(
      [commit?.state, commit?.hash, summary, link],
      ['linked', '1a2b3c', 'Bake it longer', 'https://code.example/c/1a2b3c'],
    );
  });

  it('takes a message that stands alone for what it is', () => {
    const { commit, summary, link } = lookOf('Bake it longer [#12]');
    assert.deepEqual(
      [commit?.state, commit?.hash, summary, link],
      ['linked', undefined, 'Bake it longer [#12]', undefined],
    );
  });

  it('shows a comment on one line, and its first link without the full stop behind it', () => {
    assert.deepEqual(lookOf('See\n  (https://docs.example/oven), and #12.\nThen https://b.example'), {
      commit: undefined,
      summary: 'See (https://docs.example/oven), and #12. Then https://b.example',
      link: 'https://docs.example/oven',
    });
  });

  it('finds no link in what starts other programs', () => {
    assert.equal(lookOf('vscode://evil/run file:///etc/passwd javascript:alert(1)').link, undefined);
  });
});

function assertDates(start: string | undefined, finish: string | undefined, expected: string): void {
  const date = (text: string | undefined) => (text === undefined ? {} : { text });
  const iteration = {
    ...{ id: 1, number: 1, stories: [] },
    ...(start === undefined ? {} : { start: { ...date(start), text: start } }),
    ...(finish === undefined ? {} : { finish: { ...date(finish), text: finish } }),
  };
  assert.equal(iterationDates(iteration, 'en').replace(/\s/g, ' '), expected);
}

describe('iterationDates', () => {
  it('are the first and the last day, whatever the zones of the server and the reader', () => {
    assertDates('2026/11/16 00:00:00 UTC', '2026/11/23 00:00:00 UTC', 'Nov 16 – 22');
    assertDates('2026/11/30 00:00:00 EST', '2026/12/07 00:00:00 EST', 'Nov 30 – Dec 6');
    assertDates('2026/03/02 00:00:00 XYZT', '2026/03/09 00:00:00 XYZT', 'Mar 2 – 8');
    assertDates('2026-11-16T00:00:00Z', '2026-11-23T00:00:00Z', 'Nov 16 – 22');
  });

  it('are left out when the server gave none that can be read', () => {
    assertDates(undefined, '2026/11/23 00:00:00 UTC', '');
    assertDates('soon', 'later', '');
  });
});

describe('pointsSign', () => {
  for (const [estimate, expected] of [
    [0, '(0)'],
    [1, '①'],
    [8, '⑧'],
    [10, '⑩'],
    [13, '(13)'],
    [40, '(40)'],
    [0.5, '(0.5)'],
    [-1, '◌'],
    [undefined, '◌'],
  ] as const) {
    it(`shows ${estimate} points of a feature as ${expected}`, () => {
      assert.equal(pointsSign({ type: 'feature', ...(estimate !== undefined && { estimate }) }), expected);
    });
  }

  it('shows nothing where stories of a type are not estimated, unless they have points', () => {
    for (const type of ['bug', 'chore', 'release', 'epic']) {
      assert.equal(pointsSign({ type }), undefined);
      assert.equal(pointsSign({ type, estimate: -1 }, { bugsAndChoresAreEstimatable: false }), undefined);
      assert.equal(pointsSign({ type, estimate: 2 }), '②');
    }
    assert.equal(pointsSign({ type: 'bug' }, { bugsAndChoresAreEstimatable: true }), '◌');
    assert.equal(pointsSign({ type: 'release' }, { bugsAndChoresAreEstimatable: true }), undefined);
  });
});
