import assert from 'node:assert/strict';
import { utcDays } from '../../../../../src/core/calendar.ts';
import { TreeFilter } from '../../../../../src/features/stories/tree/treeFilter.ts';
import { aBakeryBacklog, iterationOf } from '../../../../support/builders/bakery.ts';
import { aStory } from '../../../../support/builders/builders.ts';
import { Bench, key, type Painted } from './treeBench.ts';

const backlog = aBakeryBacklog({
  done: [iterationOf(10, [aStory({ id: 1, type: 'bug' })]), iterationOf(11, [2])],
  iterations: [iterationOf(12, [aStory({ id: 3, type: 'bug' }), 4]), iterationOf(13, [5])],
  icebox: [
    aStory({ id: 6, type: 'bug', state: 'unscheduled' }),
    aStory({ id: 7, state: 'unscheduled', ownedBy: 'Ada Byron' }),
  ],
});

async function filtered(text: string): Promise<Bench> {
  const bench = new Bench(backlog);
  const filter = new TreeFilter(text, () => ({ now: 0, me: 'Ada Byron' }));
  await bench.tree.reshape({ ...bench.tree.shape, filter });
  return bench;
}

async function assertTree(text: string, expected: readonly Painted[]): Promise<void> {
  assert.deepEqual(await (await filtered(text)).paint(), [expected.length > 0 ? ['Bakery', expected] : 'Bakery'], text);
}

describe('StoryTree with a filter', () => {
  it('shows what fits in its place, and hides done stories and iterations that nothing is left of', async () => {
    await assertTree('type:bug', [
      ['current 12', ['Story 3']],
      ['icebox', ['Story 6']],
    ]);
    await assertTree('owner:me', [['icebox', ['Story 7']]]);
    await assertTree('nothing', ['No matching stories']);
  });

  it('shows only the projects that are meant, or says that there are none', async () => {
    const bench = await filtered('project:bak type:bug');
    assert.deepEqual(await bench.paint(), [
      [
        'Bakery',
        [
          ['current 12', ['Story 3']],
          ['icebox', ['Story 6']],
        ],
      ],
    ]);
    for (const text of ['project:mill', '-project:bakery type:bug']) {
      const other = await filtered(text);
      assert.deepEqual(await other.paint(), ['No matching projects'], text);
      assert.equal(other.tree.countIn(key)?.shown, 0);
    }
  });

  it('asks the same stories again on another day', () => {
    const day = 86_400_000;
    let now = 20 * day;
    const story = aStory({ createdAt: { text: '', time: now } });
    const filter = new TreeFilter(
      'created_since:today',
      () => ({ now }),
      undefined,
      () => now,
      utcDays,
    );
    const passes = [0, 1, 0].map((later) => {
      now = (20 + later) * day + 1;
      return filter.passes(key, story);
    });
    assert.deepEqual(passes, [true, false, true]);
  });

  it('counts days as they are where it is, and asks again at midnight there', () => {
    const before = process.env.TZ;
    process.env.TZ = 'America/Los_Angeles';
    try {
      // On 8 March 2026 clocks are put forward at two: the day has 23 hours.
      const midnight = Date.UTC(2026, 2, 8, 8);
      const end = Date.UTC(2026, 2, 9, 7);
      let now = midnight - 1;
      const filterOf = (text: string) =>
        new TreeFilter(
          text,
          () => ({ now }),
          undefined,
          () => now,
        );
      const today = filterOf('created_since:today');
      const onDay = filterOf('created_since:2026/03/08');
      const story = aStory({ createdAt: { text: '', time: midnight } });
      const late = aStory({ createdAt: { text: '', time: midnight - 1 } });
      assert.deepEqual(
        [today.passes(key, late), onDay.passes(key, late), onDay.passes(key, story)],
        [true, false, true],
      );
      now = midnight;
      assert.deepEqual([today.passes(key, late), today.passes(key, story)], [false, true]);
      now = end - 1;
      assert.equal(today.passes(key, story), true);
      now = end;
      assert.equal(today.passes(key, story), false);
    } finally {
      process.env.TZ = before ?? 'UTC';
    }
  });

  it('sorts the stories of each iteration, whose places stay', async () => {
    await assertTree('sort:name-desc type:bug,feature', [
      ['current 12', ['Story 4', 'Story 3']],
      ['backlog 13', ['Story 5']],
      ['icebox', ['Story 7', 'Story 6']],
    ]);
  });

  it('shows done stories where that is asked for, and offers to search older ones', async () => {
    await assertTree('type:bug includedone:true', [
      ['current 12', ['Story 3']],
      ['done', [['done 10', ['Story 1']], 'offered']],
      ['icebox', ['Story 6']],
    ]);
    await assertTree('id:5 includedone:true', [
      ['backlog 13', ['Story 5']],
      ['done', ['offered']],
    ]);
  });

  it('counts what is left of all that the filter looks at', async () => {
    assert.deepEqual((await filtered('type:bug')).tree.countIn(key), { shown: 2, total: 5 });
    assert.deepEqual((await filtered('type:bug includedone:true')).tree.countIn(key), { shown: 3, total: 7 });
  });

  it('follows changes: a story that comes to fit appears, and one that fits no more goes', async () => {
    const bench = await filtered('type:bug');
    await bench.paint();
    assert.deepEqual(await bench.changes(), []);
    bench.backlog = { ...backlog, iterations: [iterationOf(12, [3, aStory({ id: 4, type: 'bug' })])] };
    assert.deepEqual(await bench.changes(), ['Bakery']);
    assert.deepEqual(await bench.paint(), [
      [
        'Bakery',
        [
          ['current 12', ['Story 4']],
          ['icebox', ['Story 6']],
        ],
      ],
    ]);
  });

  it('shows everything again once it ends', async () => {
    const bench = await filtered('type:bug');
    await bench.paint();
    await bench.tree.reshape({ ...bench.tree.shape, filter: undefined });
    assert.deepEqual(await bench.paint(), await new Bench(backlog).paint());
  });
});
