import { messageOf, TrackerError } from '../../core/errors.ts';
import type { Intent } from '../../core/intents/intent.ts';
import { meansPendingStory } from '../../core/intents/intentRules.ts';
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
import type { ProjectKey } from '../../core/story/projectKey.ts';
import { inBackground } from '../shell/turnBudget.ts';
import type { BacklogReader } from './backlogReader.ts';
import type { BacklogState } from './backlogState.ts';
import { type OwnChanges, UnsentChanges } from './unsentChanges.ts';

interface PendingNeeds {
  readonly outbox: Outbox;
  /** Every signed-in account, passed to the engine so that it can reach their servers. */
  readonly attendedAccounts: () => Promise<readonly ReplicaAccount[]>;
  readonly state: Pick<BacklogState, 'isKnown' | 'tellChanged'>;
  readonly reader: Pick<BacklogReader, 'reload'>;
  readonly log: Log;
}

/**
 * The changes that wait in the outbox or are on their way, of all windows and of those that are gone: shown on top of what
 * servers said, and taken back when refused.
 */
export class PendingChanges {
  readonly unsent = new UnsentChanges();
  private readonly needs: PendingNeeds;
  private readonly followed: FollowedOutbox;
  private adding: Promise<unknown> = Promise.resolve();
  /** Entries that someone waits for to leave the outbox. */
  private readonly leaving = new Map<string, PromiseWithResolvers<void>>();

  constructor(needs: PendingNeeds) {
    this.needs = needs;
    const { unsent } = this;
    this.followed = new FollowedOutbox({ ...needs, unsent, onEntries: (entries) => this.update(entries) });
  }

  /** Sends what waits for the people who are signed in now, and follows what becomes of it. */
  attend(): Promise<void> {
    return this.followed.attend();
  }

  /** Whether one of them is about a story that no server has yet. */
  areTooEarly(intents: readonly Intent[]): boolean {
    return intents.some(meansPendingStory);
  }

  /** Shows intents at once. Resolves when the server has answered, or when they are on disk and have to wait. */
  async submit(key: ProjectKey, account: ReplicaAccount, intents: readonly Intent[]): Promise<Submission> {
    const { state, outbox, log } = this.needs;
    const own = this.unsent.ownOf(key);
    const drafts = own.draft(intents);
    own.submitting++;
    state.tellChanged(key);
    try {
      const entries = await this.add(own, drafts, { ...account, projectId: key.projectId });
      if (!this.followed.isFollowing) {
        await this.attend().catch((thrown: unknown) => log.warn(messageOf(thrown)));
      }
      const outcomes = await Promise.all(entries.map(({ id }) => this.outcome(id)));
      const refused = this.unsent.takeOutcomes(key, entries, outcomes);
      if (refused.length > 0) inBackground(log, outbox.discard(refused));
      return submissionOf(
        entries.map(({ id }) => id),
        outcomes,
      );
    } finally {
      own.submitting--;
      state.tellChanged(key);
      if (own.submitting === 0 && own.isStale) await this.reread(key);
    }
  }

  dispose(): void {
    this.followed.dispose();
  }

  /** Takes a change back that no server has; `false` when it is being sent just now. */
  async discard(id: string): Promise<boolean> {
    const { outbox } = this.needs;
    this.unsent.markDiscarded([id]);
    await outbox.discard([id]);
    const isThere = (await outbox.entries()).some((entry) => entry.id === id);
    if (isThere) this.unsent.unmarkDiscarded([id]);
    return !isThere;
  }

  /** Takes changes back together; `false`, and all of them stay, when a server may have heard of one. */
  async withdraw(ids: readonly string[]): Promise<boolean> {
    this.unsent.markDiscarded(ids);
    const isGone = await this.needs.outbox.withdraw(ids);
    if (!isGone) this.unsent.unmarkDiscarded(ids);
    return isGone;
  }

  /** What became of a change once it has left the outbox. One that is refused stays there until someone decides. */
  async whenGone(id: string): Promise<Outcome> {
    for (;;) {
      const leaving = this.leaving.get(id) ?? Promise.withResolvers<void>();
      this.leaving.set(id, leaving);
      const outcome = await this.outcome(id);
      if (outcome.kind !== 'waiting' && outcome.kind !== 'failed') return outcome;
      await leaving.promise;
    }
  }

  /** Whether a server has made none of these changes, since each was refused or discarded. */
  async areUnmade(ids: readonly string[]): Promise<boolean> {
    const outcomes = await Promise.all(ids.map((id) => this.outcome(id)));
    return outcomes.every(({ kind }) => kind === 'failed' || kind === 'discarded');
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

  /** What servers have taken is read again. */
  private update(entries: readonly OutboxEntry[]): void {
    const ids = new Set(entries.map(({ id }) => id));
    for (const [id, { resolve }] of this.leaving) {
      if (ids.has(id)) continue;
      this.leaving.delete(id);
      resolve();
    }
    for (const { key, isTaken } of this.unsent.update(entries)) {
      if (isTaken) void this.reread(key);
      this.needs.state.tellChanged(key);
    }
  }

  private async reread(key: ProjectKey): Promise<void> {
    const { state, reader, log } = this.needs;
    this.unsent.ownOf(key).isStale = false;
    if (!state.isKnown(key)) {
      this.unsent.beforeReading(key)();
      return;
    }
    // What became of reading again the view tells.
    await reader.reload(key).catch((thrown: unknown) => log.debug(messageOf(thrown)));
  }
}

interface Needs {
  readonly outbox: Outbox;
  /** Every signed-in account, passed to the engine so that it can reach their servers. */
  readonly attendedAccounts: () => Promise<readonly ReplicaAccount[]>;
  /** Is told who is attended, and shows only what is theirs. */
  readonly unsent: UnsentChanges;
  readonly log: Log;
  readonly onEntries: (entries: readonly OutboxEntry[]) => void;
}

/** Until it is tried again to send and follow, the engine having ended. */
const RESUME_MS = 5000;

/** Has the outbox sent for the people who are signed in, and is told of its entries while this window lives. */
class FollowedOutbox {
  private readonly needs: Needs;
  private following: AbortController | undefined;
  private isDisposed = false;
  private holding = 0;
  private toldMeanwhile: readonly OutboxEntry[] | undefined;

  constructor(needs: Needs) {
    this.needs = needs;
  }

  get isFollowing(): boolean {
    return this.following !== undefined;
  }

  /** Sends what waits for the people who are signed in now, and follows what becomes of it. */
  async attend(): Promise<void> {
    const { outbox, attendedAccounts, unsent } = this.needs;
    unsent.attended = await attendedAccounts();
    await outbox.attend(unsent.attended);
    this.follow();
  }

  /** Takes in what is told while `work` is under way only after it. */
  async hold<T>(work: () => Promise<T>): Promise<T> {
    this.holding++;
    try {
      return await work();
    } finally {
      this.holding--;
      if (this.holding === 0 && this.toldMeanwhile) this.takeEntries(this.toldMeanwhile);
    }
  }

  dispose(): void {
    this.isDisposed = true;
    this.following?.abort();
  }

  private follow(): void {
    if (this.following || this.isDisposed) return;
    const following = new AbortController();
    this.following = following;
    const onChange = (entries: readonly OutboxEntry[]) => {
      if (this.holding > 0) this.toldMeanwhile = entries;
      else this.takeEntries(entries);
    };
    this.needs.outbox
      .follow({ onChange, signal: following.signal })
      .catch((thrown: unknown) => this.needs.log.debug(`outbox: ${messageOf(thrown)}`))
      .finally(() => {
        if (this.following === following) this.following = undefined;
        if (!following.signal.aborted) setTimeout(() => this.resume(following.signal), RESUME_MS);
      });
  }

  private takeEntries(entries: readonly OutboxEntry[]): void {
    this.toldMeanwhile = undefined;
    this.needs.onEntries(entries);
  }

  /** A new engine knows nobody, and sends nothing before it is told. */
  private resume(signal: AbortSignal): void {
    if (this.following || signal.aborted || this.isDisposed) return;
    inBackground(this.needs.log, this.attend());
  }
}
