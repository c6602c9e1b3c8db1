import assert from 'node:assert/strict';
import { type Backlog, findStory, orderOf } from '../../../../src/core/backlog/backlog.ts';
import type { Intent } from '../../../../src/core/intents/intent.ts';
import type { Log } from '../../../../src/core/log.ts';
import type { Tracker } from '../../../../src/core/ports/tracker.ts';
import type { PollState } from '../../../../src/core/replica/polling.ts';
import type { RefreshOptions, ReplicaAccount } from '../../../../src/core/replica/replica.ts';
import type { Story } from '../../../../src/core/story/story.ts';
import { leaseOf } from '../../../../src/sync/file/lease.ts';
import { OutboxSender } from '../../../../src/sync/outbox/outboxSender.ts';
import { Poller } from '../../../../src/sync/polling/poller.ts';
import { ReplicaWatcher } from '../../../../src/sync/polling/replicaWatcher.ts';
import { FailureRecordingSync } from '../../../../src/sync/refresh/failureRecordingSync.ts';
import type { Seeded } from '../../../support/measures/seeded.ts';
import { account, Client } from '../../../support/replica/client.ts';
import { silentLog } from '../../../support/silentLog.ts';
import type { Schedule } from './schedule.ts';
import { ShownClaims } from './shownClaims.ts';
import { Killed, type Process, SimFile } from './simFile.ts';
import type { Sender, SimNetwork } from './simNetwork.ts';
import type { SimServer } from './simServer.ts';
import type { Trace } from './trace.ts';
import type { Wishes } from './wishes.ts';

export interface WindowNeeds {
  readonly path: string;
  readonly schedule: Schedule;
  /** How far the machine's clock is ahead of the server's, in milliseconds. */
  readonly ahead: () => number;
  readonly chance: Seeded;
  readonly trace: Trace;
  readonly network: SimNetwork;
  readonly server: SimServer;
  /** One transaction in so many is the process's last; 0 for none. */
  readonly deaths: () => number;
  /** One access to the file in so many lets others go first; 0 for none. */
  readonly pauses: number;
  readonly wishes: Wishes;
  /** Whether the window looks by itself at what others change. */
  readonly isFollowing: boolean;
  /** Whether the window ever shows stories; one that does not sends, polls and takes what someone wants all the same. */
  readonly hasViews: boolean;
  /** What the window does by itself fails in a way that its own code should have dealt with. */
  readonly onFailure: (thrown: unknown) => void;
}

/** What another window shows a copy of may have been read for so long, in milliseconds. */
const LONGEST_READ_MS = 120_000;

/** So often in a row a server fails at an entry before others may pass it. */
const STUCK_AFTER = 5;

const NOBODY: PollState = { accounts: [], isFocused: false, isActive: false, isVisible: false, seconds: 30 };

/** One window of the editor: the real code of its worker, and of its host what decides in which order that is asked. */
export class SimWindow implements Process, Sender {
  readonly name: string;
  readonly file: SimFile;
  readonly client: Client;
  readonly outbox: OutboxSender;
  private readonly poller: Poller;
  private readonly follower: ReplicaWatcher;
  private state = NOBODY;
  readonly tracker: Tracker;
  readonly hasViews: boolean;
  isDead = false;
  private frozenUntil = 0;
  private thawing = new AbortController();
  private readonly needs: WindowNeeds;
  private readonly claims: ShownClaims;
  private readonly queues = new Map<string, Promise<unknown>>();

  constructor(name: string, needs: WindowNeeds) {
    this.name = name;
    this.needs = needs;
    this.hasViews = needs.hasViews;
    this.claims = new ShownClaims(needs.server);
    this.tracker = needs.network.tracker(this);
    const log = this.log();
    const now = () => needs.schedule.now + needs.ahead();
    this.file = new SimFile({ path: needs.path, log, busyMs: 0, now }, this);
    const { file, tracker } = this;
    this.client = new Client({ file, tracker, log, now });
    const random = () => needs.chance.below(1_000_000) / 1_000_000;
    const wait = (ms: number, signal: AbortSignal) => this.alive(needs.schedule.wait(ms, signal));
    this.outbox = new OutboxSender({ file, log, now, wait, random, tracker: () => tracker });
    const onBack = (answering: ReplicaAccount) =>
      void this.outbox.serverIsBack(answering).catch((thrown: unknown) => this.failed(thrown));
    const sync = new FailureRecordingSync({ file, sync: this.client.sync, now, onBack });
    const watched: typeof sync.refresh = (...args) => {
      this.checkLease();
      return sync.refresh(...args);
    };
    const polled = { readProjects: sync.readProjects.bind(sync), failed: sync.failed.bind(sync), refresh: watched };
    const open = async () => this.checkLease();
    this.poller = new Poller({ file, sync: polled, open, log, now, wait, random, owner: name });
    this.follower = new ReplicaWatcher({ file, log, wait, onNews: ({ projects }) => this.toldOf(projects) });
  }

  /** What a window does by itself, from its opening on. */
  live(state: Partial<PollState>): void {
    this.tell(state);
    const polling = this.state.seconds > 0 ? [this.poller.run()] : [];
    const following = this.needs.isFollowing ? [this.follower.run()] : [];
    for (const work of [...polling, ...following]) work.catch((thrown: unknown) => this.failed(thrown));
  }

  tell(state: Partial<PollState>): void {
    this.state = { ...this.state, ...state };
    this.poller.tell(this.state);
    this.follower.tell(this.state);
    if (state.accounts) this.outbox.attend(state.accounts).catch((thrown: unknown) => this.failed(thrown));
  }

  /** What a person wants of the stories of one project, and what a host does once it is done. */
  async want(projectId: number, intents: readonly Intent[]): Promise<void> {
    const { wishes, trace, server } = this.needs;
    const wanted = wishes.wanted(projectId, intents);
    for (const { storyId } of intents) {
      server.written.add(storyId);
      server.wished.add(storyId);
    }
    const entries = await this.outbox.add({ ...account, projectId }, intents);
    for (const [index, wish] of wanted.entries()) {
      wish.isExcused = !this.file.isKept;
      wish.queue = this.copyOf(projectId);
      const entry = entries[index];
      if (entry) wish.entry = entry;
    }
    trace.say(`${this.name} has ${wanted.length} on disk`);
    for (const { id, intent } of entries) {
      const outcome = await this.outbox.outcome(id);
      trace.say(`${this.name} is told: ${JSON.stringify(intent)} ${outcome.kind}`);
      if (outcome.kind !== 'sent') return;
      if (intent.kind === 'edit' && intent.edit.name) this.claims.named(intent.storyId, intent.edit.name, false);
      if (intent.kind === 'deleteStory') this.noteGone(projectId, intent.storyId);
    }
    const { changes } = server;
    await this.refresh(projectId, { isWritten: true });
    const shown = this.client.backlog(projectId);
    if (shown && changes === server.changes && server.isSoonTold(intents))
      assertOrder(shown, server.truth(projectId, 0));
  }

  /**
   * Of a project that is still being read for the first time there is no copy that it could leave. A window whose copy is behind what it
   * knows paints nothing of that before it was read again; a host lays what it has sent over what it shows until then.
   */
  private noteGone(projectId: number, storyId: number): void {
    const { wishes, schedule } = this.needs;
    const { file, client } = this;
    if (!file.isKept || !client.backlog(projectId) || client.replica.isBehind({ ...account, projectId })) return;
    wishes.gone(this.copyOf(projectId), storyId, schedule.now);
  }

  /** What the windows of one file share of a project. */
  private copyOf(projectId: number): string {
    return `${this.needs.path} ${this.needs.wishes.generation} ${projectId}`;
  }

  /** As in a host, a project's answers are taken in one after the other. */
  refresh(projectId: number, options: RefreshOptions): Promise<void> {
    return this.inTurn(`read ${projectId}`, () => this.shown(projectId, () => this.client.refresh(projectId, options)));
  }

  readMoreDone(projectId: number): Promise<void> {
    return this.inTurn(`read ${projectId}`, () => this.shown(projectId, () => this.client.readMoreDone(1, projectId)));
  }

  paint(projectId: number): Promise<void> {
    return this.inTurn(`read ${projectId}`, () =>
      this.shown(projectId, () => this.client.paint(projectId), LONGEST_READ_MS),
    );
  }

  async readProjects(): Promise<void> {
    await this.client.sync.readProjects(account);
  }

  /** A write that waits for its answer, and what a host does with that. */
  write(projectId: number, send: (tracker: Tracker) => Promise<Story>): Promise<void> {
    return this.inTurn(`write ${projectId}`, async () => {
      const story = await send(this.tracker);
      await this.client.put(projectId, story);
      this.claims.answered(story, this.shows(projectId, story.id));
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

  /** The process stands still so long; what it waited for comes to it afterwards. */
  freeze(ms: number): void {
    this.frozenUntil = this.needs.schedule.now + ms;
    this.thawing = new AbortController();
    this.needs.trace.say(`${this.name} stands still for ${ms} ms`);
  }

  thaw(): void {
    this.frozenUntil = 0;
    this.thawing.abort();
  }

  async pause(): Promise<void> {
    const { pauses, chance, schedule } = this.needs;
    if (pauses > 0 && chance.chance(pauses)) await schedule.wait(chance.below(60));
    await this.alive();
  }

  async alive(work: Promise<void> = Promise.resolve()): Promise<void> {
    await work;
    const { schedule } = this.needs;
    while (this.frozenUntil > schedule.now) {
      await schedule.wait(this.frozenUntil - schedule.now, this.thawing.signal);
    }
    if (this.isDead) await new Promise(() => undefined);
  }

  stuckEntries(): ReadonlySet<string> {
    if (!this.file.isOpen) return new Set();
    const sql = "SELECT id FROM outbox WHERE state <> 'failed' AND problem ->> '$.times' >= ?";
    const rows = this.file.run((database) => database.prepare(sql).all(STUCK_AFTER));
    return new Set(rows.map(({ id }) => String(id)));
  }

  deathInChange(): 'before' | 'after' | undefined {
    const { chance, deaths } = this.needs;
    const oneIn = deaths();
    return oneIn > 0 && chance.chance(oneIn) ? (chance.of(['before', 'after'] as const) ?? 'after') : undefined;
  }

  private shows(projectId: number, storyId: number): boolean {
    const backlog = this.client.backlog(projectId);
    return backlog !== undefined && findStory(backlog, storyId) !== undefined;
  }

  private failed(thrown: unknown): void {
    if (!this.isDead && !(thrown instanceof Killed)) this.needs.onFailure(thrown);
  }

  private toldOf(projects: readonly { readonly projectId: number }[]): void {
    for (const { projectId } of projects) {
      if (this.client.backlog(projectId)) this.paint(projectId).catch((thrown: unknown) => this.failed(thrown));
    }
  }

  /** Only who holds the lease asks: to be called wherever the poller has just made sure that it does. */
  private readonly checkLease = () => {
    const lease = this.file.run((database) => leaseOf(database, 'poll'));
    if (lease?.owner !== this.name) this.needs.onFailure(new Error(`${this.name} polls while ${lease?.owner} may.`));
  };

  /** `age`: for how long the answers that are shown then may have been under way before, in milliseconds. */
  private async shown(projectId: number, read: () => Promise<unknown>, age = 0): Promise<void> {
    const before = this.client.backlog(projectId);
    const askedAt = this.needs.schedule.now;
    await read();
    const shown = this.client.backlog(projectId);
    if (!shown) return;
    this.claims.check(before, shown, askedAt - age);
    const { wishes } = this.needs;
    if (this.file.isKept) wishes.assertGone(this.copyOf(projectId), shown, askedAt);
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

/** What a person has just moved stands where it was moved to. */
function assertOrder(shown: Backlog, truth: Backlog): void {
  assert.deepEqual(orderOf(shown), orderOf(truth), 'the order is right after a change of one’s own');
}
