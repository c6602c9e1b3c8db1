import assert from 'node:assert/strict';
import { nodeId } from '../../../../../src/features/stories/tree/rows.ts';
import { TreeFilter } from '../../../../../src/features/stories/tree/treeFilter.ts';
import type { SavedView } from '../../../../../src/features/stories/tree/treeShape.ts';
import { DoneSearchNode, SavedFilterNode, StoryNode, type TreeNode } from '../../../../../src/host/tree/nodes.ts';
import { aBakery, aBakeryBacklog, iterationOf } from '../../../../support/builders/bakery.ts';
import { aStory } from '../../../../support/builders/builders.ts';
import { Bench, key, name } from './treeBench.ts';

const backlog = aBakeryBacklog({
  done: [iterationOf(1, [aStory({ id: 1, type: 'bug', state: 'accepted' })])],
  iterations: [iterationOf(2, [aStory({ id: 3, type: 'bug' }), 4]), iterationOf(3, [5])],
  icebox: [aStory({ id: 6, type: 'bug', state: 'unscheduled' })],
});

function view(label: string, text: string): SavedView {
  return { name: label, text, filter: new TreeFilter(text, () => ({ now: 0 })) };
}

async function saved(...views: readonly SavedView[]): Promise<Bench> {
  const bench = new Bench(backlog);
  await bench.tree.reshape({ ...bench.tree.shape, saved: views });
  return bench;
}

/** Only what is below the projects. */
async function savedRows(bench: Bench) {
  return (await bench.paint()).slice(bench.projects.length);
}

describe('Saved filters in the story tree', () => {
  it('are rows below the projects, with what fits in priority order, done stories last where they are meant', async () => {
    const bench = await saved(view('Bugs', 'type:bug'), view('All bugs', 'type:bug includedone:true'));
    assert.deepEqual(await savedRows(bench), [
      ['Bugs', ['Story 3', 'Story 6']],
      ['All bugs', ['Story 3', 'Story 6', 'Story 1']],
    ]);
  });

  it('look at all projects', async () => {
    const bench = await saved(view('Bugs', 'type:bug'));
    bench.projects = [aBakery(), aBakery({ id: 8, name: 'Butchery' })];
    assert.deepEqual(await savedRows(bench), [['Bugs', ['Story 3', 'Story 6', 'Story 3', 'Story 6']]]);
    const rows = await every(bench);
    const places = rows.flatMap((row) =>
      row instanceof StoryNode && row.parent instanceof SavedFilterNode ? row.key.projectId : [],
    );
    assert.deepEqual(places, [7, 7, 8, 8]);
  });

  it('give every row a name of its own, and lead from each to its parent', async () => {
    const bench = await saved(view('Bugs', 'type:bug'), view('Open', 'state:unstarted'));
    const rows = await every(bench);
    const ids = rows.map(nodeId);
    assert.equal(new Set(ids).size, ids.length);
    for (const row of rows) {
      if (row instanceof StoryNode && row.parent instanceof SavedFilterNode) {
        assert.equal(bench.tree.parentOf(row), row.parent);
        assert.equal(bench.tree.parentOf(row.parent), undefined);
      }
    }
  });

  it('say quietly that nothing fits, and plainly what is no filter', async () => {
    const wrong = { name: 'Wrong', text: 'colour:red', filter: 'Unknown filter key “colour:”.' };
    const bench = await saved(view('None', 'type:release'), wrong);
    assert.deepEqual(await savedRows(bench), [
      ['None', ['No matching stories']],
      ['Wrong', ['Unknown filter key “colour:”.']],
    ]);
    assert.deepEqual(
      (await bench.notices()).map(([, action]) => action),
      ['editFilter', 'editFilter'],
    );
  });

  it('say why a project could not be read', async () => {
    const bench = await saved(view('Bugs', 'type:bug'));
    bench.backlog = new Error('Nobody home.');
    await bench.tree.reshape({ ...bench.tree.shape });
    const fresh = new Bench(new Error('Nobody home.'));
    await fresh.tree.reshape({ ...fresh.tree.shape, saved: [view('Bugs', 'type:bug')] });
    assert.deepEqual(await savedRows(fresh), [['Bugs', ['Nobody home.']]]);
    assert.deepEqual((await fresh.notices()).at(-1), ['Nobody home.', 'refresh']);
  });

  it('are not there without a project, so that the welcome is', async () => {
    const bench = await saved(view('Bugs', 'type:bug'));
    bench.projects = [];
    assert.deepEqual(await bench.paint(), []);
  });

  it('follow changes: only the story that changed is painted again, in both its places', async () => {
    const bench = await saved(view('Bugs', 'type:bug'));
    await bench.paint();
    assert.deepEqual(await bench.changes(), []);
    bench.backlog = {
      ...backlog,
      icebox: [aStory({ id: 6, type: 'bug', state: 'unscheduled', name: 'Renamed' })],
    };
    assert.deepEqual(await bench.changes(), ['Renamed', 'Renamed']);
  });

  it('follow changes: a story that comes to fit appears, and one that fits no more goes', async () => {
    const bench = await saved(view('Bugs', 'type:bug'));
    await bench.paint();
    bench.backlog = {
      ...backlog,
      iterations: [iterationOf(2, [3, aStory({ id: 4, type: 'bug' })]), iterationOf(3, [5])],
    };
    assert.deepEqual(await bench.changes(), ['Story 3', 'Story 4', 'Bugs']);
    assert.deepEqual(await savedRows(bench), [['Bugs', ['Story 4', 'Story 6']]]);
  });

  it('stay as they are when another filter is shown', async () => {
    const bench = await saved(view('Bugs', 'type:bug'));
    const filter = new TreeFilter('id:4', () => ({ now: 0 }));
    await bench.tree.reshape({ ...bench.tree.shape, filter });
    assert.deepEqual(await savedRows(bench), [['Bugs', ['Story 3', 'Story 6']]]);
  });

  it('count what is read of them before they are opened', async () => {
    const bench = await saved(view('Bugs', 'type:bug'));
    bench.projects = [aBakery(), aBakery({ id: 8 })];
    const rows = await bench.tree.childrenOf(undefined);
    const row = rows.at(-1);
    assert.ok(row instanceof SavedFilterNode);
    assert.deepEqual([row.found.length, row.isPartial], [2, true]);
  });

  it('offer to search done iterations that are not loaded, of all projects at once', async () => {
    const bench = await saved(view('All bugs', 'type:bug includedone:true'));
    bench.backlog = { ...backlog, done: [iterationOf(5, [1])] };
    const rows = await every(bench);
    const search = rows.find((row) => row instanceof DoneSearchNode);
    assert.ok(search instanceof DoneSearchNode);
    assert.equal(name(search.parent), 'All bugs');
    assert.deepEqual(bench.tree.searchedBy(search), [key]);
  });

  it('are never where a story is shown: that is its own row', async () => {
    const bench = await saved(view('Bugs', 'type:bug'));
    await bench.paint();
    const row = await bench.tree.findStory(key, 3);
    assert.equal(row && name(row.parent), 'current 2');
  });
});

async function every(bench: Bench, row?: TreeNode): Promise<readonly TreeNode[]> {
  const rows = await bench.tree.childrenOf(row);
  const below: TreeNode[] = [];
  for (const child of rows) below.push(...(await every(bench, child)));
  return [...rows, ...below];
}
