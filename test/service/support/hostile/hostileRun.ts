import { setTimeout as wait } from 'node:timers/promises';
import { type Assault, assaults, callers } from './assaults.ts';
import { grow } from './growth.ts';
import { targetNames } from './hostileTargets.ts';
import { type Outcome, send } from './hostileWays.ts';
import { HostileWorld } from './hostileWorld.ts';
import { type ReadNames, readNames, type TargetName } from './readNames.ts';
import { forgetMostMemory, LONGEST_WAIT, memoryOf, ServiceWatch, type Wait } from './serviceWatch.ts';

export interface HostileOptions {
  readonly seed: number;
  /** Over TLS. */
  readonly isSecure: boolean;
  /** Places that are filled with a text; the rest comes on top. */
  readonly count: number;
  /** One of so many places has its turn. */
  readonly every: number;
  /** Of the project with long lists. */
  readonly bigStories: number;
  /** How often the same is added wherever something can be, where it is not refused before. */
  readonly growth: number;
  /** Milliseconds for which a connection is kept busy. */
  readonly hold: number;
  /** Hears of each part when it is over. */
  readonly tell: (row: Row) => void;
}

type Names = Readonly<Record<TargetName, ReadNames>>;

/** What came of one part of an attack. */
export interface Row {
  readonly what: string;
  readonly requests: number;
  readonly seconds: number;
  /** Longest, in milliseconds. */
  readonly clock: number;
  readonly judged: number;
  /** Bytes over rest. */
  readonly memory: number;
  /** Answers that say that it is too much for now. */
  readonly busy: number;
}

/** What may have kept others waiting, to be done again. */
interface Suspects {
  readonly what: string;
  work(): Promise<unknown>;
}

interface Done {
  readonly assault: Assault;
  readonly begun: number;
  readonly ended: number;
  readonly outcome: Outcome;
}

/** Bytes over rest that the service may have. */
const MOST_MEMORY = 200 * 1024 * 1024;
const AT_ONCE = 8;
const AGAIN = 3;
/** Requests without an answer after which the attack is over. */
const MOST_HANGS = 3;
const SETTLE = 1_000;
const WARM_UPS = 3;

/** A row of the table that a run prints. */
export function lineOf({ what, requests, seconds, clock, judged, memory, busy }: Row): string {
  const cells = [
    what.padEnd(34),
    String(requests).padStart(6),
    `${seconds.toFixed(1)} s`.padStart(8),
    `${clock.toFixed(0)} ms`.padStart(9),
    `${judged.toFixed(0)} ms`.padStart(9),
    `${megabytes(memory)} MB`.padStart(8),
    String(busy).padStart(6),
  ];
  return `    ${cells.join(' ')}\n`;
}

export const HEADING = `    ${'what'.padEnd(34)}   sent      took  longest    judged   memory   busy\n`;

/** An attack on one service, part by part. */
export class HostileRun {
  readonly rows: Row[] = [];
  /** What was answered to each target, by the caller. */
  readonly answered = new Map<string, Set<number>>();
  /** Sentences about what should not have been. */
  readonly wrongs: string[] = [];
  private readonly world: HostileWorld;
  private readonly names: Names;
  private readonly plan: readonly Assault[];
  private readonly options: HostileOptions;
  private readonly watch: ServiceWatch;
  private rest = 0;
  private busy = 0;
  private hangs = 0;
  private isClosed = false;
  private endedItself = 0;

  private constructor(world: HostileWorld, watch: ServiceWatch, names: Names, options: HostileOptions) {
    this.world = world;
    this.watch = watch;
    this.names = names;
    this.plan = assaults(names, options);
    this.options = options;
  }

  static async open(options: HostileOptions): Promise<HostileRun> {
    const [names, world] = await Promise.all([readNames(), HostileWorld.open(options.isSecure)]);
    const { url, token } = await world.watched();
    return new HostileRun(world, new ServiceWatch(url, token, world.pid), names, options);
  }

  /** Everything that is planned, part by part. */
  async attack(): Promise<void> {
    await this.warmUp();
    const { bigStories } = this.options;
    const fill = () => this.world.fillBig(bigStories);
    await this.part('filling a project', fill, () => ({ what: 'stories', work: fill }));
    const grow = () => this.grow();
    await this.part('growing', grow, () => ({ what: 'everything that can be added', work: grow }));
    for (const part of new Set(this.plan.map((assault) => assault.part))) {
      if (this.isLost) return;
      await this.assail(
        part,
        this.plan.filter((assault) => assault.part === part),
      );
    }
  }

  private async grow(): Promise<number> {
    const { requests, wrongs } = await grow(this.world, this.names, this.options.growth);
    this.wrongs.push(...wrongs);
    return requests;
  }

  /** The targets of which no answer has a status that `isGood`. */
  targetsWithout(isGood: (status: number) => boolean): readonly TargetName[] {
    return targetNames.filter((name) => {
      const all = callers.flatMap((caller) => [...(this.answered.get(`${name} ${caller}`) ?? [])]);
      return !all.some(isGood);
    });
  }

  /** Ends the service as an operator does, and gives its exit code. */
  async close(): Promise<number | NodeJS.Signals> {
    this.endedItself = this.exits;
    this.isClosed = true;
    await this.watch.stop();
    return this.world.close();
  }

  async assertWell(): Promise<void> {
    await this.world.assertWell();
  }

  /** How often the service ended by itself. */
  get exits(): number {
    if (this.isClosed) return this.endedItself;
    const { exitCode, signalCode } = this.world.process.child;
    return exitCode === null && signalCode === null ? 0 : 1;
  }

  get mistakes(): readonly string[] {
    return this.world.mistakes;
  }

  /** Ordinary use, after which all is compiled and kept that is, and there is as much room for young objects as busy programs have. */
  private async warmUp(): Promise<void> {
    const plain = this.plan.filter(({ what, way }) => way === 'whole' && what === 'as it should be');
    for (let times = 0; times < WARM_UPS; times += 1) await this.each(plain, () => undefined);
    await this.world.useAsUsual();
    await wait(SETTLE);
    this.rest = memoryOf(this.world.pid).now;
  }

  private async assail(part: string, some: readonly Assault[]): Promise<void> {
    const done: Done[] = [];
    const work = async (): Promise<number> => {
      await this.each(some, (one) => done.push(one));
      return done.length;
    };
    await this.part(part, work, (late) => {
      const during = done.filter(({ begun, ended }) => begun <= late.at + late.clock && ended >= late.at);
      const longest = during.toSorted((one, other) => other.outcome.took - one.outcome.took).slice(0, AT_ONCE);
      const suspects = longest.map(({ assault }) => assault);
      return { what: suspects.map(told).join('; '), work: () => this.each(suspects, () => undefined) };
    });
    for (const one of done) this.note(one);
  }

  /**
   * Does a part of the attack and says what came of it. What took long because of the attack takes long again, when what may have been
   * it is done once more; what others on this machine did does not.
   */
  private async part(what: string, work: () => Promise<number>, suspectsOf: (late: Wait) => Suspects): Promise<void> {
    const since = now();
    const before = this.busy;
    if (this.exits === 0) forgetMostMemory(this.world.pid);
    const requests = await work();
    await wait(SETTLE / 10);
    const waits = this.watch.between(since, now());
    for (const { status } of waits) {
      if (status !== 200) this.wrongs.push(`Someone else was answered ${status} during ${what}.`);
    }
    const seconds = (now() - since) / 1000;
    const late = longestOf(waits);
    const judged = await this.judged(what, late, suspectsOf);
    const memory = memoryOf(this.world.pid).most - this.rest;
    const fullest = waits.toSorted((one, other) => other.memory - one.memory)[0];
    if (fullest && memory > MOST_MEMORY)
      this.wrongs.push(`${megabytes(memory)} MB over rest during ${what}: ${suspectsOf(fullest).what}`);
    const clock = waits.reduce((most, each) => Math.max(most, each.clock), 0);
    const row = { what, requests, seconds, clock, judged, memory, busy: this.busy - before };
    this.rows.push(row);
    this.options.tell(row);
  }

  /** The longest wait, or the shortest of the longest where it was done again. */
  private async judged(what: string, late: Wait | undefined, suspectsOf: (late: Wait) => Suspects): Promise<number> {
    if (late === undefined || late.judged <= LONGEST_WAIT) return late?.judged ?? 0;
    const suspects = suspectsOf(late);
    let least = late.judged;
    for (let times = 0; times < AGAIN && least > LONGEST_WAIT && !this.isLost; times += 1) {
      const since = now();
      await suspects.work();
      await wait(SETTLE / 10);
      least = Math.min(least, longestOf(this.watch.between(since, now()))?.judged ?? 0);
    }
    if (least > LONGEST_WAIT) this.wrongs.push(`Others waited ${least.toFixed(0)} ms during ${what}: ${suspects.what}`);
    return least;
  }

  /** Whether there is nothing left to attack: it ended, or answers nobody. */
  private get isLost(): boolean {
    return this.exits > 0 || this.hangs >= MOST_HANGS;
  }

  private async each(some: readonly Assault[], heard: (done: Done) => void): Promise<void> {
    const left = [...some];
    const work = async (): Promise<void> => {
      while (!this.isLost) {
        const assault = left.shift();
        if (assault === undefined) return;
        heard(await this.sent(assault));
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  }

  private async sent(assault: Assault): Promise<Done> {
    const { world } = this;
    const isLong = assault.way === 'two hundred at once, unread' || assault.way === 'read a byte at a time';
    const ids = isLong ? world.bigIds : await world.idsFor(assault.name).catch(() => world.bigIds);
    const request = assault.request(ids, world.credentialsOf(assault.caller));
    const begun = now();
    const outcome = await send(world.process.url, request, assault.way, this.options.hold).catch((error: unknown) => {
      this.wrongs.push(`${String(error)}: ${told(assault)}`);
      this.hangs += 1;
      return { status: 0, head: '', took: 0 };
    });
    return { assault, begun, ended: now(), outcome };
  }

  private note({ assault, outcome: { status, head } }: Done): void {
    const key = `${assault.name} ${assault.caller}`;
    const statuses = this.answered.get(key) ?? new Set();
    this.answered.set(key, statuses.add(status));
    if (status < 500) return;
    if (status === 503 && /^retry-after: \d+\r$/im.test(head)) this.busy += 1;
    else this.wrongs.push(`${status}: ${told(assault)}`);
  }
}

function told({ name, caller, way, what }: Assault): string {
  return `${name} by the ${caller}, ${way}: ${what}`;
}

function megabytes(bytes: number): string {
  return (bytes / 1024 / 1024).toFixed(0);
}

function longestOf(waits: readonly Wait[]): Wait | undefined {
  return waits.toSorted((one, other) => other.judged - one.judged)[0];
}

function now(): number {
  return performance.timeOrigin + performance.now();
}
