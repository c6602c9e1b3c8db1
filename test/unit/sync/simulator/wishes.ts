import assert from 'node:assert/strict';
import { type Backlog, storiesOf } from '../../../../src/core/backlog/backlog.ts';
import type { Intent, IntentKind } from '../../../../src/core/intents/intent.ts';
import { isOrderKept } from '../../../../src/core/intents/intentRules.ts';
import type { OutboxEntry } from '../../../../src/core/outbox/outbox.ts';
import { WISH } from './intents.ts';
import type { SimServer } from './simServer.ts';

interface Wish {
  readonly intent: Intent;
  readonly projectId: number;
  /** The same for all that was wanted at once. */
  readonly batch: number;
  /** The entry, once its being on disk was confirmed. */
  entry?: OutboxEntry;
  /** Those of one file and project go out in their order, but for those that pass what is stuck. */
  queue?: string;
  /** The file that it was in is gone. */
  isExcused: boolean;
}

export interface WishOptions {
  /** Requests may arrive after their sender has given them up, so that what is looked for may come later. */
  readonly isLate: boolean;
}

/** What the server did, in its order. */
export interface Taken {
  readonly taken: readonly string[];
  /** Of each of them, the ids of the entries that were stuck when it was sent. */
  readonly stuck: readonly ReadonlySet<string>[];
}

/** What people wanted, and what then must be true of the server. */
export class Wishes {
  private readonly all: Wish[] = [];
  private batches = 0;
  /** Counts the files that were. */
  generation = 0;
  /** When windows of a copy were told that a story is gone, by copy and story. */
  private readonly goneAt = new Map<string, number>();

  wanted(projectId: number, intents: readonly Intent[]): readonly Wish[] {
    const batch = ++this.batches;
    const wishes = intents.map((intent) => ({ intent, projectId, batch, isExcused: false }));
    this.all.push(...wishes);
    return wishes;
  }

  /** The file is set aside; what waited in it goes over into the new one where it can be read. */
  renew(isReadable: boolean): void {
    this.generation++;
    if (isReadable) return;
    for (const wish of this.all) wish.isExcused = true;
  }

  gone(copy: string, storyId: number, at: number): void {
    this.goneAt.set(`${copy} ${storyId}`, at);
  }

  /** What a copy was told to be gone is shown by none of its windows any more. `askedAt`: when what is shown was begun to be read. */
  assertGone(copy: string, shown: Backlog, askedAt: number): void {
    for (const { id } of storiesOf(shown)) {
      const at = this.goneAt.get(`${copy} ${id}`);
      assert.ok(at === undefined || at > askedAt, `story ${id} is not shown again`);
    }
  }

  /** `left` is what the outbox still has. */
  check(server: SimServer, network: Taken, left: readonly OutboxEntry[], options: WishOptions): void {
    const { taken } = network;
    const waiting = left.filter(({ state }) => state !== 'failed');
    assert.deepEqual(waiting, [], 'nothing waits any more');
    for (const { problem } of left) assert.ok(problem, 'what failed says why');
    for (const wish of this.all) this.checkOne(wish, server, taken, left, options);
    if (!options.isLate) this.checkOrder(network);
  }

  private checkOne(
    wish: Wish,
    server: SimServer,
    taken: readonly string[],
    left: readonly OutboxEntry[],
    options: WishOptions,
  ) {
    const { intent, entry } = wish;
    const times = timesDone(wish, server, taken);
    if (times === undefined) return;
    const isTold = left.some(({ id }) => id === entry?.id);
    const isDue = entry !== undefined && !wish.isExcused && !isTold;
    const what = `${JSON.stringify(intent)} (done ${times} times)`;
    if (isDue) assert.ok(times > 0, `what was acknowledged is done or told of: ${what}`);
    const mayRepeat = options.isLate;
    if (!mayRepeat && ONCE.has(intent.kind)) {
      assert.ok(times <= 1, `nothing is done twice: ${what}`);
    }
    if (intent.kind === 'newStory' && !mayRepeat) {
      const { tasks = [] } = intent;
      const added = taken.filter((one) => one.startsWith('addTask') && one.includes(markOf(intent) ?? '?')).length;
      assert.ok(isDue ? added === tasks.length : added <= tasks.length, `a new story has its tasks once: ${what}`);
    }
    if (server.takesConditions) assertOverwroteNobody(intent, server);
  }

  /** By the first time that each was done: nothing passes what was added before it, but for what could not go and does not matter to it. */
  private checkOrder({ taken, stuck }: Taken): void {
    const all = this.all.flatMap(({ entry, isExcused, ...wish }) => {
      const at = taken.findIndex((what) => what.includes(markOf(wish.intent) ?? '?'));
      return entry && !isExcused ? [{ ...wish, entry, at: at < 0 ? undefined : at }] : [];
    });
    for (const later of all) {
      const { at, queue } = later;
      if (at === undefined) continue;
      const before = all.filter((one) => one.queue === queue && one.entry.place < later.entry.place);
      const passed = before.filter((one) => one.at === undefined || one.at > at);
      const held = heldAmong(passed, stuck[at] ?? new Set());
      for (const earlier of passed.filter((one) => one.at !== undefined)) {
        const which = `${JSON.stringify(later.intent)} behind ${JSON.stringify(earlier.intent)} of ${queue}`;
        assert.ok(!isBehind(later, earlier), `the order is kept where it matters: ${which}`);
        assert.ok(held.includes(earlier), `the order is kept unless the earlier could not go: ${which}`);
      }
    }
  }
}

interface Queued extends Pick<Wish, 'intent' | 'batch'> {
  readonly entry: OutboxEntry;
}

/** What is stuck, and what waits for that because their order matters. */
function heldAmong<T extends Queued>(waiting: readonly T[], stuck: ReadonlySet<string>): readonly T[] {
  const held: T[] = [];
  for (const one of waiting.toSorted((first, second) => first.entry.place - second.entry.place)) {
    if (stuck.has(one.entry.id) || held.some((holder) => isBehind(one, holder))) held.push(one);
  }
  return held;
}

function isBehind(later: Omit<Queued, 'entry'>, earlier: Omit<Queued, 'entry'>): boolean {
  return earlier.batch === later.batch || isOrderKept(earlier.intent, later.intent);
}

/** How often the server has it; `undefined` where that cannot be told any more. */
function timesDone({ intent, projectId }: Wish, server: SimServer, taken: readonly string[]): number | undefined {
  const mark = markOf(intent);
  const { storyId } = intent;
  const moves = server.movedTo.get(storyId) ?? [];
  if (intent.kind === 'moveToProject') {
    return server.removed.has(storyId) ? undefined : moves.filter((id) => id === intent.targetProjectId).length;
  }
  if (server.removed.has(storyId)) return intent.kind === 'deleteStory' ? 1 : undefined;
  // What cannot be found where it was wanted may have been done before the story left.
  if (moves.length > 0) return undefined;
  if (intent.kind === 'deleteStory') return 0;
  if (intent.kind === 'deleteTask') {
    return server.listTasks({ projectId, storyId }).some(({ id }) => id === intent.taskId) ? 0 : 1;
  }
  if (mark === undefined) return undefined;
  if (intent.kind === 'newStory') {
    return taken.filter((what) => what.startsWith('createStory') && what.includes(mark)).length;
  }
  if (intent.kind === 'link') return server.timesLinked(intent.commit.commitId, storyId);
  if (intent.kind !== 'comment') return taken.filter((what) => what.includes(mark)).length;
  const { notes } = server.getStory({ projectId, storyId });
  return notes.filter(({ text }) => text.includes(mark)).length;
}

/** What cannot be told from what is wanted a second time. */
const ONCE: ReadonlySet<IntentKind> = new Set(['comment', 'link', 'newTask', 'newStory']);

/** Who said what they saw took the place of that, and of nothing that someone else wrote since. */
function assertOverwroteNobody(intent: Intent, server: SimServer): void {
  for (const [text, known] of writtenOn(intent)) {
    for (const before of server.replaced.get(text) ?? []) {
      assert.ok(before === known || before === text, `“${text}” is written on “${known}”, not on “${before}”`);
    }
  }
}

function writtenOn(intent: Intent): readonly (readonly [text: string, known: string])[] {
  if (intent.kind === 'editTask') return [[intent.description, intent.known]];
  if (intent.kind !== 'edit' || !intent.known) return [];
  const { name, description } = intent.edit;
  const { name: knownName = '', description: knownText } = intent.known;
  return [
    ...(name ? [[name, knownName] as const] : []),
    ...(description ? [[description, knownText ?? ''] as const] : []),
  ];
}

/** What tells this wish from all others in what the server took. */
function markOf(intent: Intent): string | undefined {
  return WISH.exec(JSON.stringify(intent))?.[0];
}
