import assert from 'node:assert/strict';
import type { ProjectKey } from '../../../../src/core/story/projectKey.ts';
import { StoredHistory } from '../../../../src/features/undo/storedHistory.ts';
import type { EntryValue } from '../../../../src/host/story/entryValues.ts';
import { type AwaitedStory, RestoredStories } from '../../../../src/host/story/restoredStories.ts';
import { type EntryMakers, type UndoEntry, UndoHistory, type UndoWay } from '../../../../src/host/story/undoHistory.ts';
import { silentLog } from '../../../support/silentLog.ts';
import { WorkspaceMemory } from '../../../support/windows/workspaceMemory.ts';

const ana = { accountId: 'ana http://tracker.example', projectId: 1 };
const ben = { accountId: 'ben http://other.example', projectId: 1 };

/** What was taken back or done again. */
let told: string[] = [];

/** Tasks that were added, known by what they are called. */
class Added implements UndoEntry {
  readonly kind = 'edit';
  readonly storyIds = [12];
  readonly key: ProjectKey;
  readonly name: string;
  isKnown: boolean;

  constructor(key: ProjectKey, name: string, isKnown = true) {
    this.key = key;
    this.name = name;
    this.isKnown = isKnown;
  }

  toValue(): EntryValue | undefined {
    const { name, isKnown } = this;
    return isKnown ? { kind: 'thereTask', value: { storyId: 12, task: { description: name } } } : undefined;
  }

  retrace(way: UndoWay) {
    told.push(`${way} ${this.name}`);
    const inverse = new Added(this.key, this.name);
    return { inverse, outcome: Promise.resolve({ inverse }) };
  }
}

/** A window on one workspace, until it is opened anew. */
class Window {
  readonly memory: WorkspaceMemory;
  signedIn: readonly string[] = [ana.accountId, ben.accountId];
  readonly history = new UndoHistory(async ({ accountId }) => this.signedIn.includes(accountId));
  readonly restored = new RestoredStories();
  readonly followed: AwaitedStory[] = [];
  readonly read: ProjectKey[] = [];
  readonly kept: StoredHistory;

  constructor(memory = new WorkspaceMemory()) {
    this.memory = memory;
    const none = () => assert.fail('Only tasks are added here.');
    const makers: EntryMakers = {
      thereTask: async ({ key }, { task }) => {
        if (task.description === 'unmakeable') throw new Error('No.');
        return new Added(key, task.description);
      },
      ...{ move: none, edit: none, thereStories: none, goneStories: none, goneTask: none, carriedStories: none },
    };
    const needs = {
      log: silentLog,
      undoHistory: this.history,
      restoredStories: this.restored,
      workspaceMemory: memory,
      accountIds: async () => this.signedIn,
      readProjects: async (keys: readonly ProjectKey[]) => void this.read.push(...keys),
      followAwaited: (story: AwaitedStory) => void this.followed.push(story),
    };
    this.kept = new StoredHistory(needs, makers);
    this.history.attach({ ready: () => this.kept.ready(), changed: () => void this.kept.write() });
  }

  async reloaded(): Promise<Window> {
    await this.kept.write();
    return new Window(this.memory);
  }

  async undoAll(way: UndoWay = 'undo'): Promise<readonly string[]> {
    told = [];
    while (await this.history.retrace(way));
    return told.map((text) => text.replace(`${way} `, ''));
  }
}

describe('A history that is kept', () => {
  it('is undone in a later window, the latest first, whosever projects it is of', async () => {
    const window = new Window();
    for (const [key, name] of [
      [ana, 'a1'],
      [ben, 'b1'],
      [ana, 'a2'],
      [ben, 'b2'],
    ] as const)
      window.history.add(new Added(key, name));
    const later = await (await window.reloaded()).reloaded();
    later.history.add(new Added(ana, 'a3'));
    assert.deepEqual(await later.undoAll(), ['a3', 'b2', 'a2', 'b1', 'a1']);
    assert.deepEqual(
      later.read.map(({ accountId }) => accountId).toSorted(),
      [ana.accountId, ben.accountId],
      'once for each project',
    );
  });

  it('is done again in a later window, unless something new was done since', async () => {
    const window = new Window();
    for (const name of ['one', 'two', 'three']) window.history.add(new Added(ana, name));
    await window.history.retrace('undo');
    await window.history.retrace('undo');
    const later = await window.reloaded();
    await later.history.retrace('redo');
    const last = await later.reloaded();
    assert.deepEqual(await last.undoAll(), ['two', 'one']);
    assert.deepEqual(await last.undoAll('redo'), ['one', 'two', 'three']);
    await last.history.retrace('undo');
    last.history.add(new Added(ana, 'new'));
    assert.deepEqual(await (await last.reloaded()).undoAll('redo'), []);
  });

  it('goes with signing out, in the window and in what is remembered', async () => {
    const window = new Window();
    window.history.add(new Added(ana, 'a'));
    window.history.add(new Added(ben, 'b'));
    await window.kept.write();
    assert.equal(window.memory.keys().length, 2);
    window.signedIn = [ben.accountId];
    await window.kept.write();
    assert.deepEqual(window.memory.keys(), [`storyTracker.undo/${ben.accountId}`]);
    window.signedIn = [ana.accountId, ben.accountId];
    assert.deepEqual(await (await window.reloaded()).undoAll(), ['b']);
    assert.deepEqual(await window.undoAll(), ['b']);
  });

  it('goes with signing out of which only a later window learns', async () => {
    const window = new Window();
    window.history.add(new Added(ana, 'a'));
    const later = await window.reloaded();
    later.signedIn = [ben.accountId];
    assert.deepEqual(await later.undoAll(), []);
    await later.kept.write();
    assert.deepEqual(later.memory.keys(), []);
  });

  it('has what came of a change as soon as that is known', async () => {
    const window = new Window();
    const entry = new Added(ana, 'one', false);
    window.history.add(entry);
    assert.deepEqual(await (await window.reloaded()).undoAll(), []);
    entry.isKnown = true;
    window.history.noteKnown();
    assert.deepEqual(await (await window.reloaded()).undoAll(), ['one']);
    window.history.remove(entry);
    await window.kept.write();
    assert.deepEqual(window.memory.keys(), [], 'and nothing of what was refused');
  });

  it('is bounded: the latest are kept, and nothing from before one that is too long', async () => {
    const window = new Window();
    for (let at = 0; at < 150; at += 1) window.history.add(new Added(ana, `${at}`));
    assert.deepEqual(
      await (await window.reloaded()).undoAll(),
      Array.from({ length: 100 }, (_, at) => `${149 - at}`),
    );
    const long = new Window();
    for (const name of ['before', 'x'.repeat(200_000), 'one', 'two']) long.history.add(new Added(ana, name));
    assert.deepEqual(await (await long.reloaded()).undoAll(), ['two', 'one']);
    assert.ok(long.memory.size < 5_000);
    const many = new Window();
    for (let at = 0; at < 100; at += 1) many.history.add(new Added(ana, 'y'.repeat(5_000)));
    await many.kept.write();
    assert.ok(many.memory.size > 50_000 && many.memory.size < 110_000);
  });

  it('knows the stories again that were made anew, and follows those that wait for their server', async () => {
    const window = new Window();
    window.history.add(new Added(ana, 'one'));
    window.restored.addRemoved(ana, 12);
    window.restored.addRestored(ana, 12, 27);
    window.restored.addRestoredTask(ana, 3, 4);
    window.restored.addRestored(ana, 13, -5);
    const awaited = { storyId: -5, formerId: 13, name: 'Bake', description: '', entryId: 'e1', taskIds: [8] };
    window.restored.awaited.add({ key: ana, ...awaited });
    const later = await window.reloaded();
    await later.kept.ready();
    const { restored } = later;
    assert.deepEqual(
      [
        restored.numberNow(ana, 12),
        restored.taskNow(ana, 3),
        restored.numberOrPending(ana, 13),
        restored.isRemoved(ana, 12),
      ],
      [27, 4, -5, true],
    );
    assert.equal(restored.numberNow(ben, 12), 12);
    assert.deepEqual(later.followed, [{ key: ana, ...awaited }]);
  });

  it('is without what cannot be read or made again, and nothing is thrown', async () => {
    const window = new Window();
    for (const name of ['one', 'unmakeable', 'two']) window.history.add(new Added(ana, name));
    assert.deepEqual(await (await window.reloaded()).undoAll(), ['two', 'one']);
    const name = `storyTracker.undo/${ana.accountId}`;
    const good = new Window();
    good.history.add(new Added(ana, 'good'));
    await good.kept.write();
    const kept = good.memory.get(name) as Record<string, readonly object[]>;
    const [placed] = kept.undo ?? assert.fail();
    for (const [value, expected] of [
      ['text', []],
      [null, []],
      [[], []],
      [{ ...kept, version: 0 }, []],
      [{ ...kept, version: 2 }, []],
      [{ version: 1 }, []],
      [{ version: 1, undo: 'all', redo: {}, restored: [] }, []],
      [{ ...kept, undo: [null, {}, { ...placed, at: 'first' }, { at: 3, entry: { kind: 'move' } }, placed] }, ['good']],
      [{ ...kept, restored: { numbers: [['x'], 3], removed: [7], awaited: [{}, null] } }, ['good']],
    ] as const) {
      const memory = new WorkspaceMemory();
      await memory.update(name, value);
      assert.deepEqual(await new Window(memory).undoAll(), expected, JSON.stringify(value));
    }
  });

  it('is of the account under whose name it is remembered only', async () => {
    const window = new Window();
    window.history.add(new Added(ana, 'one'));
    await window.kept.write();
    const memory = new WorkspaceMemory();
    await memory.update(`storyTracker.undo/${ben.accountId}`, window.memory.get(`storyTracker.undo/${ana.accountId}`));
    assert.deepEqual(await new Window(memory).undoAll(), []);
  });
});
