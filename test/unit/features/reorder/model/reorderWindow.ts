import { type Backlog, findStory } from '../../../../../src/core/backlog/backlog.ts';
import { TrackerError } from '../../../../../src/core/errors.ts';
import type { Intent } from '../../../../../src/core/intents/intent.ts';
import { madeMove, withSteps } from '../../../../../src/core/moves/madeMove.ts';
import { inOrder, intentsOf, type MovePlan, type PossibleMove } from '../../../../../src/core/moves/movePlan.ts';
import type { OutboxEntry, Submission } from '../../../../../src/core/outbox/outbox.ts';
import type { Tracker } from '../../../../../src/core/ports/tracker.ts';
import { MoveEntry, type MoveMeans } from '../../../../../src/features/reorder/moveEntry.ts';
import { PendingChanges } from '../../../../../src/host/projects/pendingChanges.ts';
import { RestoredStories } from '../../../../../src/host/story/restoredStories.ts';
import { UndoHistory } from '../../../../../src/host/story/undoHistory.ts';
import { OutboxSender } from '../../../../../src/sync/outbox/outboxSender.ts';
import type { Seeded } from '../../../../support/measures/seeded.ts';
import { account, Client } from '../../../../support/replica/client.ts';
import type { SteppedClock } from '../../../../support/replica/steppedClock.ts';
import { silentLog } from '../../../../support/silentLog.ts';

const key = { accountId: account.accountId, projectId: 1 };

interface Needs {
  readonly path: string;
  readonly tracker: Tracker;
  readonly clock: SteppedClock;
  readonly chance: Seeded;
  readonly happened: () => number;
}

/** What a person wanted, and what they were told of it. */
export interface Wish {
  readonly intents: readonly Intent[];
  /** How often anything had happened on the server by then. */
  readonly since: number;
  submission?: Submission;
  isUndone?: boolean;
}

/** One window on a machine of its own: the code of host and worker, without what draws it. */
export class ReorderWindow {
  readonly outbox: OutboxSender;
  readonly client: Client;
  readonly wishes: Wish[] = [];
  /** What the person was told of refusals and of what others did. */
  readonly told: string[] = [];
  readonly failures: unknown[] = [];
  private readonly pending: PendingChanges;
  private readonly history = new UndoHistory(async () => true);
  private readonly moveMeans: MoveMeans;
  private running = 0;
  private readonly needs: Needs;

  constructor(needs: Needs) {
    this.needs = needs;
    const { path, tracker, clock, chance } = needs;
    this.client = new Client({ path, tracker, now: clock.now });
    this.outbox = new OutboxSender({
      ...{ file: this.client.file, log: silentLog, now: clock.now, wait: clock.wait, tracker: () => tracker },
      random: () => chance.below(1_000_000) / 1_000_000,
    });
    this.pending = new PendingChanges({
      ...{ outbox: this.outbox, log: silentLog, attendedAccounts: async () => [account] },
      reader: { reload: () => this.reload() },
      state: { isKnown: () => true, tellChanged: () => undefined },
    });
    this.moveMeans = this.meansOfMoves();
  }

  get isResting(): boolean {
    return this.running === 0;
  }

  get shown(): Backlog {
    const read = this.client.backlog();
    if (!read) throw new Error('Nothing was read yet.');
    return this.pending.unsent.applied(key, read);
  }

  async open(): Promise<void> {
    await this.client.refresh();
    await this.pending.attend();
  }

  close(): void {
    this.pending.dispose();
    this.outbox.close();
    this.client.close();
  }

  /** As `backlogs.reload`. */
  async reload(): Promise<void> {
    const forget = this.pending.unsent.beforeReading(key);
    await this.client.refresh(1, { isWritten: true });
    forget();
  }

  refresh(): void {
    this.start(this.reload().catch(() => undefined));
  }

  /** As `moveStories`. */
  move(plan: (shown: Backlog) => MovePlan | undefined): void {
    const before = this.shown;
    const planned = plan(before);
    if (!planned || 'refusal' in planned || planned.steps.length === 0) return;
    const made = madeMove(before, withSteps(before, planned.steps), planned.storyIds);
    const entry = made && new MoveEntry(this.moveMeans, key, made);
    if (entry) this.history.add(entry);
    const wish = this.wish(planned);
    const submitted = this.submit(wish).then((submission) => {
      if (!entry) return;
      if (submission.refused) this.history.remove(entry);
      entry.submission = submission;
    });
    this.start(submitted);
  }

  undo(): void {
    this.start(this.history.retrace('undo').catch((thrown) => this.tellRefusal(thrown)));
  }

  redo(): void {
    this.start(this.history.retrace('redo').catch((thrown) => this.tellRefusal(thrown)));
  }

  storyIds(ids: readonly number[]): readonly number[] {
    return inOrder(this.shown, ids);
  }

  entries(): Promise<readonly OutboxEntry[]> {
    return this.outbox.entries();
  }

  private wish({ steps }: PossibleMove): Wish {
    const wish: Wish = { intents: intentsOf(steps), since: this.needs.happened() };
    this.wishes.push(wish);
    return wish;
  }

  private async submit(wish: Wish): Promise<Submission> {
    const submission = await this.pending.submit(key, account, wish.intents);
    wish.submission = submission;
    if (submission.refused) this.tell(submission.refused);
    return submission;
  }

  private tell({ message }: TrackerError): void {
    this.told.push(message);
  }

  /** What failed otherwise is a failure of the test. */
  private tellRefusal(thrown: unknown): void {
    if (!(thrown instanceof TrackerError)) throw thrown;
    this.tell(thrown);
  }

  private meansOfMoves(): MoveMeans {
    return {
      undoHistory: this.history,
      restoredStories: new RestoredStories(),
      log: silentLog,
      backlogs: {
        areUnmade: (ids) => this.pending.areUnmade(ids),
        withdraw: (ids) => this.withdraw(ids),
        reload: () => this.reload(),
        backlog: async () => this.shown,
        peek: () => this.shown,
      },
      carryOut: async (_key, { plan }) => {
        const submission = await this.submit(this.wish(plan));
        if (submission.refused) throw submission.refused;
        return submission;
      },
      tellRetraced: () => undefined,
      unmadeError: () => new TrackerError('input', 'never made'),
      unsentError: () => new TrackerError('input', 'not sent'),
      changedError: (_way, backlog, { storyId }) =>
        new TrackerError('refused', `not undone: ${findStory(backlog, storyId)?.name}`),
    };
  }

  private async withdraw(ids: readonly string[]): Promise<boolean> {
    const isGone = await this.pending.withdraw(ids);
    for (const wish of this.wishes) if (isGone && wish.submission?.entryIds === ids) wish.isUndone = true;
    return isGone;
  }

  private start(work: Promise<unknown>): void {
    this.running++;
    work.catch((thrown: unknown) => this.failures.push(thrown)).finally(() => this.running--);
  }
}
