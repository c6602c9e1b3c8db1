import assert from 'node:assert/strict';
import type { Story } from '../../../../../src/core/story/story.ts';
import { nodeId } from '../../../../../src/features/stories/tree/rows.ts';
import { NumberedStories } from '../../../../../src/host/story/newStories.ts';
import { StoryNode, type TreeNode } from '../../../../../src/host/tree/nodes.ts';
import { aBakeryBacklog } from '../../../../support/builders/bakery.ts';
import { aStory } from '../../../../support/builders/builders.ts';
import { Bench } from './treeBench.ts';

const rye = (id: number, fields: Partial<Story> = {}) => aStory({ id, name: 'Bake rye', ...fields });

describe('A story that gets its number', () => {
  function assertNumbered(lists: readonly (readonly Story[])[], expected: readonly (readonly [number, number])[]) {
    const numbers = new NumberedStories();
    const told = lists.flatMap((stories) => numbers.update(stories));
    assert.deepEqual(
      told.map(({ formerId, storyId }) => [formerId, storyId]),
      expected,
    );
  }

  it('is the one of its words that came in its place', () => {
    assertNumbered([[rye(-1)], [rye(8)]], [[-1, 8]]);
    assertNumbered([[rye(-1)], [rye(8, { name: 'Bake spelt' })]], []);
    assertNumbered([[rye(-1)], [rye(8, { description: 'At night' })]], []);
  });

  it('is told once', () => assertNumbered([[rye(-1)], [rye(8)], [rye(8)], [rye(8), rye(9)]], [[-1, 8]]));

  it('may be there before the one without a number is gone', () =>
    assertNumbered([[rye(-1)], [rye(-1), rye(8)], [rye(8)]], [[-1, 8]]));

  it('is none that was there before, where the new one was discarded', () =>
    assertNumbered([[rye(7), rye(-1)], [rye(7)]], []));

  it('is another than that of an equal one', () => {
    const lists = [
      [rye(-1), rye(-2)],
      [rye(8), rye(-2)],
      [rye(8), rye(9)],
    ];
    assertNumbered(lists, [
      [-1, 8],
      [-2, 9],
    ]);
  });
});

describe('The row of a story that gets its number', () => {
  const rowsOf = async (bench: Bench, row?: TreeNode): Promise<readonly StoryNode[]> => {
    const rows = await bench.tree.childrenOf(row);
    const below = await Promise.all(rows.map((one) => rowsOf(bench, one)));
    return [...rows.filter((one) => one instanceof StoryNode), ...below.flat()];
  };
  const rowOf = async (bench: Bench, id: number) => (await rowsOf(bench)).find(({ story }) => story.id === id);

  it('stays, by the name that VS Code knows it by, so that it stays selected', async () => {
    const bench = new Bench(aBakeryBacklog({ icebox: [rye(-1), aStory({ id: 6 })] }));
    await bench.paint();
    const before = await rowOf(bench, -1);
    const name = before && nodeId(before);
    bench.backlog = aBakeryBacklog({ icebox: [rye(8), aStory({ id: 6 })] });
    assert.deepEqual(await bench.changes(), ['Bake rye']);
    const after = await rowOf(bench, 8);
    assert.ok(after);
    assert.equal(after, before);
    assert.equal(nodeId(after), name);
    assert.equal(bench.tree.row(nodeId(new StoryNode(after.key, after.story, after.parent))), after);
  });

  it('takes the place of the one that came before it was gone', async () => {
    const bench = new Bench(aBakeryBacklog({ icebox: [rye(-1)] }));
    await bench.paint();
    const before = await rowOf(bench, -1);
    bench.backlog = aBakeryBacklog({ icebox: [rye(-1), rye(8)] });
    await bench.changes();
    assert.notEqual(await rowOf(bench, 8), before);
    bench.backlog = aBakeryBacklog({ icebox: [rye(8)] });
    await bench.changes();
    assert.equal(await rowOf(bench, 8), before);
  });
});
