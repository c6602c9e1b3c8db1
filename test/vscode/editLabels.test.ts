import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { askLabels } from '../../src/features/work/askLabels.ts';
import { aStory } from '../support/builders/builders.ts';
import { eventually } from '../support/eventually.ts';

interface Row extends vscode.QuickPickItem {
  readonly text: string;
}

/** A list of rows to tick as VS Code shows it: when it is given other rows it tells that none is ticked, then which are. */
class FakeList {
  items: readonly Row[] = [];
  value = '';
  activeItems: readonly Row[] = [];
  isOpen = false;
  private ticked: readonly Row[] = [];
  private readonly valueChanged = new vscode.EventEmitter<string>();
  private readonly selectionChanged = new vscode.EventEmitter<readonly Row[]>();
  private readonly accepted = new vscode.EventEmitter<void>();
  private readonly hidden = new vscode.EventEmitter<void>();
  readonly onDidChangeValue = this.valueChanged.event;
  readonly onDidChangeSelection = this.selectionChanged.event;
  readonly onDidAccept = this.accepted.event;
  readonly onDidHide = this.hidden.event;

  get selectedItems(): readonly Row[] {
    return this.ticked;
  }

  set selectedItems(rows: readonly Row[]) {
    this.ticked = rows;
    if (this.isOpen) setImmediate(() => this.restore(rows));
  }

  private restore(rows: readonly Row[]): void {
    if (rows !== this.ticked) return;
    for (const now of [[], rows]) {
      this.ticked = now;
      this.selectionChanged.fire(now);
    }
  }

  show(): void {
    this.isOpen = true;
  }

  hide(): void {
    this.hidden.fire();
  }

  dispose(): void {}

  async type(text: string): Promise<void> {
    this.value = text;
    this.valueChanged.fire(text);
    await settled();
  }

  /** Ticks the row of this label, or unticks it. */
  async toggle(text: string): Promise<void> {
    const row = this.items.find((one) => one.text === text);
    assert.ok(row, `${text} in ${this.items.map((one) => one.text).join()}`);
    const isTicked = this.ticked.includes(row);
    this.ticked = isTicked ? this.ticked.filter((one) => one !== row) : [...this.ticked, row];
    this.selectionChanged.fire(this.ticked);
    await settled();
  }

  enter(): void {
    this.accepted.fire();
  }

  /** The rows of new labels, and what the others say. */
  newRows(): readonly (string | undefined)[] {
    return this.items.flatMap(({ label, description }) => (label === '$(add)' ? description : []));
  }

  saidOf(text: string): string | undefined {
    return this.items.find((one) => one.text === text)?.description;
  }
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 5));

describe('Labels that are picked and typed', () => {
  const { createQuickPick } = vscode.window;
  let list: FakeList;

  beforeEach(() => {
    Object.assign(vscode.window, {
      createQuickPick: () => {
        list = new FakeList();
        return list;
      },
    });
  });
  afterEach(() => Object.assign(vscode.window, { createQuickPick }));

  /** What is asked for by what a person does, of stories with these labels. */
  async function asked(
    labels: readonly (readonly string[])[],
    does: (list: FakeList) => Promise<unknown>,
  ): Promise<readonly [add: string, remove: string]> {
    const [first, ...others] = labels.map((ofOne, index) => aStory({ id: index + 1, labels: ofOne }));
    assert.ok(first);
    const answer = askLabels([first, ...others], ['protocol', 'perf', 'half']);
    await eventually(() => assert.ok(list.isOpen));
    await does(list);
    list.enter();
    const change = (await answer)?.change;
    return [change?.add.join() ?? '', change?.remove.join() ?? ''];
  }

  const assertAsked = async (
    labels: readonly (readonly string[])[],
    does: (list: FakeList) => Promise<unknown>,
    ...expected: readonly [add: string, remove: string]
  ) => assert.deepEqual(await asked(labels, does), expected);

  it('are only those that are ticked where the text served to find one', async () => {
    const tick = async () => {
      await list.type('prot');
      await list.toggle('protocol');
    };
    await assertAsked([[]], tick, 'protocol', '');
    await assertAsked([['perf']], tick, 'protocol', '');
  });

  it('go where they are unticked, though they are still typed', async () => {
    const untick = async () => {
      await list.type('perf');
      await list.toggle('perf');
    };
    await assertAsked([['perf']], untick, '', 'perf');
    await assertAsked([['perf', 'half']], untick, '', 'perf');
  });

  it('are new where a name that no label has in it is typed and Enter pressed at once', async () => {
    for (const labels of [[], ['perf'], ['perf', 'half']]) {
      await assertAsked([labels], () => list.type('harvest'), 'harvest', '');
      await assertAsked([labels], () => list.type('tri, quad'), 'tri,quad', '');
    }
  });

  it('are put on where their whole name is typed and Enter pressed at once, however it is written', async () => {
    await assertAsked([[]], () => list.type('Perf'), 'perf', '');
    await assertAsked([['half']], () => list.type('protocol'), 'protocol', '');
    await assertAsked([['perf']], () => list.type('perf'), '', '');
  });

  it('are not new where one has the text in it, unless the new one is ticked', async () => {
    await assertAsked([['half']], () => list.type('prot'), '', '');
    const tick = async () => {
      await list.type('prot');
      assert.equal(list.items.at(-1)?.description, 'prot (new)');
      await list.toggle('prot');
    };
    await assertAsked([['half']], tick, 'prot', '');
    const andAnother = async () => {
      await tick();
      await list.type('per');
      await list.toggle('perf');
    };
    await assertAsked([['half']], andAnother, 'prot,perf', '');
  });

  it('have a row each where several are typed, those that there are too', async () => {
    const look = async () => {
      await list.type('tri, quad, PERF, tri');
      assert.deepEqual(list.newRows(), ['tri (new)', 'quad (new)']);
      assert.deepEqual(
        list.items.filter(({ alwaysShow }) => alwaysShow).map(({ text }) => text),
        ['perf', 'tri', 'quad'],
      );
    };
    await assertAsked([[]], look, 'tri,quad,perf', '');
  });

  it('that only some stories have stay, come to all or go from all', async () => {
    const stories = [['half', 'perf'], ['perf'], ['perf']];
    const untouched = async () => {
      await list.type('half');
      assert.equal(list.saidOf('half'), 'on 1 of 3');
    };
    const ticked = async () => {
      await untouched();
      await list.toggle('half');
      assert.equal(list.saidOf('half'), 'on 1 of 3, add to all');
    };
    const unticked = async () => {
      await ticked();
      await list.toggle('half');
      assert.equal(list.saidOf('half'), 'on 1 of 3, remove from all');
    };
    await assertAsked(stories, untouched, '', '');
    await assertAsked(stories, ticked, 'half', '');
    await assertAsked(stories, unticked, '', 'half');
  });
});
