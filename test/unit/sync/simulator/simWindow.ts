import { type Log, silentLog } from '../../../../src/core/log.ts';
import type { RefreshOptions } from '../../../../src/core/replica.ts';
import type { Story } from '../../../../src/core/story.ts';
import type { Tracker } from '../../../../src/core/tracker.ts';
import { account, Client } from '../client.ts';
import type { Seeded } from '../seeded.ts';
import type { Schedule } from './schedule.ts';
import { ShownClaims } from './shownClaims.ts';
import { type Process, SimFile } from './simFile.ts';
import type { SimNetwork } from './simNetwork.ts';
import type { SimServer } from './simServer.ts';
import type { Trace } from './trace.ts';

export interface WindowNeeds {
  readonly path: string;
  readonly schedule: Schedule;
  readonly chance: Seeded;
  readonly trace: Trace;
  readonly network: SimNetwork;
  readonly server: SimServer;
  /** One transaction in so many is the process's last; 0 for none. */
  readonly deaths: () => number;
  /** One access to the file in so many lets others go first; 0 for none. */
  readonly pauses: number;
}

/** One window of the editor: the real code of its worker, and of its host what decides in which order that is asked. */
export class SimWindow implements Process {
  readonly name: string;
  readonly file: SimFile;
  readonly client: Client;
  readonly tracker: Tracker;
  isDead = false;
  private readonly needs: WindowNeeds;
  private readonly claims: ShownClaims;
  private readonly queues = new Map<string, Promise<unknown>>();

  constructor(name: string, needs: WindowNeeds) {
    this.name = name;
    this.needs = needs;
    this.claims = new ShownClaims(needs.server);
    this.tracker = needs.network.tracker(this);
    const log = this.log();
    this.file = new SimFile({ path: needs.path, log, busyMs: 0 }, this);
    this.client = new Client({ file: this.file, tracker: this.tracker, log, now: () => needs.schedule.now });
  }

  /** As in a host, a project's answers are taken in one after the other. */
  refresh(projectId: number, options: RefreshOptions): Promise<void> {
    return this.inTurn(`read ${projectId}`, () => this.shown(projectId, () => this.client.refresh(projectId, options)));
  }

  readMoreDone(projectId: number): Promise<void> {
    return this.inTurn(`read ${projectId}`, () => this.shown(projectId, () => this.client.readMoreDone(1, projectId)));
  }

  paint(projectId: number): Promise<void> {
    return this.inTurn(`read ${projectId}`, () => this.shown(projectId, () => this.client.paint(projectId)));
  }

  async readProjects(): Promise<void> {
    await this.client.sync.readProjects(account);
  }

  /** A write that waits for its answer, and what a host does with that. */
  write(projectId: number, send: (tracker: Tracker) => Promise<Story>): Promise<void> {
    return this.inTurn(`write ${projectId}`, async () => {
      const story = await send(this.tracker);
      await this.client.put(projectId, story);
      this.claims.answered(story, this.needs.schedule.now);
      await this.refresh(projectId, { isWritten: true });
    });
  }

  async forget(): Promise<void> {
    await this.client.forget();
  }

  kill(why: string): void {
    if (this.isDead) return;
    this.isDead = true;
    this.needs.trace.say(`${this.name} dies ${why}`);
    this.client.close();
  }

  async pause(): Promise<void> {
    const { pauses, chance, schedule } = this.needs;
    if (pauses > 0 && chance.chance(pauses)) await schedule.wait(chance.below(60));
    if (this.isDead) await new Promise(() => undefined);
  }

  deathInChange(): 'before' | 'after' | undefined {
    const { chance, deaths } = this.needs;
    const oneIn = deaths();
    return oneIn > 0 && chance.chance(oneIn) ? (chance.of(['before', 'after'] as const) ?? 'after') : undefined;
  }

  private async shown(projectId: number, read: () => Promise<unknown>): Promise<void> {
    const before = this.client.backlog(projectId);
    const askedAt = this.needs.schedule.now;
    await read();
    const shown = this.client.backlog(projectId);
    if (shown) this.claims.check(before, shown, askedAt);
  }

  private inTurn(queue: string, run: () => Promise<void>): Promise<void> {
    const before = this.queues.get(queue) ?? Promise.resolve();
    const next = before.then(run, run);
    this.queues.set(queue, next);
    return next;
  }

  private log(): Log {
    const say = (message: string | Error) => this.needs.trace.say(`${this.name} logs ${String(message)}`);
    return { ...silentLog, info: say, warn: say, error: say };
  }
}
