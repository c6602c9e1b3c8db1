import assert from 'node:assert/strict';
import type { StoryQuery } from '../../../../../src/core/ports/tracker.ts';
import type { Story } from '../../../../../src/core/story/story.ts';
import { TreeFilter } from '../../../../../src/features/stories/tree/treeFilter.ts';
import { aBakeryBacklog } from '../../../../support/builders/bakery.ts';
import { aStory } from '../../../../support/builders/builders.ts';
import { Bench, key } from './treeBench.ts';

const TEXT = 'type:bug points:>1 includedone:true';
const bug = (id: number, estimate = 2) => aStory({ id, type: 'bug', state: 'accepted', estimate });
const bugs = (from: number, count: number) => Array.from({ length: count }, (_, index) => bug(from + index));

/** A server whose answers a test gives one after the other. */
class Asked {
  readonly queries: StoryQuery[] = [];
  readonly changes: string[] = [];
  private waiting: ((answer: readonly Story[] | Error) => void) | undefined;
  readonly filter = new TreeFilter(TEXT, () => ({ now: 0 }), {
    list: (_, query) => {
      this.queries.push(query);
      return new Promise((resolve, reject) => {
        this.waiting = (answer) => (answer instanceof Error ? reject(answer) : resolve(answer));
      });
    },
    changed: ({ projectId }) => this.changes.push(`changed ${projectId}`),
  });

  async answer(answer: readonly Story[] | Error): Promise<void> {
    this.waiting?.(answer);
    await new Promise((resolve) => setImmediate(resolve));
  }

  get found(): readonly number[] {
    return this.filter.done.foundIn(key).map(({ id }) => id);
  }

  get state() {
    return this.filter.done.progressIn(key)?.state;
  }
}

describe('A search of done iterations', () => {
  it('asks nothing before it is asked to', () => {
    const asked = new Asked();
    assert.equal(asked.state, 'offered');
    assert.deepEqual(asked.queries, []);
  });

  it('asks page by page, and keeps what the whole filter lets through', async () => {
    const asked = new Asked();
    const searching = asked.filter.done.search(key);
    assert.equal(asked.state, 'searching');
    await asked.answer([...bugs(100, 99), bug(199, 1)]);
    assert.equal(asked.found.length, 99);
    await asked.answer([bug(300), aStory({ id: 301, type: 'chore', estimate: 3 })]);
    await searching;
    assert.deepEqual(
      asked.queries.map(({ offset, limit, filter }) => [offset, limit, filter]),
      [0, 100].map((offset) => [offset, 100, 'type:bug state:accepted includedone:true']),
    );
    assert.equal(asked.found.length, 100);
    assert.equal(asked.state, undefined);
    assert.equal(new Set(asked.changes).size, 1);
  });

  it('ends with a server that knows no pages', async () => {
    const asked = new Asked();
    const searching = asked.filter.done.search(key);
    await asked.answer(bugs(100, 120));
    await asked.answer(bugs(100, 120));
    await searching;
    assert.equal(asked.queries.length, 2);
    assert.equal(asked.found.length, 120);
  });

  it('says why it could not, keeps what it found, and can be asked again', async () => {
    const asked = new Asked();
    const searching = asked.filter.done.search(key);
    await asked.answer(bugs(100, 100));
    await asked.answer(new Error('The connection was lost.'));
    await searching;
    assert.deepEqual(asked.filter.done.progressIn(key), { state: 'failed', problem: 'The connection was lost.' });
    assert.equal(asked.found.length, 100);
    const again = asked.filter.done.search(key);
    await asked.answer([bug(1)]);
    await again;
    assert.deepEqual([asked.found, asked.state], [[1], undefined]);
  });

  it('asks once however often it is asked to', async () => {
    const asked = new Asked();
    const searching = Promise.all([asked.filter.done.search(key), asked.filter.done.search(key)]);
    await asked.answer([]);
    await searching;
    assert.equal(asked.queries.length, 1);
  });

  it('drops what comes after the filter has ended', async () => {
    const asked = new Asked();
    const searching = asked.filter.done.search(key);
    asked.filter.done.dispose();
    const before = asked.changes.length;
    await asked.answer(bugs(100, 100));
    await searching;
    assert.deepEqual([asked.found, asked.queries.length, asked.changes.length], [[], 1, before]);
  });

  it('shows in the tree what it found and is not loaded, and no longer offers to search', async () => {
    const asked = new Asked();
    const bench = new Bench(aBakeryBacklog());
    await bench.tree.reshape({ ...bench.tree.shape, filter: asked.filter });
    assert.deepEqual(await bench.paint(), [['Bakery', [['done', ['offered']]]]]);
    const searching = asked.filter.done.search(key);
    assert.deepEqual(
      await bench.changes(),
      ['offered'].map(() => 'searching'),
    );
    await asked.answer([bug(5), bug(40), bug(41)]);
    await searching;
    assert.deepEqual(await bench.changes(), ['Bakery']);
    assert.deepEqual(await bench.paint(), [['Bakery', [['done', ['Story 40', 'Story 41']]]]]);
    assert.deepEqual(bench.tree.countIn(key), { shown: 2, total: 8 });
    const row = await bench.tree.findStory(key, 40);
    assert.equal(row?.story.id, 40);
  });

  it('shows it among those that have something in common, too', async () => {
    const asked = new Asked();
    const bench = new Bench(aBakeryBacklog());
    await bench.tree.reshape({ ...bench.tree.shape, filter: asked.filter, groupBy: 'state' });
    assert.deepEqual(await bench.paint(), [['Bakery', ['offered']]]);
    const searching = asked.filter.done.search(key);
    await asked.answer([bug(40)]);
    await searching;
    assert.deepEqual(await bench.paint(), [['Bakery', [['accepted', ['Story 40']]]]]);
  });
});
