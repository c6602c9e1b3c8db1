import assert from 'node:assert/strict';
import { SelectedRows } from '../../../../../src/features/stories/tree/selectedRows.ts';
import { IterationNode, StoryNode, type TreeNode } from '../../../../../src/host/tree/nodes.ts';
import { aBakeryBacklog } from '../../../../support/builders/bakery.ts';
import { aStory } from '../../../../support/builders/builders.ts';
import { Bench } from './treeBench.ts';

const key = { accountId: 'a', projectId: 1 };
const iteration = new IterationNode(key, 'icebox', undefined, []);
const row = (id: number) => new StoryNode(key, aStory({ id }), iteration);
const rye = row(1);
const oat = row(2);

/** A view as VS Code has it: it tells of changes, and knows only the rows that it has not forgotten. */
class View {
  readonly rows: SelectedRows;
  readonly shown = new Set<TreeNode>([rye, oat]);
  milliseconds = 0;
  private chosen: readonly TreeNode[] = [];
  private isPainting = false;
  private tell: (told: { readonly selection: readonly TreeNode[] }) => unknown = () => undefined;

  constructor() {
    const selection = () => this.selection;
    const view = {
      get selection() {
        return selection();
      },
      onDidChangeSelection: (listener: (told: { readonly selection: readonly TreeNode[] }) => unknown) => {
        this.tell = listener;
        return { dispose: () => undefined };
      },
    };
    this.rows = new SelectedRows(
      view,
      (one) => this.shown.has(one),
      () => this.milliseconds,
    );
  }

  get selection(): readonly TreeNode[] {
    return this.isPainting ? [] : this.chosen;
  }

  select(...rows: readonly TreeNode[]): this {
    this.chosen = rows;
    this.tell({ selection: this.selection });
    return this;
  }

  paint(): this {
    this.rows.noticePainting();
    this.isPainting = true;
    return this;
  }

  finish(): this {
    this.isPainting = false;
    return this;
  }

  assertSelected(...rows: readonly TreeNode[]): this {
    assert.deepEqual(this.rows.current(), rows);
    return this;
  }
}

describe('Rows that are selected', () => {
  it('stay so while they are painted anew', () => {
    new View()
      .select(rye, oat)
      .assertSelected(rye, oat)
      .paint()
      .assertSelected(rye, oat)
      .finish()
      .assertSelected(rye, oat);
  });

  it('stay so while they are painted once more', () => {
    new View().select(rye).paint().paint().assertSelected(rye);
  });

  it('are without those that are gone', () => {
    const view = new View().select(rye, oat);
    view.shown.delete(rye);
    view.paint().assertSelected(oat);
  });

  it('are none of before where another is chosen while they are painted anew', () => {
    new View().select(rye).paint().select(oat).assertSelected().finish().assertSelected(oat);
  });

  it('are none where VS Code never has them again', () => {
    const view = new View().select(rye).paint();
    view.milliseconds = 1000;
    view.assertSelected();
  });

  it('are none where none is', () => {
    new View().select(rye).select().assertSelected().paint().assertSelected();
  });
});

describe('A row of the tree', () => {
  it('is there until its story is gone, or its place is asked for without it', async () => {
    const bench = new Bench(aBakeryBacklog({ icebox: [aStory({ id: 51 }), aStory({ id: 52 })] }));
    await bench.paint();
    const [project] = await bench.tree.childrenOf(undefined);
    const groups = await bench.tree.childrenOf(project);
    const icebox = groups.find((one) => one instanceof IterationNode && one.group === 'icebox');
    const [first, second] = await bench.tree.childrenOf(icebox);
    assert.ok(project && icebox && first && second);
    assert.deepEqual(
      [project, icebox, first, second].map((one) => bench.tree.has(one)),
      [true, true, true, true],
    );
    bench.backlog = aBakeryBacklog({ icebox: [aStory({ id: 52 })] });
    await bench.changes();
    assert.deepEqual(
      [first, second].map((one) => bench.tree.has(one)),
      [false, true],
    );
  });
});
