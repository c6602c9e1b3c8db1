import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isSameProject, type ProjectKey } from '../../../../src/core/story/projectKey.ts';
import {
  type RetraceOutcome,
  type UndoEntry,
  UndoHistory,
  type UndoKind,
  type UndoWay,
} from '../../../../src/host/story/undoHistory.ts';

const one = { accountId: 'a', projectId: 1 };
const other = { accountId: 'a', projectId: 2 };

/** How making up for something ends: it is done, cannot be done any more, or cannot be done now. */
type Fate = 'done' | 'gone' | 'failed';

/** A change that is known by its name, as is what makes up for it. */
class Change implements UndoEntry {
  readonly name: string;
  readonly kind: UndoKind;
  readonly key: ProjectKey;
  readonly storyIds = [];

  constructor(name: string, kind: UndoKind = 'move', key: ProjectKey = one) {
    this.name = name;
    this.kind = kind;
    this.key = key;
  }

  toValue = () => undefined;

  retrace(way: UndoWay) {
    told.push(`${way} ${this.name}`);
    const inverse = new Change(this.name, this.kind, this.key);
    return { inverse, outcome: this.outcome(inverse) };
  }

  private async outcome(inverse: Change): Promise<RetraceOutcome> {
    await Promise.resolve();
    whileRetraced(this);
    told.push(`${this.name} ${fate}`);
    if (fate === 'failed') throw new Error(`${this.name} failed`);
    return fate === 'done' ? { inverse } : { problem: new Error(`${this.name} is gone`) };
  }
}

let fate: Fate = 'done';
/** What happens while it is not known yet how making up for a change ends. */
let whileRetraced: (change: Change) => void = () => undefined;
/** What was begun and how it ended. */
let told: string[] = [];
beforeEach(() => {
  fate = 'done';
  whileRetraced = () => undefined;
  told = [];
});

function historyOf(...changes: readonly Change[]): UndoHistory {
  const history = new UndoHistory(async () => true);
  for (const change of changes) history.add(change);
  return history;
}

/** What can be taken back, project by project, the latest last. */
function done(history: UndoHistory): readonly string[] {
  return [one, other].flatMap((key) => history.doneIn(key).map((entry) => (entry instanceof Change ? entry.name : '')));
}

/** Takes back or does again all that can be. */
async function retraceAll(history: UndoHistory, way: UndoWay): Promise<readonly string[]> {
  told = [];
  while (await history.retrace(way)) assert.ok(told.length < 1000);
  return told.filter((line) => line.startsWith(way)).map((line) => line.slice(way.length + 1));
}

describe('What can be undone', () => {
  it('is the latest of the project that is selected, else the latest of all', async () => {
    const history = historyOf(new Change('a'), new Change('b', 'edit', other), new Change('c', 'move', other));
    await history.retrace('undo', undefined, () => one);
    assert.deepEqual(done(history), ['b', 'c']);
    await history.retrace('undo', undefined, () => one);
    assert.deepEqual(done(history), ['b'], 'a project with none takes that of any');
    await history.retrace('undo', undefined, () => undefined);
    assert.deepEqual(done(history), []);
    assert.equal(await history.retrace('undo'), false);
  });

  it('is the latest of a kind, those of another staying where they are', async () => {
    const history = historyOf(new Change('move a'), new Change('edit b', 'edit'), new Change('move c'));
    await history.retrace('undo', 'edit');
    assert.deepEqual(done(history), ['move a', 'move c']);
    await history.retrace('undo', 'move');
    await history.retrace('redo', 'edit');
    assert.deepEqual(done(history), ['move a', 'edit b']);
    assert.equal(await history.retrace('redo', 'edit'), false);
    await history.retrace('redo');
    assert.deepEqual(done(history), ['move a', 'edit b', 'move c']);
  });

  it('is a hundred changes of each project', async () => {
    const history = historyOf(new Change('elsewhere', 'move', other));
    for (let count = 1; count <= 101; count++) history.add(new Change(`${count}`, count % 2 === 0 ? 'move' : 'edit'));
    const latestFirst = Array.from({ length: 100 }, (_, index) => `${101 - index}`);
    assert.deepEqual(await retraceAll(history, 'undo'), [...latestFirst, 'elsewhere']);
    assert.deepEqual(await retraceAll(history, 'redo'), ['elsewhere', ...latestFirst.toReversed()]);
  });

  it('cannot be done again after something new in its project', async () => {
    const history = historyOf(new Change('a'), new Change('b', 'edit', other));
    await retraceAll(history, 'undo');
    history.add(new Change('c'));
    assert.deepEqual(await retraceAll(history, 'redo'), ['b']);
    assert.deepEqual(done(history), ['c', 'b']);
  });

  it('can be done again when what was new was refused', async () => {
    const history = historyOf(new Change('a'));
    await history.retrace('undo');
    const refused = [new Change('b'), new Change('c', 'edit')];
    for (const change of refused) history.add(change);
    for (const change of refused) {
      assert.equal(await history.retrace('redo'), false);
      history.remove(change);
    }
    assert.deepEqual(done(history), []);
    assert.deepEqual(await retraceAll(history, 'redo'), ['a']);
  });

  it('goes with its project', async () => {
    const gone: ProjectKey[] = [];
    const history = new UndoHistory(async (key) => !gone.includes(key));
    for (const change of [new Change('a'), new Change('b'), new Change('c', 'edit', other)]) history.add(change);
    await history.retrace('undo', undefined, () => one);
    gone.push(one);
    assert.deepEqual(await retraceAll(history, 'redo'), []);
    assert.deepEqual(await retraceAll(history, 'undo'), ['c']);
    assert.deepEqual(await retraceAll(history, 'redo'), ['c']);
  });

  it('stays when that failed, and goes when it is not possible any more', async () => {
    const history = historyOf(new Change('lasting'), new Change('gone'));
    fate = 'gone';
    await assert.rejects(history.retrace('undo'), /gone is gone/);
    fate = 'failed';
    await assert.rejects(history.retrace('undo'), /lasting failed/);
    fate = 'done';
    assert.deepEqual(done(history), ['lasting']);
    assert.deepEqual(await retraceAll(history, 'redo'), []);
    assert.deepEqual(await retraceAll(history, 'undo'), ['lasting']);
  });

  it('is undone one after the other, once what was begun before is there', async () => {
    const history = historyOf(new Change('a'));
    const added = history.expect();
    const turns = [1, 2].map(() => history.retrace('undo'));
    await Promise.resolve();
    assert.deepEqual(told, []);
    history.add(new Change('b'));
    added();
    fate = 'gone';
    whileRetraced = ({ name }) => {
      if (name === 'a') fate = 'done';
    };
    const outcomes = await Promise.allSettled(turns);
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['rejected', 'fulfilled'],
    );
    assert.deepEqual(told, ['undo b', 'b gone', 'undo a', 'a done']);
  });
});

/** What a person does; a change is given by its kind and project, and may be made while another is taken back. */
type Deed =
  | { readonly does: 'change'; readonly kind: UndoKind; readonly key: ProjectKey; readonly isRefused: boolean }
  | {
      readonly does: UndoWay;
      readonly kind: UndoKind | undefined;
      readonly key: ProjectKey | undefined;
      readonly ends: Fate;
      readonly isBusy: boolean;
    };

interface Named {
  readonly name: string;
  readonly kind: UndoKind;
  readonly key: ProjectKey;
}

/** Two lists in the order in which things were done, each at once. */
class PlainHistory {
  done: readonly Named[] = [];
  undone: readonly Named[] = [];

  add(change: Named): void {
    this.done = [...this.done, change];
    this.undone = this.undone.filter(({ key }) => !isSameProject(key, change.key));
  }

  retrace(way: UndoWay, kind: UndoKind | undefined, key: ProjectKey | undefined, ends: Fate): Named | undefined {
    const from = way === 'undo' ? this.done : this.undone;
    const fitting = from.filter((one) => kind === undefined || one.kind === kind);
    const found = fitting.findLast((one) => key && isSameProject(one.key, key)) ?? fitting.at(-1);
    if (!found || ends === 'failed') return found;
    const left = from.filter((one) => one !== found);
    const onto = (stack: readonly Named[]) => (ends === 'done' ? [...stack, found] : stack);
    this.done = way === 'undo' ? left : onto(this.done);
    this.undone = way === 'undo' ? onto(this.undone) : left;
    return found;
  }
}

const kinds = fc.constantFrom<UndoKind>('move', 'edit');
const keys = fc.constantFrom<ProjectKey>(one, other);
const changes = fc.record({
  does: fc.constant('change' as const),
  kind: kinds,
  key: keys,
  isRefused: fc.nat(4).map((chance) => chance === 0),
});
const retracings = fc.record({
  does: fc.constantFrom<UndoWay>('undo', 'undo', 'redo'),
  kind: fc.option(kinds, { nil: undefined }),
  key: fc.option(keys, { nil: undefined }),
  ends: fc.constantFrom<Fate>('done', 'done', 'done', 'gone', 'failed'),
  isBusy: fc.nat(4).map((chance) => chance === 0),
});
const deeds: fc.Arbitrary<readonly Deed[]> = fc.array(fc.oneof(changes, retracings), { maxLength: 60 });

describe('The history of a window', () => {
  it('is as two plain lists would have it, whatever is done in two projects', async () => {
    await fc.assert(
      fc.asyncProperty(deeds, async (all) => {
        const history = new UndoHistory(async () => true);
        const plain = new PlainHistory();
        for (const [index, deed] of all.entries()) {
          if (deed.does === 'change') change(history, plain, `${index}`, deed);
          else await retrace(history, plain, `${index}`, deed);
          const expected = [one, other].flatMap((key) => plain.done.filter((entry) => isSameProject(entry.key, key)));
          assert.deepEqual(
            done(history),
            expected.map(({ name }) => name),
          );
        }
        const again = plain.undone.map(({ name }) => name).toReversed();
        assert.deepEqual(await retraceAll(history, 'redo'), again);
      }),
      { numRuns: 500 },
    );
  });

  function change(history: UndoHistory, plain: PlainHistory, name: string, deed: Deed & { does: 'change' }): void {
    const made = new Change(name, deed.kind, deed.key);
    history.add(made);
    if (deed.isRefused) history.remove(made);
    else plain.add(made);
  }

  /** A change that is made while another is taken back or done again comes after it. */
  async function retrace(
    history: UndoHistory,
    plain: PlainHistory,
    name: string,
    { does, kind, key, ends, isBusy }: Deed & { does: UndoWay },
  ): Promise<void> {
    const expected = plain.retrace(does, kind, key, ends);
    const made = new Change(name);
    fate = ends;
    told = [];
    whileRetraced = () => isBusy && history.add(made);
    const found = await history.retrace(does, kind, () => key).catch(() => 'thrown');
    assert.equal(found, expected ? ends === 'done' || 'thrown' : false);
    assert.equal(told[0], expected && `${does} ${expected.name}`);
    if (expected && isBusy) plain.add(made);
    fate = 'done';
    whileRetraced = () => undefined;
  }
});
