import assert from 'node:assert/strict';
import type { Project } from '../../../../../src/core/story/project.ts';
import { nodeId } from '../../../../../src/features/stories/tree/rows.ts';
import { NoticeNode, ProjectNode, type TreeNode } from '../../../../../src/host/tree/nodes.ts';
import { aBakery, aBakeryBacklog, iterationOf } from '../../../../support/builders/bakery.ts';
import { aStory } from '../../../../support/builders/builders.ts';
import { Bench, key, name } from './treeBench.ts';

describe('StoryTree', () => {
  it('opens few projects by themselves, so that not all are read at once', async () => {
    const bench = new Bench();
    bench.projects = [1, 2, 3, 4, 5].map((id) => ({ ...aBakery(), id }));
    const rows = await bench.tree.childrenOf(undefined);
    const isOpen = rows.map((row) => row instanceof ProjectNode && bench.tree.isOpenAtFirst(row));
    assert.deepEqual(isOpen, [true, true, true, false, false]);
  });

  it('shows projects, their groups, stories in the order of the server, and what a story holds', async () => {
    const story = aStory({
      id: 3,
      tasks: [{ id: 31, description: 'Buy flour', complete: false }],
      attachments: [{ id: 32, filename: 'oven.png' }],
      notes: [{ id: 33, text: 'Hot' }],
    });
    const bench = new Bench(aBakeryBacklog({ iterations: [iterationOf(12, [4, story]), iterationOf(13, [5])] }));
    assert.deepEqual(await bench.paint(), [
      [
        'Bakery',
        [
          ['current 12', ['Story 4', ['Story 3', ['task 31', 'attachment 32', 'note 33']]]],
          ['backlog 13', ['Story 5']],
          ['done', [['done 11', ['Story 2']], ['done 10', ['Story 1']], 'more']],
          ['icebox', ['Story 6']],
        ],
      ],
    ]);
  });

  it('offers no more done iterations than there are', async () => {
    const bench = new Bench(aBakeryBacklog({ done: [iterationOf(1, [1]), iterationOf(2, [2])] }));
    const [, rows] = (await bench.paint())[0] ?? [];
    assert.deepEqual(Array.isArray(rows) && rows[2], [
      'done',
      [
        ['done 2', ['Story 2']],
        ['done 1', ['Story 1']],
      ],
    ]);
  });

  it('takes the iteration that the project names for the current one', async () => {
    const project = aBakery({ currentIterationNumber: 13 });
    const bench = new Bench(aBakeryBacklog({ project, done: [] }));
    assert.deepEqual(await bench.paint((row) => row instanceof ProjectNode), [
      ['Bakery', ['current 13', 'backlog 12', 'icebox']],
    ]);
  });

  it('shows a story once that moved while the parts of the backlog were read', async () => {
    const bench = new Bench(
      aBakeryBacklog({ done: [iterationOf(12, [3])], icebox: [aStory({ id: 5 }), aStory({ id: 6 })] }),
    );
    assert.deepEqual(await bench.paint(), [
      [
        'Bakery',
        [
          ['current 12', ['Story 3', 'Story 4']],
          ['backlog 13', ['Story 5']],
          ['icebox', ['Story 6']],
        ],
      ],
    ]);
  });

  it('gives every row a name of its own', async () => {
    const bench = new Bench();
    const ids: string[] = [];
    const walk = async (row?: TreeNode): Promise<void> => {
      for (const child of await bench.tree.childrenOf(row)) {
        ids.push(nodeId(child));
        assert.equal(bench.tree.parentOf(child), row);
        await walk(child);
      }
    };
    await walk();
    assert.equal(new Set(ids).size, ids.length);
    assert.equal(ids.length, 14);
  });

  it('says whose each project is where there are several sign-ins, or two projects have one name', async () => {
    const said = async (...listed: readonly (readonly [accountId: string, projectId: number, name: string])[]) => {
      const bench = new Bench();
      bench.listed = listed.map(([accountId, id, name]) => ({
        key: { accountId, projectId: id },
        project: aBakery({ id, name }),
        account: { label: `${accountId}.example` },
      }));
      const rows = await bench.tree.childrenOf(undefined);
      return rows.map((row) => row instanceof ProjectNode && row.account);
    };
    assert.deepEqual(await said(['home', 7, 'Bakery'], ['home', 8, 'Mill']), [undefined, undefined]);
    assert.deepEqual(await said(['home', 7, 'Bakery'], ['away', 7, 'Mill']), ['home.example', 'away.example']);
    assert.deepEqual(await said(['home', 7, 'Bakery'], ['home', 8, 'bakery ']), ['home.example', 'home.example']);
  });

  it('paints nothing again when nothing changed', async () => {
    const bench = new Bench();
    await bench.paint();
    bench.backlog = structuredClone(aBakeryBacklog({ project: aBakery({ lastActivityAt: { text: 'now' } }) }));
    assert.deepEqual(await bench.changes(), []);
  });

  it('paints only the story that changed', async () => {
    const bench = new Bench();
    await bench.paint();
    bench.backlog = aBakeryBacklog({
      iterations: [iterationOf(12, [3, aStory({ id: 4, state: 'started' })]), iterationOf(13, [5])],
    });
    assert.deepEqual(await bench.changes(), ['Story 4']);
  });

  it('paints only the rows of stories that are worked on now or no longer, and only those on screen', async () => {
    const bench = new Bench(aBakeryBacklog({ iterations: [iterationOf(12, [3, 4, 5])] }));
    bench.active.add(3);
    await bench.paint();
    const changed = (...ids: readonly number[]) =>
      bench.tree.changedRowsOf(ids.map((storyId) => ({ ...key, storyId }))).map(name);
    assert.deepEqual(changed(3, 4, 5), []);
    bench.active.delete(3);
    bench.active.add(4);
    assert.deepEqual(changed(3, 4, 99), ['Story 3', 'Story 4']);
    assert.deepEqual(bench.tree.changedRowsOf([{ accountId: 'away', projectId: 7, storyId: 4 }]), []);
    await bench.paint();
    assert.deepEqual(changed(3, 4), []);
  });

  it('paints an iteration again when its points or its order changed', async () => {
    const bench = new Bench();
    await bench.paint();
    bench.backlog = aBakeryBacklog({
      iterations: [iterationOf(12, [4, 3]), iterationOf(13, [aStory({ id: 5, estimate: 3 })])],
    });
    assert.deepEqual(await bench.changes(), ['current 12', 'backlog 13']);
  });

  it('paints both iterations in one go when a story moved from one to the other', async () => {
    const bench = new Bench();
    await bench.paint();
    bench.backlog = aBakeryBacklog({ iterations: [iterationOf(12, [3]), iterationOf(13, [4, 5])] });
    assert.deepEqual(await bench.changes(), ['current 12', 'backlog 13']);
  });

  it('paints what changed in a long backlog also when a story is looked for in the meantime', async () => {
    const long = iterationOf(
      13,
      Array.from({ length: 20_000 }, (_, index) => index + 100),
    );
    const bench = new Bench(aBakeryBacklog({ iterations: [iterationOf(12, [3, 4]), long] }));
    await bench.paint();
    bench.backlog = aBakeryBacklog({ iterations: [iterationOf(12, [4, 3]), long] });
    const [changes] = await Promise.all([bench.changes(), bench.tree.findStory(key, 4)]);
    assert.deepEqual(changes, ['current 12']);
  });

  it('paints the project again when its groups are others', async () => {
    const bench = new Bench();
    await bench.paint();
    bench.backlog = aBakeryBacklog({ iterations: [iterationOf(12, [3, 4])] });
    assert.deepEqual(await bench.changes(), ['Bakery']);
  });

  it('does not look below what was never expanded', async () => {
    const bench = new Bench();
    await bench.paint((row) => row instanceof ProjectNode);
    bench.backlog = aBakeryBacklog({ iterations: [iterationOf(12, [4, 3]), iterationOf(13, [5])] });
    assert.deepEqual(await bench.changes(), []);
  });

  it('keeps the row of a story, with its newest values, wherever it goes', async () => {
    const bench = new Bench();
    await bench.paint();
    const before = await bench.tree.findStory(key, 4);
    bench.backlog = aBakeryBacklog({
      iterations: [iterationOf(12, [3]), iterationOf(13, [aStory({ id: 4, name: 'Baked' }), 5])],
    });
    const after = await bench.tree.findStory(key, 4);
    assert.ok(before && before === after);
    assert.equal(after.story.name, 'Baked');
    assert.equal(name(after.parent), 'backlog 13');
  });

  it('says in the place of the rows why they could not be read, and shows them once they could', async () => {
    const bench = new Bench(new Error('Nobody home.'));
    assert.deepEqual(await bench.paint(), [['Bakery', ['Nobody home.']]]);
    assert.deepEqual(await bench.notices(), [['Nobody home.', 'refresh']]);
    bench.backlog = aBakeryBacklog();
    assert.deepEqual(await bench.changes(), ['Bakery']);
  });

  it('says of a project without stories that there are none yet, until there is one', async () => {
    const empty = aBakeryBacklog({ iterations: [iterationOf(1, [])], icebox: [], done: [] });
    const bench = new Bench(empty);
    assert.deepEqual(await bench.paint(), [['Bakery', ['No stories yet', 'current 1', 'icebox']]]);
    bench.backlog = { ...empty, icebox: [aStory({ id: 1, name: 'Bake' })] };
    assert.deepEqual(await bench.changes(), ['Bakery']);
    assert.deepEqual(await bench.paint(), [['Bakery', ['current 1', ['icebox', ['Bake']]]]]);
  });

  it('has a row above all others for each server that no longer accepts the sign-in, projects or not', async () => {
    const bench = new Bench();
    const before = await bench.paint(() => false);
    const accounts = ['mill', 'bakery'].map((id) => ({ id, label: `${id}.example` }));
    bench.signedOut = accounts;
    assert.equal(await bench.tree.changesInProjects(), 'all');
    const said = ['mill.example signed out', 'bakery.example signed out'];
    assert.deepEqual(await bench.paint(() => false), [...said, ...before]);
    const rows = (await bench.tree.childrenOf(undefined)).slice(0, 2);
    assert.equal(new Set(rows.map(nodeId)).size, 2);
    assert.ok(rows.every((row, index) => row instanceof NoticeNode && row.account === accounts[index]));
    assert.deepEqual(await bench.tree.changesInProjects(), []);
    bench.projects = [];
    assert.deepEqual(await bench.paint(() => false), said);
    bench.signedOut = [];
    assert.equal(await bench.tree.changesInProjects(), 'all');
  });

  it('says where there is no project that none could be read, and leads to finding out why', async () => {
    const bench = new Bench();
    bench.unread = 'Not read.';
    assert.deepEqual(await bench.notices(), []);
    bench.projects = [];
    assert.equal(await bench.tree.changesInProjects(), 'all');
    assert.deepEqual(await bench.notices(), [['Not read.', 'checkConnection']]);
  });

  it('paints everything again only when projects came or went', async () => {
    const bench = new Bench();
    await bench.paint();
    assert.deepEqual(await bench.tree.changesInProjects(), []);
    bench.projects = [aBakery({ name: 'Butchery' })];
    const rows = await bench.tree.changesInProjects();
    assert.deepEqual(rows !== 'all' && rows.map(name), ['Butchery']);
    bench.projects = [aBakery(), aBakery({ id: 8 })];
    assert.equal(await bench.tree.changesInProjects(), 'all');
  });

  it('paints nothing again for a list of projects that is older than what was read of one since', async () => {
    const at = (time: number, fields: Partial<Project>) =>
      aBakery({ ...fields, lastActivityAt: { text: `${time}`, time } });
    const bench = new Bench(aBakeryBacklog({ project: at(1, { currentVelocity: 10 }) }));
    bench.projects = [at(1, { currentVelocity: 10 })];
    await bench.paint();
    bench.backlog = aBakeryBacklog({ project: at(2, { currentVelocity: 12 }) });
    assert.deepEqual(await bench.changes(), ['Bakery']);
    await bench.paint();
    assert.deepEqual(await bench.tree.changesInProjects(), []);
    assert.deepEqual(await bench.changes(), []);
  });

  it('paints nothing again for what no row shows, such as a label that a story is the first to have', async () => {
    const bench = new Bench();
    await bench.paint();
    bench.backlog = aBakeryBacklog({ project: aBakery({ labels: ['rye', 'wheat'] }) });
    assert.deepEqual(await bench.changes(), []);
  });

  it('finds the row of a done story, and none of a story that is not loaded', async () => {
    const bench = new Bench();
    const row = await bench.tree.findStory(key, 1);
    assert.equal(row && name(row.parent), 'done 10');
    assert.equal(await bench.tree.findStory(key, 99), undefined);
  });
});
