import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type Backlog, findStory, orderOf, withStories, withStory } from '../../../../src/core/backlog/backlog.ts';
import { type MovePlace, withMove } from '../../../../src/core/backlog/ordering.ts';
import { isStarted } from '../../../../src/core/backlog/workflow.ts';
import { TrackerError } from '../../../../src/core/errors.ts';
import type { Intent } from '../../../../src/core/intents/intent.ts';
import { reversedIntent, withIntent } from '../../../../src/core/intents/intentRules.ts';
import { formerPositions } from '../../../../src/core/moves/formerPositions.ts';
import { madeMove, withSteps } from '../../../../src/core/moves/madeMove.ts';
import { inOrder, intentsOf, planNextTo } from '../../../../src/core/moves/movePlan.ts';
import type { Submission } from '../../../../src/core/outbox/outbox.ts';
import { isSameProject, keyText, type ProjectKey } from '../../../../src/core/story/projectKey.ts';
import type { Story } from '../../../../src/core/story/story.ts';
import { MoveEntry, type MoveMeans } from '../../../../src/features/reorder/moveEntry.ts';
import { StoredHistory } from '../../../../src/features/undo/storedHistory.ts';
import {
  EditEntry,
  type EditMeans,
  placesBefore,
  refusalIn,
  waitingEntriesOf,
} from '../../../../src/features/work/editEntry.ts';
import { RestoredStories } from '../../../../src/host/story/restoredStories.ts';
import { type EntryMakers, UndoHistory, type UndoWay } from '../../../../src/host/story/undoHistory.ts';
import { anIteration } from '../../../support/builders/builders.ts';
import { sketchedBacklog } from '../../../support/builders/sketchedBacklog.ts';
import { silentLog } from '../../../support/silentLog.ts';
import { WorkspaceMemory } from '../../../support/windows/workspaceMemory.ts';

const one = { accountId: 'a', projectId: 1 };
const other = { accountId: 'a', projectId: 2 };
const SKETCH = [[[10, 'accepted'], [11, 'started'], 12], [13, 14], [15]] as const;
const ICEBOX = [20, 21, 22];

/** A window whose server does at once what it is asked, or refuses, and puts on top what comes into the icebox. */
class PlainWindow {
  history = new UndoHistory(async () => true);
  restored = new RestoredStories();
  private readonly memory = new WorkspaceMemory();
  isRefusing = false;
  /** What is asked for waits, and the server refuses it once it can be asked. */
  isRefusingLater = false;
  private readonly refusedLater = new Set<string>();
  /** In the order of their priority. */
  private readonly ordered = new Map<string, Backlog>();
  private readonly lists: 'by priority' | 'in progress first';

  constructor(lists: PlainWindow['lists']) {
    this.lists = lists;
    for (const key of [one, other]) this.ordered.set(keyText(key), sketchedBacklog(SKETCH, ICEBOX));
  }

  backlog(key: ProjectKey): Backlog {
    const backlog = this.orderedBacklog(key);
    if (this.lists === 'by priority') return backlog;
    const stories = backlog.iterations.flatMap((iteration) => iteration.stories);
    const isBegun = ({ state }: Story) => isStarted(state);
    const lists = [stories.filter(isBegun), stories.filter((story) => !isBegun(story))];
    return { ...backlog, iterations: lists.map((list, index) => anIteration({ number: 12 + index, stories: list })) };
  }

  private orderedBacklog(key: ProjectKey): Backlog {
    return this.ordered.get(keyText(key)) ?? assert.fail();
  }

  /** Whether there was something to move, and it was not refused. */
  async move(key: ProjectKey, storyIds: readonly number[], place: MovePlace, targetId: number): Promise<boolean> {
    const before = this.backlog(key);
    const plan = planNextTo(before, inOrder(before, storyIds), { place, targetId });
    if ('refusal' in plan || plan.steps.length === 0) return false;
    const made = madeMove(before, withSteps(before, plan.steps), plan.storyIds);
    // What does not stand together after it, as stories in progress and others, is not remembered.
    if (!made) return false;
    const entry = new MoveEntry(this.moveMeans(), key, made);
    this.history.add(entry);
    const submission = await this.submit(key, intentsOf(plan.steps));
    entry.submission = submission;
    if (submission.refused) this.history.remove(entry);
    return !submission.refused;
  }

  /** Whether some of it was not refused. */
  async edit(key: ProjectKey, intents: readonly Intent[]): Promise<boolean> {
    const before = this.backlog(key);
    const outcomes = await Promise.allSettled(intents.map((intent) => this.submit(key, [intent])));
    const made = intents.flatMap((intent, index) => {
      const story = findStory(before, intent.storyId);
      const back = story && reversedIntent(story, intent);
      return back && !refusalIn(outcomes[index]) ? { intent, back, ...waitingEntriesOf(outcomes[index]) } : [];
    });
    const storyIds = intents.map(({ storyId }) => storyId);
    const asked = { storyIds, made: Promise.resolve(made), formerly: placesBefore(before, intents) };
    if (made.length > 0) this.history.add(new EditEntry(this.editMeans(), key, asked));
    return made.length > 0;
  }

  /** All that is left of the window is what is written down. */
  async reload(): Promise<void> {
    await this.keeper().write();
    this.history = new UndoHistory(async () => true);
    this.restored = new RestoredStories();
    await this.keeper().ready();
  }

  private keeper(): StoredHistory {
    const none = () => assert.fail('Only moves and edits are made here.');
    const makers: EntryMakers = {
      move: async ({ key }, { made, isNew, submission = { entryIds: [] } }) => {
        const entry = new MoveEntry(this.moveMeans(), key, made, isNew);
        entry.submission = submission;
        return entry;
      },
      edit: async ({ key, storyIds }, { made, formerly }) =>
        new EditEntry(this.editMeans(), key, { storyIds, made: Promise.resolve(made), likely: made, formerly }),
      ...{ thereStories: none, goneStories: none, thereTask: none, goneTask: none, carriedStories: none },
    };
    const needs = {
      log: silentLog,
      undoHistory: this.history,
      restoredStories: this.restored,
      workspaceMemory: this.memory,
      accountIds: async () => ['a'],
      readProjects: async () => undefined,
      followAwaited: () => undefined,
    };
    return new StoredHistory(needs, makers);
  }

  /** As someone else does. */
  delete(key: ProjectKey, storyId: number): void {
    this.ordered.set(keyText(key), withIntent(this.orderedBacklog(key), { kind: 'deleteStory', storyId }));
  }

  /** By this window, which then has it made again. */
  deleteAndRestore(key: ProjectKey, storyId: number, restoredId: number): void {
    this.restored.addRemoved(key, storyId);
    const renumbered = (story: Story) => (story.id === storyId ? { ...story, id: restoredId } : story);
    this.ordered.set(
      keyText(key),
      withStories(this.orderedBacklog(key), (stories) => stories.map(renumbered)),
    );
    this.restored.addRestored(key, storyId, restoredId);
  }

  /** As when it is deleted and made again. */
  numberTask(key: ProjectKey, storyId: number, taskId: number, restoredId: number): void {
    const story = findStory(this.orderedBacklog(key), storyId) ?? assert.fail();
    const tasks = story.tasks.map((task) => (task.id === taskId ? { ...task, id: restoredId } : task));
    this.ordered.set(keyText(key), withStory(this.orderedBacklog(key), { ...story, tasks }));
    this.restored.addRestoredTask(key, taskId, restoredId);
  }

  /** Whether there was something to do. */
  retrace(way: UndoWay, key: ProjectKey): Promise<boolean> {
    return this.history.retrace(way, undefined, () => key);
  }

  private async submit(key: ProjectKey, intents: readonly Intent[]): Promise<Submission> {
    const settled = { entryIds: [], sent: 0, repeated: 0 };
    if (this.isRefusingLater) {
      const id = `e${this.refusedLater.size}`;
      this.refusedLater.add(id);
      return { ...settled, entryIds: [id], waiting: { kind: 'unreachable', message: 'Away.' } };
    }
    if (this.isRefusing) return { ...settled, refused: new TrackerError('refused', 'Not today.') };
    for (const intent of intents) {
      const before = this.orderedBacklog(key);
      if (!findStory(before, intent.storyId))
        return { ...settled, refused: new TrackerError('notFound', `There is no story ${intent.storyId}.`) };
      const after = withIntent(before, intent);
      const hasCome = before.icebox.length < after.icebox.length;
      const top = before.icebox[0]?.id ?? intent.storyId;
      this.ordered.set(keyText(key), hasCome ? withMove(after, intent.storyId, 'before', top) : after);
    }
    return settled;
  }

  private readonly areUnmade = async (ids: readonly string[]) => ids.every((id) => this.refusedLater.has(id));

  private moveMeans(): MoveMeans {
    return {
      backlogs: {
        peek: (key) => this.backlog(key),
        backlog: async (key) => this.backlog(key),
        reload: async () => undefined,
        withdraw: async () => false,
        areUnmade: this.areUnmade,
      },
      undoHistory: this.history,
      restoredStories: this.restored,
      log: silentLog,
      carryOut: async (key, { plan }) => {
        const submission = await this.submit(key, intentsOf(plan.steps));
        if (submission.refused) throw submission.refused;
        return submission;
      },
      tellRetraced: () => undefined,
      unmadeError,
      unsentError: () => new TrackerError('input', 'not sent'),
      changedError: (_way, _backlog, changed) => new Error(JSON.stringify(changed)),
    };
  }

  private editMeans(): EditMeans {
    return {
      backlogs: {
        unsent: [],
        areUnmade: this.areUnmade,
        peek: (key) => this.backlog(key),
        reload: async () => undefined,
        submit: (key, intents) => this.submit(key, intents),
        refreshStory: async (key, storyId) => findStory(this.backlog(key), storyId) ?? assert.fail(),
      },
      undoHistory: this.history,
      restoredStories: this.restored,
      log: silentLog,
      tellRetraced: () => undefined,
      unmadeError,
      changedError: (_way, storyIds) => new Error(`changed: ${storyIds.join()}`),
    };
  }
}

function unmadeError(storyIds: readonly number[]): Error {
  return new TrackerError('input', `never made: ${storyIds.join()}`);
}

/** All stories, and the order among those that can be put in order with each other. */
function look(backlog: Backlog): unknown {
  const ids = orderOf(backlog);
  const lines = formerPositions(backlog, ids).map(({ kind, storyIds }) => [kind, storyIds]);
  const stories = ids.toSorted((id, another) => id - another).map((id) => findStory(backlog, id));
  return [lines, stories.map((story) => story && { ...story, labels: story.labels.toSorted() })];
}

const edited = (storyId: number, edit: Extract<Intent, { kind: 'edit' }>['edit']) =>
  ({ kind: 'edit', storyId, edit }) as const;

describe('A move and an edit of the same story', () => {
  const assertUndone = async (...changes: readonly ((window: PlainWindow) => Promise<boolean>)[]) => {
    for (const lists of ['by priority', 'in progress first'] as const) await assertUndoneIn(lists, changes);
  };
  const assertUndoneIn = async (
    lists: PlainWindow['lists'],
    changes: readonly ((window: PlainWindow) => Promise<boolean>)[],
  ) => {
    const window = new PlainWindow(lists);
    const looks = [look(window.backlog(one))];
    for (const change of changes) {
      assert.ok(await change(window));
      looks.push(look(window.backlog(one)));
    }
    for (const before of looks.slice(0, -1).toReversed()) {
      assert.ok(await window.retrace('undo', one));
      assert.deepEqual(look(window.backlog(one)), before);
    }
    for (const after of looks.slice(1)) {
      assert.ok(await window.retrace('redo', one));
      assert.deepEqual(look(window.backlog(one)), after);
    }
  };
  const rename = (window: PlainWindow) => window.edit(one, [edited(14, { name: 'Knead' })]);
  const start = (window: PlainWindow) => window.edit(one, [edited(14, { state: 'started', ownedBy: 'Ana' })]);
  const up = (window: PlainWindow) => window.move(one, [14], 'before', 11);
  const startIced = (window: PlainWindow) => window.edit(one, [edited(21, { state: 'started' })]);
  const upFrom = (storyId: number) => (window: PlainWindow) => window.move(one, [storyId], 'before', 11);
  const intoIcebox = (window: PlainWindow) => window.move(one, [14], 'after', 21);

  it('end where they began when both are undone, whichever came first, and are made again', async () => {
    await assertUndone(rename, up);
    await assertUndone(up, rename);
    await assertUndone(start, up);
    await assertUndone(up, start);
    await assertUndone(rename, intoIcebox, up, start);
    await assertUndone(startIced, upFrom(21), up);
    await assertUndone(upFrom(21), startIced, intoIcebox);
  });
});

describe('Undo', () => {
  const names = (window: PlainWindow, storyIds: readonly number[]) =>
    storyIds.map((id) => findStory(window.backlog(one), id)?.name);

  it('goes on with a story that was deleted and made again', async () => {
    const window = new PlainWindow('by priority');
    const [before] = names(window, [14]);
    const order = orderOf(window.backlog(one));
    await window.edit(one, [edited(14, { name: 'Knead' })]);
    await window.edit(one, [edited(14, { state: 'unscheduled' })]);
    window.deleteAndRestore(one, 14, 27);
    assert.ok(await window.retrace('undo', one));
    assert.ok(await window.retrace('undo', one));
    assert.deepEqual(names(window, [27, 14]), [before, undefined]);
    assert.deepEqual(
      orderOf(window.backlog(one)),
      order.map((id) => (id === 14 ? 27 : id)),
    );
    assert.ok(await window.retrace('redo', one));
    assert.deepEqual(names(window, [27]), ['Knead']);
  });

  it('waits with a story that was made again until its server has given it a number', async () => {
    const window = new PlainWindow('by priority');
    const [before] = names(window, [14]);
    const order = orderOf(window.backlog(one));
    await window.edit(one, [edited(14, { name: 'Knead' })]);
    await window.move(one, [14], 'before', 12);
    window.deleteAndRestore(one, 14, -5);
    for (let times = 0; times < 2; times += 1) await assert.rejects(window.retrace('undo', one), /not sent/);
    window.deleteAndRestore(one, -5, 27);
    for (let times = 0; times < 2; times += 1) assert.ok(await window.retrace('undo', one));
    assert.deepEqual(names(window, [27]), [before]);
    assert.deepEqual(
      orderOf(window.backlog(one)),
      order.map((id) => (id === 14 ? 27 : id)),
    );
  });

  it('says of what waited and was refused then that it was never made, and goes on', async () => {
    const window = new PlainWindow('by priority');
    const [before] = names(window, [14]);
    const order = orderOf(window.backlog(one));
    await window.edit(one, [edited(14, { name: 'Knead' })]);
    await window.move(one, [15], 'before', 12);
    window.isRefusingLater = true;
    await window.edit(one, [edited(14, { name: 'Bake' }), edited(13, { name: 'Rest' })]);
    await window.move(one, [14], 'before', 12);
    window.isRefusingLater = false;
    await window.reload();
    await assert.rejects(window.retrace('undo', one), /never made: 14$/);
    await assert.rejects(window.retrace('undo', one), /never made: 14,13$/);
    for (let times = 0; times < 2; times += 1) assert.ok(await window.retrace('undo', one));
    assert.deepEqual([names(window, [14]), orderOf(window.backlog(one))], [[before], order]);
    assert.equal(await window.retrace('undo', one), false);
  });

  it('makes again nothing that was to be taken back and was not, since that was refused later', async () => {
    const window = new PlainWindow('by priority');
    await window.edit(one, [edited(14, { name: 'Knead' })]);
    window.isRefusingLater = true;
    assert.ok(await window.retrace('undo', one));
    window.isRefusingLater = false;
    assert.deepEqual(names(window, [14]), ['Knead']);
    await assert.rejects(window.retrace('redo', one), /never made: 14$/);
    assert.equal(await window.retrace('redo', one), false);
  });

  it('takes a story back to its place that was deleted and made again, and others that it was among', async () => {
    const window = new PlainWindow('by priority');
    const order = () => orderOf(window.backlog(one));
    const before = order();
    await window.move(one, [14], 'before', 12);
    await window.move(one, [15], 'after', 12);
    const after = order();
    window.deleteAndRestore(one, 14, 27);
    window.deleteAndRestore(one, 12, 28);
    await window.reload();
    const renumbered = (ids: readonly number[]) => ids.map((id) => ({ 14: 27, 12: 28 })[id] ?? id);
    assert.deepEqual(order(), renumbered(after));
    for (let times = 0; times < 2; times += 1) assert.ok(await window.retrace('undo', one));
    assert.deepEqual(order(), renumbered(before));
    for (let times = 0; times < 2; times += 1) assert.ok(await window.retrace('redo', one));
    assert.deepEqual(order(), renumbered(after));
  });

  it('goes on with a task that was deleted and made again', async () => {
    const window = new PlainWindow('by priority');
    const isTicked = () => findStory(window.backlog(one), 14)?.tasks.map(({ complete }) => complete);
    await window.edit(one, [{ kind: 'newTask', storyId: 14, description: 'Knead' }]);
    const [former] = findStory(window.backlog(one), 14)?.tasks ?? assert.fail();
    assert.ok(former);
    const tick = { kind: 'task', storyId: 14, taskId: former.id, complete: true } as const;
    await window.edit(one, [tick]);
    window.numberTask(one, 14, former.id, 99);
    await window.reload();
    assert.deepEqual(isTicked(), [true]);
    assert.ok(await window.retrace('undo', one));
    assert.deepEqual(isTicked(), [false]);
  });

  it('goes on to what came before where the story is gone', async () => {
    const window = new PlainWindow('by priority');
    const [before] = names(window, [13]);
    await window.edit(one, [edited(13, { name: 'Knead' })]);
    await window.edit(one, [edited(14, { name: 'Bake' })]);
    window.delete(one, 14);
    await assert.rejects(window.retrace('undo', one), /no story 14/);
    assert.ok(await window.retrace('undo', one));
    assert.deepEqual(names(window, [13]), [before]);
  });
});

/** What a person does, by dice that are thrown for a story of what is shown by then. */
type Deed =
  | { readonly does: 'move' | 'edit'; readonly dice: readonly number[]; readonly isRefused: boolean }
  | { readonly does: UndoWay | 'reload'; readonly isRefused: boolean };

const isRefused = fc.nat(5).map((chance) => chance === 0);
const deeds: fc.Arbitrary<readonly (Deed & { readonly key: ProjectKey })[]> = fc.array(
  fc.oneof(
    fc.record({
      does: fc.constantFrom('move' as const, 'edit' as const),
      dice: fc.array(fc.nat(1000), { minLength: 4, maxLength: 4 }),
      isRefused,
      key: fc.constantFrom<ProjectKey>(one, other),
    }),
    fc.record({
      does: fc.constantFrom<UndoWay | 'reload'>('undo', 'redo', 'undo', 'redo', 'reload'),
      isRefused,
      key: fc.constantFrom<ProjectKey>(one, other),
    }),
  ),
  { maxLength: 40 },
);

/** How a project looked after each change that was not taken back, or was and can be done again. */
class Looks {
  readonly all: unknown[];
  at = 0;

  constructor(first: unknown) {
    this.all = [first];
  }

  add(next: unknown): void {
    this.all.splice(this.at + 1, Number.POSITIVE_INFINITY, next);
    this.at++;
  }

  canGo(way: UndoWay): boolean {
    return way === 'undo' ? this.at > 0 : this.at < this.all.length - 1;
  }
}

describe('Moves and edits of two projects', () => {
  it('lead to what was before when they are undone, and to what was after when they are made again, reloads or not', async () => {
    await fc.assert(
      fc.asyncProperty(deeds, async (all) => {
        const window = new PlainWindow('by priority');
        const looks = [one, other].map((key) => ({ key, of: new Looks(look(window.backlog(key))) }));
        for (const deed of all) {
          window.isRefusing = deed.isRefused;
          const { of } = looks.find(({ key }) => isSameProject(key, deed.key)) ?? assert.fail();
          if (deed.does === 'reload') {
            await window.reload();
          } else if (!('dice' in deed)) {
            if (!of.canGo(deed.does)) continue;
            const isDone = await window.retrace(deed.does, deed.key).catch((thrown) => {
              assert.equal(thrown.message, 'Not today.');
              return false;
            });
            assert.equal(isDone, !deed.isRefused);
            if (isDone) of.at += deed.does === 'undo' ? -1 : 1;
          } else if (await change(window, deed.key, deed.does, deed.dice)) {
            of.add(look(window.backlog(deed.key)));
          }
          for (const { key, of: known } of looks) assert.deepEqual(look(window.backlog(key)), known.all[known.at]);
        }
      }),
      { numRuns: 500 },
    );
  });

  function change(window: PlainWindow, key: ProjectKey, does: 'move' | 'edit', dice: readonly number[]) {
    const [first = 0, second = 0, third = 0, what = 0] = dice;
    const backlog = window.backlog(key);
    const ids = orderOf(backlog);
    const storyOf = (die: number) => ids[die % ids.length] ?? 0;
    const storyIds = [...new Set([storyOf(first), ...(what % 3 === 0 ? [storyOf(second)] : [])])];
    if (does === 'move') return window.move(key, storyIds, what % 2 === 0 ? 'before' : 'after', storyOf(third));
    return window.edit(
      key,
      storyIds.map((id) => intentOn(backlog, id, third, what)),
    );
  }

  function intentOn(backlog: Backlog, storyId: number, which: number, what: number): Intent {
    const { labels = [] } = findStory(backlog, storyId) ?? {};
    const added = `label ${what % 3}`;
    const others = labels.filter((label) => label !== added);
    const edits: readonly Intent[] = [
      edited(storyId, { name: `Name ${what}` }),
      edited(storyId, { estimate: what % 2 === 0 ? null : what % 5 }),
      edited(storyId, { ownedBy: what % 2 === 0 ? null : `Person ${what % 5}` }),
      edited(storyId, { state: STATES[what % STATES.length] ?? '' }),
      {
        kind: 'labels',
        storyId,
        change: { add: [`label ${what % 3}`], remove: others.slice(what % 2) },
        known: labels,
      },
    ];
    return edits[which % edits.length] ?? assert.fail();
  }
});

const STATES = ['unscheduled', 'unstarted', 'started', 'finished', 'accepted'];
