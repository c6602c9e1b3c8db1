import type { DatabaseSync } from 'node:sqlite';
import { failureMeans, messageOf, TrackerError } from '../../core/errors.ts';
import type { Intent } from '../../core/intents/intent.ts';
import type { EntryProblem, Outbox, OutboxEntry, OutboxFollowing, Outcome } from '../../core/outbox/outbox.ts';
import type { ReplicaAccount, ReplicaProject } from '../../core/replica/replica.ts';
import { t } from '../../core/translation.ts';
import { leaseOf } from '../file/lease.ts';
import { type LaneNeeds, laneLease, OutboxLane } from './outboxLane.ts';
import {
  allRows,
  deleteRow,
  entryOf,
  hastenRow,
  insertRow,
  needlessRows,
  type OutboxRow,
  rowById,
} from './outboxRows.ts';
import { isStuck, turnsOf } from './outboxTurns.ts';
import { deleteFailedLink } from './storedAnswers.ts';

type OutboxNeeds = Pick<LaneNeeds, 'file' | 'tracker' | 'log' | 'now' | 'wait' | 'random'>;

/** Entries of this process whose outcome nobody may ask for any more. */
const REMEMBERED = 1000;
/** How often a window looks for what another one, gone in the meantime, has left unsent. */
const VISIT_MS = 20_000;

/** The file, with what was in it, cannot be used by this window any more. */
const outOfReachProblem = (): EntryProblem => ({
  kind: 'input',
  message: t(
    'The local copy cannot be used in this window. Another window will send its unsent changes, or this one after a restart.',
  ),
});

/** So many entries are told at once whenever one of them changes; of more, as often as one can see. */
const FEW = 50;
const REST_MS = 500;

/** How often a window that shows entries looks for those of others. */
const LOOK = 5_000;

const signedOutProblem = (): EntryProblem => ({
  kind: 'unauthorized',
  message: t('You are not signed in to this server.'),
});

/** The outbox in the replica's file, and the sending of what is in it. */
export class OutboxSender implements Outbox {
  private readonly needs: OutboxNeeds;
  private readonly laneNeeds: LaneNeeds;
  private readonly lanes = new Map<string, OutboxLane>();
  private readonly attended = new Set<string>();
  /** What became of entries that are gone, as far as this process did it. */
  private readonly settled = new Map<string, Outcome>();
  private readonly listeners = new Set<(entries: readonly OutboxEntry[]) => void>();
  private readonly wasKept: boolean;
  private readonly closing = new AbortController();
  private isVisiting = false;
  /** Who waits for what becomes of an entry, by its id. */
  private readonly waiters = new Map<string, (() => void)[]>();
  private lastTold = '[]';
  /** Nothing is told for a moment, and what there was to tell in the meantime is then. */
  private pause: { isOwed: boolean } | undefined;
  private isClosed = false;

  constructor(needs: OutboxNeeds) {
    this.needs = needs;
    this.wasKept = needs.file.isKept;
    this.laneNeeds = {
      ...needs,
      owner: this.randomId(),
      isAttended: (project) => this.attended.has(accountText(project)),
      isVolatile: () => this.wasKept && !needs.file.isKept,
      onChange: (isSentOnly) => (isSentOnly ? this.tell() : this.changed()),
      onSettled: (id, outcome) => this.remember(id, outcome),
    };
  }

  async add(project: ReplicaProject, intents: readonly Intent[]): Promise<readonly OutboxEntry[]> {
    const { file, now } = this.needs;
    await this.ready();
    const [batch, addedAt] = [this.randomId(), now()];
    const ids = intents.map(() => this.randomId());
    const { added, replaced } = file.changeDurably((database) => {
      const head = turnsOf(database, project, addedAt).next;
      for (const [index, intent] of intents.entries()) {
        const doubt = deleteFailedLink(database, project, intent);
        insertRow(database, { id: ids[index] ?? '', batch, project, intent, addedAt, ...(doubt && { doubt }) });
      }
      // Someone is there, so the server may be too; one that asked for time still gets it.
      if (head?.problem && head.problem.kind !== 'busy' && !isStuck(head)) hastenRow(database, head.id, false);
      const replaced = this.laneNeeds.isVolatile() ? [] : needlessRows(database, project);
      for (const { id } of replaced) deleteRow(database, id);
      return { added: ids.flatMap((id) => rowById(database, id) ?? []), replaced };
    });
    for (const { id } of replaced) this.remember(id, { kind: 'replaced' });
    if (this.laneNeeds.isVolatile() && !this.attended.has(accountText(project))) {
      file.change((database) => ids.forEach((id) => void deleteRow(database, id)));
      throw new TrackerError(
        'input',
        t('Could not save the change because the local copy cannot be used. See the log for details.'),
      );
    }
    this.lane(project).wake(false);
    this.changed();
    return added.map(entryOf);
  }

  async outcome(id: string): Promise<Outcome> {
    await this.ready();
    for (;;) {
      const told = this.outcomeNow(id);
      if (told) return told;
      await new Promise<void>((resolve) => this.waiters.set(id, [...(this.waiters.get(id) ?? []), resolve]));
      this.throwIfClosed();
    }
  }

  async entries(): Promise<readonly OutboxEntry[]> {
    await this.ready();
    return this.told();
  }

  async retry(ids?: readonly string[]): Promise<void> {
    const rows = (await this.rows()).filter(({ id }) => ids?.includes(id) ?? true);
    this.needs.file.changeDurably((database) => {
      for (const { id } of rows) hastenRow(database, id, true);
    });
    for (const { project } of rows) this.lane(project).wake(true);
    this.changed();
  }

  async discard(ids: readonly string[]): Promise<void> {
    const rows = (await this.rows()).filter(({ id }) => ids.includes(id));
    this.needs.file.changeDurably((database) => {
      for (const { id } of rows) {
        const row = rowById(database, id);
        if (row && !this.isBeingSent(database, row) && deleteRow(database, id)) {
          this.remember(id, { kind: 'discarded' });
        }
      }
    });
    for (const { project } of rows) this.lane(project).wake(false);
    this.changed();
  }

  async withdraw(ids: readonly string[]): Promise<boolean> {
    await this.ready();
    const gone = this.needs.file.changeDurably((database) => {
      const rows = ids.flatMap((id) => rowById(database, id) ?? []);
      const isUnheard = rows.every(({ state, sentAt }) => state !== 'sending' && sentAt === undefined);
      if (rows.length < ids.length || !isUnheard) return [];
      for (const { id } of rows) deleteRow(database, id);
      return rows;
    });
    for (const { id, project } of gone) {
      this.remember(id, { kind: 'discarded' });
      this.lane(project).wake(false);
    }
    this.changed();
    return gone.length > 0;
  }

  async attend(accounts: readonly ReplicaAccount[]): Promise<void> {
    this.attended.clear();
    for (const account of accounts) this.attended.add(accountText(account));
    await this.ready();
    for (const { project } of await this.rows()) this.lane(project).wake(true);
    this.changed();
    if (!this.isVisiting) void this.visit();
  }

  /** A server that could not be reached has answered something: what waited for it goes out now. */
  async serverIsBack(account: ReplicaAccount): Promise<void> {
    await this.ready();
    const rows = (await this.rows()).filter(
      ({ project, state, problem }) =>
        accountText(project) === accountText(account) && state === 'waiting' && failureMeans(problem?.kind, 'away'),
    );
    if (rows.length === 0) return;
    this.needs.file.change((database) => {
      for (const { id } of rows) hastenRow(database, id, false);
    });
    for (const { project } of rows) this.lane(project).wake(false);
  }

  async follow({ onChange, signal }: OutboxFollowing): Promise<void> {
    await this.ready();
    this.listeners.add(onChange);
    this.tellFirst(onChange);
    const until = signal ?? new AbortController().signal;
    try {
      while (!until.aborted && !this.isClosed) {
        await this.needs.wait(LOOK, until);
        if (!until.aborted && !this.isClosed) this.lookForOthers();
      }
    } finally {
      this.listeners.delete(onChange);
    }
  }

  /** Stops in the middle, as if the process had ended. What was sent and not answered is looked for by whoever comes next. */
  close(): void {
    this.isClosed = true;
    this.closing.abort();
    for (const lane of this.lanes.values()) lane.close();
    this.changed();
  }

  /** A window that was killed or closed sends nothing any more; those that are still there do. */
  private async visit(): Promise<void> {
    const { file, wait, log } = this.needs;
    this.isVisiting = true;
    while (this.attended.size > 0 && !this.isClosed) {
      await wait(VISIT_MS, this.closing.signal);
      if (this.isClosed) return;
      try {
        await file.ready();
        for (const { project } of file.run(allRows)) this.lane(project).wake(false);
      } catch (thrown) {
        log.warn(`could not read the outbox: ${messageOf(thrown)}`);
      }
    }
    this.isVisiting = false;
  }

  /** What other windows added, and what one that was killed has left. */
  private lookForOthers(): void {
    for (const { project, state } of this.needs.file.run(allRows)) {
      if (state !== 'failed' && this.attended.has(accountText(project))) this.lane(project).look();
    }
    this.changed();
  }

  /** Every entry as it stands: none is being sent that nobody sends, and what waits for a sign-in says so. */
  private told(): readonly OutboxEntry[] {
    return this.needs.file.run((database) =>
      allRows(database).map((row) => {
        const state = row.state === 'sending' && !this.isBeingSent(database, row) ? 'waiting' : row.state;
        const entry = entryOf({ ...row, state });
        if (state !== 'waiting' || this.attended.has(accountText(row.project))) return entry;
        const { nextAt: _, ...signedOut } = entry;
        return { ...signedOut, problem: signedOutProblem() };
      }),
    );
  }

  /** One that a killed window was sending is so no longer than its lease. */
  private isBeingSent(database: DatabaseSync, { state, project }: OutboxRow): boolean {
    if (state !== 'sending') return false;
    const until = leaseOf(database, laneLease(project))?.until ?? 0;
    return until > this.needs.now();
  }

  private outcomeNow(id: string): Outcome | undefined {
    const unknown: Outcome = this.laneNeeds.isVolatile()
      ? { kind: 'waiting', problem: outOfReachProblem() }
      : { kind: 'sent', isElsewhere: true };
    const gone = this.settled.get(id) ?? unknown;
    const { file, now } = this.needs;
    const [row, head] = file.run((database) => {
      const found = rowById(database, id);
      const turns = found && turnsOf(database, found.project, now());
      return [found, turns?.heldBy.get(id) ?? turns?.next] as const;
    });
    if (!row) return gone;
    if (row.state === 'failed') return { kind: 'failed', problem: row.problem ?? signedOutProblem() };
    if (!this.attended.has(accountText(row.project))) return { kind: 'waiting', problem: signedOutProblem() };
    return head?.state === 'waiting' && head.problem ? { kind: 'waiting', problem: head.problem } : undefined;
  }

  private changed(): void {
    for (const id of [...this.waiters.keys()]) this.wake(id);
    this.tell();
  }

  private wake(id: string): void {
    const waiting = this.waiters.get(id) ?? [];
    this.waiters.delete(id);
    for (const resolve of waiting) resolve();
  }

  /** Where there are many, not after each: all of them are told each time. */
  private tell(): void {
    if (this.isClosed || this.listeners.size === 0) return;
    if (this.pause) {
      this.pause.isOwed = true;
      return;
    }
    const entries = this.told();
    const text = JSON.stringify(entries);
    if (text === this.lastTold) return;
    this.lastTold = text;
    for (const listener of this.listeners) listener(entries);
    if (entries.length > FEW) void this.rest();
  }

  /** Who begins to follow is told what there is, and all the others what is new to them. */
  private tellFirst(onChange: (entries: readonly OutboxEntry[]) => void): void {
    const entries = this.told();
    const text = JSON.stringify(entries);
    const listeners = text === this.lastTold ? [onChange] : this.listeners;
    this.lastTold = text;
    for (const listener of listeners) listener(entries);
  }

  private async rest(): Promise<void> {
    const pause = { isOwed: false };
    this.pause = pause;
    await this.needs.wait(REST_MS, this.closing.signal);
    this.pause = undefined;
    if (pause.isOwed) this.tell();
  }

  private remember(id: string, outcome: Outcome): void {
    this.settled.set(id, outcome);
    this.wake(id);
    const [oldest] = this.settled.keys();
    if (this.settled.size > REMEMBERED && oldest !== undefined) this.settled.delete(oldest);
  }

  private async rows(): Promise<readonly OutboxRow[]> {
    await this.ready();
    return this.needs.file.run(allRows);
  }

  private async ready(): Promise<void> {
    await this.needs.file.ready();
    this.throwIfClosed();
  }

  private throwIfClosed(): void {
    if (this.isClosed) throw new TrackerError('cancelled', t('Story Tracker is closing.'));
  }

  private lane(project: ReplicaProject): OutboxLane {
    const name = `${accountText(project)} ${project.projectId}`;
    const lane = this.lanes.get(name) ?? new OutboxLane(this.laneNeeds, project);
    this.lanes.set(name, lane);
    return lane;
  }

  private randomId(): string {
    const part = () => Math.floor(this.needs.random() * 2 ** 32).toString(36);
    return `${part()}${part()}${part()}`;
  }
}

function accountText({ accountId, address }: ReplicaAccount): string {
  return JSON.stringify([accountId, address]);
}
