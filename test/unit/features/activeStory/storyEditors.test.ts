import assert from 'node:assert/strict';
import {
  EditorMemory,
  type EditorSet,
  type Editors,
  KEPT_TABS,
  type KeptTab,
  missingTabs,
  nameOfInput,
  StoryEditors,
} from '../../../../src/features/activeStory/storyEditors.ts';
import { silentLog } from '../../../support/silentLog.ts';

const PLACE = 'file:///work/app';
/** Stories whose editors are remembered. */
const KEPT_STORIES = 30;

const tab = (name: string, more: Partial<KeptTab> = {}): KeptTab => ({
  input: { kind: 'text', uri: `file:///work/app/${name}` },
  ...{ column: 1, isActive: false, isPinned: false, isPreview: false },
  ...more,
});
const nameOf = ({ input }: KeptTab) => nameOfInput(input).replace('text file:///work/app/', '');
const setOf = (...tabs: readonly KeptTab[]): EditorSet => ({ tabs, activeColumn: 1 });

/** What a workspace keeps, as it is after a reload. */
class Workspace {
  text = '{}';
  get values(): Record<string, unknown> {
    return JSON.parse(this.text);
  }
  get<T>(key: string, other?: T): T {
    return (this.values[key] ?? other) as T;
  }
  async update(key: string, value: unknown): Promise<void> {
    this.text = JSON.stringify({ ...this.values, [key]: value });
  }
}

/** A window whose editors open one after the other, in turns of their own. */
class Window implements Editors {
  open_: KeptTab[] = [];
  readonly dirty = new Set<string>();
  readonly gone = new Set<string>();
  /** Called before each is opened. */
  onOpen: (name: string) => void = () => undefined;
  problem: Error | undefined;

  openAt = async () => setOf(...this.open_.slice(0, KEPT_TABS));

  async close(_place: string, tabs: readonly KeptTab[]): Promise<void> {
    await turn();
    const names = new Set(tabs.map(nameOf));
    this.open_ = this.open_.filter((one) => !names.has(nameOf(one)) || this.dirty.has(nameOf(one)));
  }

  async open({ tabs }: EditorSet, areWanted: () => boolean): Promise<boolean> {
    for (const one of missingTabs(tabs, this.open_)) {
      this.onOpen(nameOf(one));
      await turn();
      if (this.problem) throw this.problem;
      if (!areWanted()) return false;
      if (!this.gone.has(nameOf(one))) this.open_.push(one);
    }
    return true;
  }

  get names(): readonly string[] {
    return this.open_.map(nameOf);
  }
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('The editors of stories', () => {
  let workspace: Workspace;
  let window: Window;
  let editors: StoryEditors;
  const begin = () => {
    editors = new StoryEditors(window, new EditorMemory(workspace), silentLog);
  };
  const show = (story: string) => editors.show(PLACE, story);

  beforeEach(async () => {
    workspace = new Workspace();
    window = new Window();
    begin();
  });

  async function openFor(story: string, ...names: readonly string[]): Promise<void> {
    await show(story);
    window.open_.push(...names.map((name) => tab(name)));
  }

  it('are those that are open when this begins', async () => {
    window.open_ = [tab('a.ts')];
    await show('12');
    assert.deepEqual(window.names, ['a.ts']);
    await show('13');
    assert.deepEqual(window.names, []);
    await show('12');
    assert.deepEqual(window.names, ['a.ts']);
  });

  it('are put away and brought back, those of no story too', async () => {
    await openFor('', 'readme.md');
    await openFor('12', 'a.ts', 'b.ts');
    await openFor('13', 'c.ts');
    for (const [story, names] of [
      ['12', ['a.ts', 'b.ts']],
      ['', ['readme.md']],
      ['13', ['c.ts']],
    ] as const) {
      await show(story);
      assert.deepEqual(window.names, names);
    }
  });

  it('come back in a window that was opened anew, though another story is worked on then', async () => {
    await openFor('12', 'a.ts');
    await openFor('13', 'b.ts');
    begin();
    await show('12');
    assert.deepEqual(window.names, ['a.ts']);
    await show('13');
    assert.deepEqual(window.names, ['b.ts']);
  });

  it('stay open where something is unsaved, and are not opened twice', async () => {
    await openFor('12', 'a.ts', 'b.ts');
    window.dirty.add('b.ts');
    await show('13');
    assert.deepEqual(window.names, ['b.ts']);
    await show('12');
    assert.deepEqual(window.names.toSorted(), ['a.ts', 'b.ts']);
  });

  it('come back without those whose files are gone', async () => {
    await openFor('12', 'a.ts', 'b.ts');
    await show('13');
    window.gone.add('a.ts');
    await show('12');
    assert.deepEqual(window.names, ['b.ts']);
  });

  it('are neither mixed nor lost, whenever the story changes again', async () => {
    const all = { '12': ['a.ts', 'b.ts', 'c.ts'], '13': ['d.ts', 'e.ts'], '14': ['f.ts'] } as const;
    const stories = ['12', '13', '14'] as const;
    for (let at = 0; at < 200; at += 1) {
      workspace = new Workspace();
      window = new Window();
      begin();
      for (const story of stories) await openFor(story, ...all[story]);
      // Another story at some of the steps, again and again.
      let steps = 0;
      let last: (typeof stories)[number] = '12';
      const change = () => {
        steps += 1;
        if ((at >> (steps % 8)) % 2 === 0 || steps > 12) return;
        last = stories[(at + steps) % 3] ?? '12';
        void show(last);
      };
      window.onOpen = change;
      let shown = show('12');
      for (let turns = 0; turns < at % 7; turns += 1) await turn();
      change();
      shown = show(last);
      await shown;
      assert.deepEqual(window.names, all[last], `${at}: of the story that is worked on`);
      window.onOpen = () => undefined;
      for (const story of [...stories, ...stories]) {
        await show(story);
        assert.deepEqual(window.names.toSorted(), all[story], `${at}: ${story}`);
      }
    }
  });

  it('are all open again after the window went while they were being opened', async () => {
    await openFor('12', 'a.ts', 'b.ts', 'c.ts');
    await openFor('13', 'd.ts');
    const killed: { text: string; open: KeptTab[] }[] = [];
    window.onOpen = () => killed.push({ text: workspace.text, open: [...window.open_] });
    await show('12');
    assert.equal(killed.length, 3);
    for (const { text, open } of killed) {
      workspace.text = text;
      window = new Window();
      window.open_ = open;
      begin();
      await show('12');
      assert.deepEqual(window.names, ['a.ts', 'b.ts', 'c.ts']);
      await show('13');
      assert.deepEqual(window.names, ['d.ts']);
    }
  });

  it('do not take along what was opened while they were being brought back', async () => {
    await openFor('12', 'a.ts', 'b.ts');
    await openFor('13', 'c.ts');
    let changed: Promise<void> | undefined;
    window.onOpen = (name) => {
      if (name !== 'b.ts') return;
      window.open_.push(tab('mine.ts'));
      changed = show('13');
    };
    await show('12');
    await changed;
    assert.deepEqual(window.names, ['mine.ts', 'c.ts']);
  });

  it('stay as they are when VS Code cannot open one, and at the next story all goes on', async () => {
    await openFor('12', 'a.ts');
    await openFor('13', 'b.ts');
    window.problem = new Error('No editor.');
    await show('12');
    assert.deepEqual(window.names, []);
    window.problem = undefined;
    await show('13');
    assert.deepEqual(window.names, ['b.ts']);
  });

  it('of other places have nothing to do with them', async () => {
    const memory = new EditorMemory(workspace);
    await memory.arrive('file:///work/other', '12');
    await openFor('12', 'a.ts');
    await show('13');
    assert.equal(memory.setOf('file:///work/other', '12'), undefined);
    assert.deepEqual(memory.openAt('file:///work/other'), { story: '12', isWhole: true });
  });

  it('are left alone once this is over, and then are those of the story of that time', async () => {
    await openFor('12', 'a.ts');
    await openFor('13', 'b.ts');
    await editors.stop();
    window.open_.push(tab('c.ts'));
    await show('14');
    assert.deepEqual(window.names, ['b.ts', 'c.ts']);
    await show('12');
    assert.deepEqual(window.names, ['a.ts']);
    await show('14');
    assert.deepEqual(window.names, ['b.ts', 'c.ts']);
  });
});

describe('What a workspace remembers of editors', () => {
  const kept = async (workspace: Workspace, story: string, set: EditorSet) =>
    new EditorMemory(workspace).leave(PLACE, 'next', { story, set });

  it('is bounded, the oldest going first', async () => {
    const workspace = new Workspace();
    for (let story = 0; story < KEPT_STORIES + 5; story += 1) await kept(workspace, `${story}`, setOf(tab('a.ts')));
    const memory = new EditorMemory(workspace);
    const there = Array.from({ length: KEPT_STORIES + 5 }, (_, story) => memory.setOf(PLACE, `${story}`) !== undefined);
    assert.deepEqual(
      there,
      there.map((_, story) => story >= 5),
    );
  });

  it('comes back as it was', async () => {
    const set: EditorSet = {
      tabs: [
        tab('a.ts', { isPinned: true, column: 2 }),
        tab('b.png', { input: { kind: 'custom', uri: 'file:///b.png', viewType: 'image' }, isActive: true }),
        tab('c', {
          input: { kind: 'diff', original: 'git:/c?{}', modified: 'file:///c', title: 'c (Index)' },
          isPreview: true,
        }),
      ],
      activeColumn: 2,
      layout: { orientation: 0, groups: [{ size: 0.5 }, { size: 0.5 }] },
    };
    const workspace = new Workspace();
    await kept(workspace, '12', set);
    assert.deepEqual(new EditorMemory(workspace).setOf(PLACE, '12'), set);
  });

  it('is forgotten where it was written in another form, and nothing is thrown', async () => {
    const good = { place: PLACE, story: '12', set: setOf(tab('a.ts')) };
    const other = (set: unknown) => ({ ...good, story: '13', set });
    for (const value of [
      null,
      'sets',
      [],
      { open: 3, sets: 'none' },
      { open: { [PLACE]: '12' }, sets: [null, other(undefined), other({ tabs: [{}], activeColumn: 1 }), good] },
      { sets: [other({ tabs: [tab('a.ts', { column: -1 })], activeColumn: 1 }), good] },
      { sets: [other({ tabs: [{ ...tab('a.ts'), input: { kind: 'merge', uri: 'a' } }], activeColumn: 1 }), good] },
      { sets: [other({ tabs: [{ ...tab('a.ts'), isPinned: 1 }], activeColumn: 1 }), good] },
      { sets: [other({ ...setOf(), layout: 'grid' }), good] },
    ]) {
      const workspace = new Workspace();
      await workspace.update('storyTracker.editors', value);
      const memory = new EditorMemory(workspace);
      assert.equal(memory.openAt(PLACE), undefined);
      assert.equal(memory.setOf(PLACE, '13'), undefined);
      const hasGood = JSON.stringify(value)?.includes('"12"') && JSON.stringify(value).includes('a.ts');
      assert.deepEqual(memory.setOf(PLACE, '12'), hasGood ? good.set : undefined);
    }
  });
});
