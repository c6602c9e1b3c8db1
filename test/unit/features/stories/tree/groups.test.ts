import assert from 'node:assert/strict';
import { nodeId } from '../../../../../src/features/stories/tree/rows.ts';
import { TreeFilter } from '../../../../../src/features/stories/tree/treeFilter.ts';
import type { GroupBy } from '../../../../../src/features/stories/tree/treeShape.ts';
import { GroupNode, StoryNode, type TreeNode } from '../../../../../src/host/tree/nodes.ts';
import { aBakeryBacklog, iterationOf } from '../../../../support/builders/bakery.ts';
import { aStory } from '../../../../support/builders/builders.ts';
import { Bench, key, name, type Painted } from './treeBench.ts';

const backlog = aBakeryBacklog({
  done: [iterationOf(1, [aStory({ id: 1, state: 'accepted', ownedBy: 'Bo', labels: ['oven'] })])],
  iterations: [
    iterationOf(2, [
      aStory({ id: 3, type: 'bug', state: 'started', ownedBy: 'Ada', labels: ['shop', 'oven'] }),
      aStory({ id: 4 }),
    ]),
  ],
  icebox: [aStory({ id: 6, type: 'spike', state: 'unscheduled' })],
});

async function grouped(groupBy: GroupBy, text?: string): Promise<Bench> {
  const bench = new Bench(backlog);
  const filter = text === undefined ? undefined : new TreeFilter(text, () => ({ now: 0 }));
  await bench.tree.reshape({ ...bench.tree.shape, filter, groupBy });
  return bench;
}

async function assertTree(bench: Bench, expected: readonly Painted[]): Promise<void> {
  assert.deepEqual(await bench.paint(), [['Bakery', expected]]);
}

describe('StoryTree grouped otherwise than by iteration', () => {
  it('has states in the order of the workflow and types in the usual one, unknown ones last', async () => {
    await assertTree(await grouped('state'), [
      ['unscheduled', ['Story 6']],
      ['unstarted', ['Story 4']],
      ['started', ['Story 3']],
      ['accepted', ['Story 1']],
    ]);
    await assertTree(await grouped('type'), [
      ['feature', ['Story 4', 'Story 1']],
      ['bug', ['Story 3']],
      ['spike', ['Story 6']],
    ]);
  });

  it('has owners in the order of the alphabet, and what nobody owns last', async () => {
    await assertTree(await grouped('owner'), [
      ['Ada', ['Story 3']],
      ['Bo', ['Story 1']],
      ['none', ['Story 4', 'Story 6']],
    ]);
  });

  it('shows a story below each of its labels, as rows of their own', async () => {
    const bench = await grouped('label');
    await assertTree(bench, [
      ['oven', ['Story 3', 'Story 1']],
      ['shop', ['Story 3']],
      ['none', ['Story 4', 'Story 6']],
    ]);
    const ids = (await all(bench)).map(nodeId);
    assert.equal(new Set(ids).size, ids.length);
  });

  it('leaves out what a filter hides, and counts it', async () => {
    const bench = await grouped('owner', 'type:feature includedone:true');
    await assertTree(bench, [
      ['Bo', ['Story 1']],
      ['none', ['Story 4']],
    ]);
    const totals = (await all(bench)).flatMap((row) => (row instanceof GroupNode ? [row.total] : []));
    assert.deepEqual(totals, [1, 2]);
    await assertTree(await grouped('owner', 'type:feature'), [['none', ['Story 4']]]);
  });

  it('offers older done iterations at the end', async () => {
    const bench = await grouped('type');
    bench.backlog = aBakeryBacklog({ iterations: [], icebox: [] });
    await assertTree(bench, [['feature', ['Story 2', 'Story 1']], 'more']);
  });

  it('finds the row of a story, and keeps it where the story comes into another group', async () => {
    const bench = await grouped('state');
    await bench.paint();
    const row = await bench.tree.findStory(key, 3);
    assert.ok(row instanceof StoryNode);
    assert.equal(name(bench.tree.parentOf(row) ?? row), 'started');
    bench.backlog = { ...backlog, iterations: [iterationOf(2, [aStory({ id: 3, state: 'finished' })])] };
    assert.deepEqual(await bench.changes(), ['Bakery']);
    assert.equal(await bench.tree.findStory(key, 3), row);
    assert.equal(name(bench.tree.parentOf(row) ?? row), 'finished');
  });
});

async function all(bench: Bench, row?: TreeNode): Promise<readonly TreeNode[]> {
  const rows = await bench.tree.childrenOf(row);
  const below = await Promise.all(rows.map((child) => all(bench, child)));
  return [...rows, ...below.flat()];
}
