import assert from 'node:assert/strict';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { orderOf } from '../../../../../src/core/backlog/backlog.ts';
import { TrackerError } from '../../../../../src/core/errors.ts';
import type { Intent } from '../../../../../src/core/intents/intent.ts';
import { type Area, areaOf, movableIn, planInto, planNextTo } from '../../../../../src/core/moves/movePlan.ts';
import { type Direction, spotInDirection } from '../../../../../src/features/reorder/spots.ts';
import { Seeded } from '../../../../support/measures/seeded.ts';
import { SteppedClock } from '../../../../support/replica/steppedClock.ts';
import { modelTracker } from '../../../../support/trackers/modelTracker.ts';
import { ReorderServer } from './reorderServer.ts';
import { ReorderWindow, type Wish } from './reorderWindow.ts';

const EVENTS = 25;
const STORIES = 9;
const WRITES: readonly string[] = ['moveStory', 'updateStory'];
const directions: readonly Direction[] = ['up', 'down', 'top', 'bottom'];

/** Two people who put the stories of one project in order, a third who does so elsewhere, and a network between. */
export class ReorderWorld {
  readonly chance: Seeded;
  private readonly clock = new SteppedClock();
  private readonly server: ReorderServer;
  private readonly windows: ReorderWindow[] = [];
  /** What the server took of each window. */
  private readonly taken: Set<string>[] = [];
  private readonly badness: number;
  private isHealed = false;

  private constructor(seed: number) {
    this.chance = new Seeded(Math.imul(seed + 1, 0x9e37_79b1));
    const { chance } = this;
    this.server = new ReorderServer(chance.of([{}, { digests: 'right' } as const, { digests: 'wrong' } as const]));
    this.badness = chance.of([0, 12, 5, 3]) ?? 0;
    for (let count = 0; count < STORIES; count++) this.server.create(1, count % 3 === 2);
  }

  static async open(seed: number, folder: string): Promise<ReorderWorld> {
    const world = new ReorderWorld(seed);
    world.isHealed = true;
    for (const index of [0, 1]) {
      const path = join(await mkdtemp(join(folder, 'window-')), 'replica.sqlite');
      const { clock, chance } = world;
      const window = new ReorderWindow({
        path,
        clock,
        chance,
        tracker: world.tracker(index),
        happened: () => world.server.happened,
      });
      world.windows.push(window);
      await window.open();
    }
    world.isHealed = false;
    return world;
  }

  async run(): Promise<void> {
    for (let event = 0; event < EVENTS; event++) {
      this.act();
      if (this.chance.chance(2)) await this.clock.advance(this.chance.below(this.chance.of([50, 2000, 30_000]) ?? 0));
    }
    this.isHealed = true;
    const isOver = async () => {
      const left = await Promise.all(this.windows.map((window) => window.entries()));
      return left.flat().every(({ state }) => state === 'failed') && this.windows.every(({ isResting }) => isResting);
    };
    for (let minutes = 0; !(await isOver()); minutes++) {
      assert.ok(minutes < 120, 'all is sent in the end');
      await this.clock.advance(60_000);
    }
    for (const [index, window] of this.windows.entries()) await this.check(window, index);
  }

  close(): void {
    for (const window of this.windows) window.close();
  }

  /** What the tree shows is what the server has, and each move is there, replaced, taken back, or was told of. */
  private async check(window: ReorderWindow, index: number): Promise<void> {
    assert.deepEqual(window.failures, []);
    this.server.now = this.clock.now();
    await window.reload();
    const { iterations, icebox } = this.server.truth(1, 5);
    assert.deepEqual(window.shown.iterations.map(ids), iterations.map(ids));
    assert.deepEqual(
      window.shown.icebox.map(({ id }) => id),
      icebox.map(({ id }) => id),
    );
    const failed = new Set((await window.entries()).map(({ id }) => id));
    for (const wish of window.wishes) this.checkWish(wish, index, failed, window);
  }

  private checkWish(wish: Wish, index: number, failed: ReadonlySet<string>, window: ReorderWindow): void {
    const { submission } = wish;
    assert.ok(submission, 'who asked was answered');
    if (submission.refused) assert.ok(window.told.includes(submission.refused.message));
    if (submission.refused || wish.isUndone) return;
    for (const [at, intent] of wish.intents.entries()) {
      // One that is asked for again, its answer lost, is not sent when the server has it so by then.
      const isTaken = (this.taken[index]?.has(textOf(intent)) ?? false) || this.server.wasSo(intent, wish.since);
      const isTold = failed.has(submission.entryIds[at] ?? '');
      const behind = window.wishes.slice(window.wishes.indexOf(wish) + 1);
      const isReplaced = behind.some(({ intents }) =>
        intents.some((other) => other.kind === 'move' && intent.kind === 'move' && other.storyId === intent.storyId),
      );
      assert.ok(isTaken || isTold || isReplaced, `${textOf(intent)} did not get lost`);
    }
  }

  private act(): void {
    const { chance } = this;
    const window = chance.of(this.windows);
    if (!window) return;
    const dice = chance.below(13);
    if (dice < 2) window.undo();
    else if (dice === 12) window.redo();
    else if (dice < 3) window.refresh();
    else if (dice < 4) this.foreign();
    else if (dice < 5) this.intoArea(window);
    else if (dice < 8) this.byKey(window);
    else this.drag(window);
  }

  private drag(window: ReorderWindow): void {
    const { chance } = this;
    const all = orderOf(window.shown);
    const storyIds = window.storyIds(Array.from({ length: 1 + chance.below(3) }, () => chance.of(all) ?? 1));
    const targetId = chance.of(all) ?? 1;
    const place = chance.of(['before', 'after'] as const) ?? 'before';
    window.move((shown) => planNextTo(shown, storyIds, { place, targetId }));
  }

  /** Some presses of one key, each at once after the other. */
  private byKey(window: ReorderWindow): void {
    const { chance } = this;
    const area: Area = chance.chance(4) ? 'icebox' : 'scheduled';
    const all = movableIn(window.shown, area);
    const storyIds = window
      .storyIds(Array.from({ length: 1 + chance.below(2) }, () => chance.of(all) ?? 0))
      .filter(Boolean);
    const direction = chance.of(directions) ?? 'up';
    for (let times = 1 + chance.below(3); times > 0; times--) {
      window.move((shown) => {
        if (storyIds.length === 0 || storyIds.some((id) => areaOf(shown, id) !== area)) return undefined;
        const inOrderNow = window.storyIds(storyIds);
        const spot = spotInDirection(shown, area, inOrderNow, direction);
        return spot && planInto(shown, area, inOrderNow, spot);
      });
    }
  }

  private intoArea(window: ReorderWindow): void {
    const { chance } = this;
    const area: Area = chance.chance(2) ? 'icebox' : 'scheduled';
    const storyIds = window.storyIds([chance.of(orderOf(window.shown)) ?? 1, chance.of(orderOf(window.shown)) ?? 1]);
    window.move((shown) => {
      const first = movableIn(shown, area).find((id) => !storyIds.includes(id));
      return planInto(shown, area, storyIds, first === undefined ? undefined : { place: 'before', targetId: first });
    });
  }

  /** Someone else moves a story, finishes one or adds one. */
  private foreign(): void {
    const { chance, server } = this;
    server.now = this.clock.now();
    const ids = server.storyIds(1);
    const [storyId, targetId] = [chance.of(ids) ?? 1, chance.of(ids) ?? 1];
    if (chance.chance(5)) server.edit(1, storyId, { state: chance.of(['accepted', 'started']) ?? 'started' });
    else if (chance.chance(6)) server.create(1, chance.chance(2));
    else server.move(1, storyId, targetId, chance.of(['before', 'after'] as const) ?? 'before');
  }

  private tracker(index: number) {
    const taken = new Set<string>();
    this.taken[index] = taken;
    const { server, clock } = this;
    const tracker = modelTracker(server);
    const calls = Object.entries(tracker).map(([method, call]) => {
      const asked = async (...args: readonly unknown[]): Promise<unknown> => {
        await this.fate(method, 'before');
        server.now = clock.now();
        const answer: unknown = await Reflect.apply(call, tracker, args);
        if (WRITES.includes(method)) taken.add(JSON.stringify([method, ...args.slice(0, -1)]));
        await this.fate(method, 'after');
        return answer;
      };
      return [method, asked] as const;
    });
    return Object.fromEntries(calls) as unknown as typeof tracker;
  }

  /** What the network does to a request, and to its answer. */
  private async fate(method: string, when: 'before' | 'after'): Promise<void> {
    const { chance, clock, badness, isHealed } = this;
    if (isHealed || badness === 0 || !chance.chance(badness)) return;
    const isWrite = WRITES.includes(method);
    switch (chance.below(4)) {
      case 0:
        throw new TrackerError('unreachable', 'Cut off.');
      case 1:
        if (isWrite && when === 'before') throw new TrackerError('refused', 'Frozen until Friday.', { status: 422 });
        return;
      case 2:
        throw new TrackerError('busy', 'Later.', { status: 429, retryAfter: 3000 });
      default:
        await clock.wait(chance.below(20_000));
    }
  }
}

const ids = ({ stories }: { readonly stories: readonly { readonly id: number }[] }) => stories.map(({ id }) => id);

function textOf(intent: Intent): string {
  const ref = { projectId: 1, storyId: intent.storyId };
  if (intent.kind === 'move') return JSON.stringify(['moveStory', ref, intent.place, intent.targetId]);
  return JSON.stringify(['updateStory', ref, intent.kind === 'edit' ? intent.edit : {}]);
}
