import assert from 'node:assert/strict';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { TrackerError } from '../../../../src/core/errors.ts';
import type { OutboxEntry } from '../../../../src/core/outbox/outbox.ts';
import { Seeded } from '../../../support/measures/seeded.ts';
import { account } from '../../../support/replica/client.ts';
import { Disk } from './disk.ts';
import { doSomething } from './events.ts';
import { Intents } from './intents.ts';
import { DAY_MS, Schedule } from './schedule.ts';
import { Killed, type SimFile } from './simFile.ts';
import { SimNetwork } from './simNetwork.ts';
import { SimServer, type SimServerOptions } from './simServer.ts';
import { SimWindow } from './simWindow.ts';
import { Trace } from './trace.ts';
import { Wishes } from './wishes.ts';

const START = Date.parse('2026-03-02T09:00:00Z');
const EVENTS = 34;
const WINDOWS = 3;
const WAITING = "SELECT count(*) AS count FROM outbox WHERE state <> 'failed'";
const OUTBOX_LEASE_MS = 20_000;
/** A poll is put off until the day ends at most. */
const POLL_LEASE_MS = 25 * 3_600_000;
/** Longer than a request that is given up may still be under way, and than a feed is behind. */
const CALM_MS = 40_000;
/** Longer than anything waits before it is tried again, and where the clock was set back meanwhile. */
const HEALING_MS = 16 * CALM_MS;
const HEALING_OF_CLOCKS_MS = 70 * 60_000;

/** Some windows on one file, others who change the same projects, and everything that goes wrong between them. */
export class World {
  readonly chance: Seeded;
  readonly schedule = new Schedule(START);
  readonly trace = new Trace(() => this.schedule.now);
  readonly server: SimServer;
  readonly network: SimNetwork;
  readonly disk: Disk;
  readonly windows: SimWindow[] = [];
  readonly wishes = new Wishes();
  readonly intents: Intents;
  isSignedIn = true;
  /** The server did not know the token for a while, so that someone has to sign in again. */
  wasTurnedAway = false;
  /** How far the machine's clock is ahead of the server's, in milliseconds. */
  ahead = 0;
  /** Whether someone sets the clock. */
  readonly hasClocks: boolean;
  /** Whether processes stand still. */
  readonly hasFreezes: boolean;
  /** What kinds of accidents this world has. */
  readonly hasDiskFaults: boolean;
  private readonly hasDeaths: boolean;
  private readonly isLate: boolean;
  private readonly pauses: number;
  /** Between two polls; 0 for none. */
  private readonly seconds: number;
  private readonly isFollowing: boolean;
  /** One window in so many never shows a view; 0 for none. */
  private readonly closedViews: number;
  /** The last window's file: that of the others, or its own, as in another profile. */
  private readonly lastPath: string;
  private readonly hasOwnFile: boolean;
  isHealed = false;
  private running = 0;
  private failure: unknown;

  constructor(seed: number, folder: string) {
    this.chance = new Seeded(Math.imul(seed + 1, 0x9e37_79b1));
    const { chance, schedule, trace } = this;
    this.server = new SimServer({
      projects: 2,
      isOneCount: chance.chance(2),
      isWithoutVersions: chance.chance(10),
      ...chance.of([
        {},
        {},
        { digests: 'right' } as const,
        { digests: 'right' } as const,
        { digests: 'wrong' } as const,
      ]),
      ...this.commitTraits(),
      takesConditions: !chance.chance(4),
      feedLag: chance.chance(4) ? chance.below(20_000) : 0,
    });
    this.intents = new Intents(this.server, chance);
    const accidents = chance.of([0, 60, 20, 8]) ?? 0;
    this.isLate = chance.chance(10);
    this.hasClocks = chance.chance(4);
    this.hasFreezes = chance.chance(4);
    if (this.hasClocks) this.ahead = (chance.below(5) - 2) * DAY_MS;
    const { server, isLate } = this;
    const isSlow = this.hasClocks || this.hasFreezes;
    this.network = new SimNetwork({ schedule, chance, trace, server, accidents, isLate, isSlow });
    this.disk = new Disk(join(folder, 'replica.sqlite'));
    this.hasOwnFile = chance.chance(4);
    this.lastPath = this.hasOwnFile ? join(folder, 'other.sqlite') : this.disk.path;
    this.hasDiskFaults = chance.chance(5);
    this.hasDeaths = chance.chance(3);
    this.seconds = chance.of([0, 30]) ?? 0;
    this.isFollowing = chance.chance(3);
    this.closedViews = chance.of([0, 0, 3, 1]) ?? 0;
    this.pauses = chance.of([0, 0, 10, 3]) ?? 0;
    for (let times = 0; times < 10; times++) this.server.create(1 + (times % 2), times % 4 === 0);
    for (let index = 0; index < WINDOWS; index++) this.open(index);
  }

  /** Runs until everything is well again, and checks what then must be true. */
  async run(): Promise<void> {
    for (let event = 0; event < EVENTS; event++) {
      await this.schedule.runUntil(
        this.schedule.now + this.chance.below(this.chance.of([80, 80, 300, 3000, 20_000]) ?? 0),
      );
      if (this.failure) throw this.failure;
      this.server.now = this.schedule.now;
      doSomething(this);
    }
    await this.heal();
    await this.assertConverged();
  }

  close(): void {
    this.disk.release();
    for (const window of this.windows) window.client.close();
  }

  /** The name of what waits in this window's file. */
  outboxOf(window: SimWindow): string {
    const isOwn = this.hasOwnFile && this.windows.indexOf(window) === WINDOWS - 1;
    return `${isOwn ? 'there' : 'here'} ${this.wishes.generation}`;
  }

  /** A new process in this place. */
  open(index: number): SimWindow {
    this.windows[index]?.kill('and is opened again');
    const { schedule, chance, trace, network, server, pauses, wishes, isFollowing } = this;
    const deaths = () => (this.hasDeaths && !this.isHealed ? 80 : 0);
    const path = index === WINDOWS - 1 ? this.lastPath : this.disk.path;
    const onFailure = (thrown: unknown) => {
      this.failure ??= thrown;
    };
    const ahead = () => this.ahead;
    const hasViews = this.closedViews === 0 || !chance.chance(this.closedViews);
    const needs = {
      path,
      schedule,
      ahead,
      chance,
      trace,
      network,
      server,
      pauses,
      deaths,
      wishes,
      isFollowing,
      hasViews,
      onFailure,
    };
    const window = new SimWindow(`w${index}`, needs);
    this.windows[index] = window;
    const isVisible = hasViews && chance.chance(5);
    window.live({ accounts: this.isSignedIn ? [account] : [], isVisible, seconds: this.seconds });
    return window;
  }

  /** Every window dies, something happens to the file, and they are opened again. */
  restartAll(isReadable: boolean, meanwhile: () => void): void {
    this.disk.release();
    for (const window of this.windows) window.kill('with the machine');
    meanwhile();
    this.wishes.renew(isReadable);
    for (const index of this.windows.keys()) this.open(index);
  }

  /** Something that a window does by itself from here on. */
  start(work: Promise<unknown>): void {
    this.running++;
    work
      .catch((thrown: unknown) => {
        if (!(thrown instanceof TrackerError || thrown instanceof Killed)) this.failure ??= thrown;
      })
      .finally(() => this.running--);
  }

  /** Servers that know which commits they have, and others, of which some make comments without their ids. */
  private commitTraits(): Pick<SimServerOptions, 'knowsCommits' | 'showsCommitIds' | 'tellsCommitNotes'> {
    const { chance } = this;
    const knowsCommits = chance.chance(2);
    return { knowsCommits, showsCommitIds: knowsCommits || chance.chance(2), tellsCommitNotes: chance.chance(2) };
  }

  private async heal(): Promise<void> {
    this.isHealed = true;
    this.trace.say('everything heals');
    this.disk.release();
    this.network.heal();
    for (const window of this.windows) window.thaw();
    for (const { isDead, file } of this.windows) if (!isDead) this.disk.empty(file);
    const isSignIn = this.wasTurnedAway || !this.isSignedIn;
    this.isSignedIn = true;
    const isEnough = this.chance.chance(2) && this.windows.some((window) => !window.isDead && window.file.isKept);
    for (const [index, window] of this.windows.entries()) {
      if (!window.isDead && !window.file.isKept) this.open(index);
      if (window.isDead && !(isEnough && !this.hasOwnFile)) this.open(index);
    }
    for (const window of this.windows) if (!window.isDead && isSignIn) window.tell({ accounts: [account] });
    await this.settled();
    if (this.failure) throw this.failure;
    this.server.now = this.schedule.now;
  }

  /** What is late has come, what was begun is over, and what is to be sent was, or there was more than time enough. */
  private async settled(): Promise<void> {
    const alive = this.windows.filter(({ isDead }) => !isDead);
    const longest = this.hasClocks ? HEALING_OF_CLOCKS_MS : HEALING_MS;
    for (let passed = 0; passed < longest; passed += CALM_MS) {
      await this.schedule.runUntil(this.schedule.now + CALM_MS);
      const left = alive.map(({ file }) => file.run((database) => database.prepare(WAITING).get()?.count));
      if (this.running === 0 && left.every((count) => count === 0)) break;
    }
    // The feed tells of the last of it later.
    await this.schedule.runUntil(this.schedule.now + CALM_MS);
  }

  private async assertConverged(): Promise<void> {
    const left: OutboxEntry[] = [];
    const alive = this.windows.filter(({ isDead }) => !isDead);
    for (const { outbox } of this.hasOwnFile ? alive.slice(-2) : alive.slice(-1)) {
      left.push(...(await this.driven(outbox.entries())));
    }
    for (const { file } of alive) this.assertLeasesEnd(file);
    this.wishes.check(this.server, this.network, left, { isLate: this.isLate });
    for (const { name, client, isDead } of this.windows) {
      if (isDead) continue;
      for (const { id } of this.server.projects) {
        const shown = await this.driven(client.refresh(id));
        const truth = this.server.truth(id, Math.max(5, shown.done.length));
        assert.deepEqual(shown, truth, `what ${name} shows of ${id}`);
      }
    }
    for (const index of this.hasOwnFile ? [0, WINDOWS - 1] : [0]) {
      const before = this.windows[index]?.client;
      if (!before?.file.isKept || this.windows[index]?.isDead) continue;
      const { client } = this.open(index);
      for (const { id } of this.server.projects) {
        assert.deepEqual(await this.driven(client.paint(id)), before.backlog(id), `what the file has of ${id}`);
      }
    }
  }

  /** Nobody who died holds anything for long. */
  private assertLeasesEnd(file: SimFile): void {
    const leases = file.run((database) => database.prepare('SELECT name, until FROM lease').all());
    if (this.hasClocks) return;
    for (const { name, until } of leases) {
      const longest = String(name).startsWith('outbox') ? OUTBOX_LEASE_MS : POLL_LEASE_MS;
      assert.ok(Number(until) <= this.schedule.now + longest, `the lease of ${name} ends soon`);
    }
  }

  private async driven<T>(work: Promise<T>): Promise<T> {
    let isOver = false;
    const over = work.finally(() => {
      isOver = true;
    });
    over.catch(() => undefined);
    do await setImmediate();
    while (!isOver && (await this.schedule.step()));
    assert.ok(isOver, 'nothing waits for what never comes');
    return over;
  }
}
