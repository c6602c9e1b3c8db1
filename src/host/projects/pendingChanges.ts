import type { Backlog } from '../../core/backlog/backlog.ts';
import { messageOf, TrackerError } from '../../core/errors.ts';
import type { Intent } from '../../core/intents/intent.ts';
import type { Log } from '../../core/log.ts';
import {
  type Outbox,
  type OutboxEntry,
  type Outcome,
  type Submission,
  submissionOf,
} from '../../core/outbox/outbox.ts';
import type { UnsentIntent } from '../../core/outbox/withUnsentIntents.ts';
import type { ReplicaAccount, ReplicaProject } from '../../core/replica/replica.ts';
import { inBackground } from '../shell/turnBudget.ts';
import { keyText, type ProjectKey } from '../tree/nodes.ts';
import { FollowedOutbox } from './followedOutbox.ts';
import { IntendedBacklogs } from './intendedBacklogs.ts';

export interface PendingNeeds {
  readonly outbox: Outbox;
  /** Everybody who is signed in; told to the engine, so that it can reach their servers. */
  readonly accounts: () => Promise<readonly ReplicaAccount[]>;
  readonly log: Log;
  readonly changed: (key: ProjectKey) => void;
  /** Reads a project again after something was written to it. */
  readonly reload: (key: ProjectKey) => Promise<void>;
  readonly isLoaded: (key: ProjectKey) => boolean;
}

/**
 * The changes that wait in the outbox or are on their way, of all windows and of those that are gone: shown on top of what
 * servers said, and taken back when refused.
 */
export class PendingChanges {
  private readonly needs: PendingNeeds;
  private readonly followed: FollowedOutbox;
  private readonly intended = new IntendedBacklogs();
  private readonly own = new Map<string, OwnChanges>();
  private told: readonly OutboxEntry[] = [];
  private adding: Promise<unknown> = Promise.resolve();
  /** Whoever asked for them knows; they are about to leave the outbox. */
  private readonly refused = new Set<string>();
  private readonly discarded = new Set<string>();

  constructor(needs: PendingNeeds) {
    this.needs = needs;
    this.followed = new FollowedOutbox({ ...needs, onEntries: (entries) => this.take(entries) });
  }

  /** What waits for servers of people who are signed in, and what they refused when nobody here waited for the answer. */
  get entries(): readonly OutboxEntry[] {
    const awaited = new Set([...this.own.values()].flatMap((own) => own.awaited.map(({ id }) => id)));
    const isKnown = ({ id, state }: OutboxEntry) => state === 'failed' && (awaited.has(id) || this.refused.has(id));
    return this.told.filter((entry) => this.followed.isOfOurs(entry) && !isKnown(entry));
  }

  applied(key: ProjectKey, backlog: Backlog): Backlog {
    const own = this.ownOf(key);
    const { ids } = own;
    const others = this.told.filter(
      (entry) => isOf(entry, key) && isShown(entry) && !ids.has(entry.id) && this.followed.isOfOurs(entry),
    );
    return this.intended.of(key, backlog, own.shownWith(others, this.told));
  }

  /** Call before the project is read again; what it returns forgets what the answer then makes needless. */
  beforeReading(key: ProjectKey): () => void {
    return this.ownOf(key).beforeReading();
  }

  /** Sends what waits for the people who are signed in now, and follows what becomes of it. */
  attend(): Promise<void> {
    return this.followed.attend();
  }

  /** Shows intents at once. Resolves when the server has answered, or when they are on disk and have to wait. */
  async submit(key: ProjectKey, account: ReplicaAccount, intents: readonly Intent[]): Promise<Submission> {
    const own = this.ownOf(key);
    const drafts = own.draft(intents);
    own.submitting++;
    this.needs.changed(key);
    try {
      const entries = await this.add(own, drafts, { ...account, projectId: key.projectId });
      if (!this.followed.isFollowing) {
        await this.attend().catch((thrown: unknown) => this.needs.log.warn(messageOf(thrown)));
      }
      const outcomes = await Promise.all(entries.map(({ id }) => this.outcome(id)));
      this.settle(own, entries, outcomes);
      return submissionOf(
        entries.map(({ id }) => id),
        outcomes,
      );
    } finally {
      own.submitting--;
      this.needs.changed(key);
      if (own.submitting === 0 && own.isStale) await this.reread(key);
    }
  }

  dispose(): void {
    this.followed.dispose();
  }

  /** Takes a change back that no server has; `false` when it is being sent just now. */
  async discard(id: string): Promise<boolean> {
    const { outbox } = this.needs;
    this.discarded.add(id);
    await outbox.discard([id]);
    const isThere = (await outbox.entries()).some((entry) => entry.id === id);
    if (isThere) this.discarded.delete(id);
    return !isThere;
  }

  /** Takes changes back together; `false`, and all of them stay, when a server may have heard of one. */
  async withdraw(ids: readonly string[]): Promise<boolean> {
    for (const id of ids) this.discarded.add(id);
    const isGone = await this.needs.outbox.withdraw(ids);
    if (!isGone) for (const id of ids) this.discarded.delete(id);
    return isGone;
  }

  /** One after the other, so that they are in the outbox in the order in which they were made. */
  private add(
    own: OwnChanges,
    drafts: readonly UnsentIntent[],
    project: ReplicaProject,
  ): Promise<readonly OutboxEntry[]> {
    return this.followed.hold(async () => {
      const intents = drafts.map(({ intent }) => intent);
      const adding = this.adding.then(() => this.needs.outbox.add(project, intents));
      this.adding = adding.catch(() => undefined);
      try {
        const entries = await adding;
        own.await(entries);
        return entries;
      } finally {
        own.forgetDrafts(drafts);
      }
    });
  }

  private async outcome(id: string): Promise<Outcome> {
    try {
      return await this.needs.outbox.outcome(id);
    } catch (thrown) {
      // It is on disk: whoever opens the outbox next sends it.
      const kind = thrown instanceof TrackerError ? thrown.kind : 'unreachable';
      return { kind: 'waiting', problem: { kind, message: messageOf(thrown) } };
    }
  }

  private settle(own: OwnChanges, entries: readonly OutboxEntry[], outcomes: readonly Outcome[]): void {
    const which = (kind: 'sent' | 'failed') => entries.filter((_, index) => outcomes[index]?.kind === kind);
    const sent = which('sent');
    // A commit that was refused stays with its stories; of all else whoever waits is told now, so it need not be kept.
    const failed = which('failed').flatMap(({ id, intent }) => (intent.kind === 'link' ? [] : [id]));
    own.forgetAwaited(entries);
    own.addAnswered(sent);
    own.isStale ||= sent.length + failed.length > 0;
    const known = new Set(this.told.map(({ id }) => id));
    const waiting = entries.flatMap((entry, index) => {
      const outcome = outcomes[index];
      return outcome?.kind === 'waiting' && !known.has(entry.id) ? [{ ...entry, problem: outcome.problem }] : [];
    });
    this.told = [...this.told.filter(({ id }) => !failed.includes(id)), ...waiting];
    if (failed.length === 0) return;
    for (const id of failed) this.refused.add(id);
    inBackground(this.needs.log, this.needs.outbox.discard(failed));
  }

  /** What is gone was taken, by this window or another, or somebody discarded it: reading again tells. */
  private take(entries: readonly OutboxEntry[]): void {
    const before = this.told;
    this.told = entries;
    const ids = new Set(entries.map(({ id }) => id));
    const gone = before.filter((entry) => !ids.has(entry.id) && entry.state !== 'failed');
    const keys = new Map([...before, ...entries].map(({ project }) => [keyText(project), project] as const));
    for (const key of keys.values()) {
      const own = this.ownOf(key);
      const known = own.ids;
      const done = gone.filter((entry) => isOf(entry, key) && !known.has(entry.id) && !this.discarded.has(entry.id));
      own.addAnswered(done);
      if (done.length > 0) void this.reread(key);
      this.needs.changed(key);
    }
  }

  private async reread(key: ProjectKey): Promise<void> {
    const { reload, isLoaded, log } = this.needs;
    this.ownOf(key).isStale = false;
    if (!isLoaded(key)) {
      this.beforeReading(key)();
      return;
    }
    // What became of reading again the view tells.
    await reload(key).catch((thrown: unknown) => log.debug(messageOf(thrown)));
  }

  private ownOf(key: ProjectKey): OwnChanges {
    const text = keyText(key);
    const own = this.own.get(text) ?? new OwnChanges();
    this.own.set(text, own);
    return own;
  }
}

/** What was refused is taken back, but for commits: nobody would see that they are missing. */
function isShown({ state, intent }: OutboxEntry): boolean {
  return state !== 'failed' || intent.kind === 'link';
}

function isOf({ project }: OutboxEntry, key: ProjectKey): boolean {
  return project.accountId === key.accountId && project.projectId === key.projectId;
}

/** Changes of one project in this window, from when they are made until the project has been read after they were answered. */
class OwnChanges {
  /** How many submissions nobody has been told the outcome of. */
  submitting = 0;
  /** Something was answered since the project was read. */
  isStale = false;
  /** On their way into the outbox. */
  private drafts: readonly UnsentIntent[] = [];
  /** Whose outcome somebody here waits for. */
  private _awaited: readonly OutboxEntry[] = [];
  /** Taken by the server; they stay until the project has been read again. */
  private answered: readonly OutboxEntry[] = [];

  get awaited(): readonly OutboxEntry[] {
    return this._awaited;
  }

  /** Those of the outbox that it has, answered or not. */
  get ids(): ReadonlySet<string> {
    return new Set([...this._awaited, ...this.answered].map(({ id }) => id));
  }

  /** Everything that is to be shown, as `told` last, with entries that others made, in the order in which it is sent. */
  shownWith(others: readonly OutboxEntry[], told: readonly OutboxEntry[]): readonly UnsentIntent[] {
    const awaited = this._awaited.map((entry) => {
      const now = entry.intent.kind === 'link' ? told.find(({ id }) => id === entry.id) : undefined;
      return now && now.state !== 'failed' ? { ...entry, state: now.state } : entry;
    });
    const entries = [...this.answered, ...awaited, ...others];
    return [...entries.toSorted((one, other) => one.place - other.place), ...this.drafts];
  }

  draft(intents: readonly Intent[]): readonly UnsentIntent[] {
    const first = Number.MAX_SAFE_INTEGER - intents.length;
    const drafts = intents.map((intent, index) => ({ intent, place: first + index }));
    this.drafts = [...this.drafts, ...drafts];
    return drafts;
  }

  await(entries: readonly OutboxEntry[]): void {
    this._awaited = [...this._awaited, ...entries];
  }

  forgetDrafts(drafts: readonly UnsentIntent[]): void {
    this.drafts = this.drafts.filter((draft) => !drafts.includes(draft));
  }

  forgetAwaited(entries: readonly OutboxEntry[]): void {
    this._awaited = this._awaited.filter((one) => !entries.includes(one));
  }

  addAnswered(entries: readonly OutboxEntry[]): void {
    this.answered = [...this.answered, ...entries];
  }

  /** As `PendingChanges.beforeReading`. */
  beforeReading(): () => void {
    const { answered } = this;
    return () => {
      this.answered = this.answered.filter((one) => !answered.includes(one));
    };
  }
}
