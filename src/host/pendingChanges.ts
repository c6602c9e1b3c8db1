import type { Backlog } from '../core/backlog.ts';
import { messageOf, TrackerError } from '../core/errors.ts';
import type { Intent } from '../core/intent.ts';
import type { Log } from '../core/log.ts';
import type { EntryProblem, Outbox, OutboxEntry, Outcome } from '../core/outbox.ts';
import type { ReplicaAccount, ReplicaProject } from '../core/replica.ts';
import { withIntent, withUnsent } from '../core/withIntent.ts';
import { keyText, type ProjectKey } from './nodes.ts';
import { PendingGuesses } from './pendingGuesses.ts';

/** What became of several intents that belong together. */
export interface Submission {
  /** How many the server has taken. */
  readonly sent: number;
  /** How many of these it had before. */
  readonly repeated: number;
  /** Why the others wait; they are safe on disk. */
  readonly waiting?: EntryProblem;
  /** Why the others were taken back. */
  readonly refused?: TrackerError;
}

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

type Shown = Pick<OutboxEntry, 'intent' | 'place' | 'problem'> & Partial<Pick<OutboxEntry, 'id'>>;

/** A backlog with changes on it, which is asked for far more often than they become others. */
interface Intended {
  readonly backlog: Backlog;
  readonly shown: readonly Shown[];
  readonly result: Backlog;
}

/** Until it is tried again to send and follow, the engine having ended. */
const RESUME_MS = 5000;

/** Changes of one project in this window. */
interface Own {
  /** Shown, and on their way into the outbox. */
  drafts: readonly Shown[];
  /** Whose outcome somebody here waits for. */
  entries: readonly OutboxEntry[];
  /** Taken by the server; they stay until the project has been read again. */
  answered: readonly OutboxEntry[];
  /** How many submissions nobody has been told the outcome of. */
  submitting: number;
  /** Something was answered since the project was read. */
  isStale: boolean;
}

/**
 * The changes that wait in the outbox or are on their way, of all windows and of those that are gone: shown on top of what
 * servers said, and taken back when refused.
 */
export class PendingChanges {
  private readonly needs: PendingNeeds;
  /** Changes that cannot wait: sent from here, and lost with this window. */
  readonly guesses: PendingGuesses;
  private readonly own = new Map<string, Own>();
  private readonly intended = new Map<string, Intended>();
  private attended: readonly ReplicaAccount[] = [];
  private told: readonly OutboxEntry[] = [];
  private toldMeanwhile: readonly OutboxEntry[] | undefined;
  private adding: Promise<unknown> = Promise.resolve();
  private addings = 0;
  private following: AbortController | undefined;
  private isDisposed = false;
  /** Whoever asked for them knows; they are about to leave the outbox. */
  private readonly refused = new Set<string>();
  private readonly discarded = new Set<string>();

  constructor(needs: PendingNeeds) {
    this.needs = needs;
    this.guesses = new PendingGuesses(needs.changed, needs.reload);
  }

  /** What waits for servers of people who are signed in, and what they refused when nobody here waited for the answer. */
  get entries(): readonly OutboxEntry[] {
    const awaited = new Set([...this.own.values()].flatMap(({ entries }) => entries.map(({ id }) => id)));
    const isKnown = ({ id, state }: OutboxEntry) => state === 'failed' && (awaited.has(id) || this.refused.has(id));
    return this.told.filter((entry) => this.isOfOurs(entry) && !isKnown(entry));
  }

  applied(key: ProjectKey, backlog: Backlog): Backlog {
    const { drafts, entries, answered } = this.ownOf(key);
    const ids = new Set([...entries, ...answered].map(({ id }) => id));
    const others = this.told.filter(
      (entry) => isOf(entry, key) && entry.state !== 'failed' && !ids.has(entry.id) && this.isOfOurs(entry),
    );
    const inOrder = [...answered, ...entries, ...others].toSorted((one, other) => one.place - other.place);
    const shown: readonly Shown[] = [...inOrder, ...drafts];
    return this.guesses.applied(key, this.withShown(keyText(key), backlog, shown));
  }

  private withShown(text: string, backlog: Backlog, shown: readonly Shown[]): Backlog {
    const last = this.intended.get(text);
    if (last?.backlog === backlog && areSame(last.shown, shown)) return last.result;
    // What comes after one that has to wait waits behind it.
    const waitsFrom = shown.findIndex(({ problem }) => problem);
    const result = shown.reduce((known, { intent, place }, index) => {
      const changed = withIntent(known, intent, place);
      return waitsFrom >= 0 && index >= waitsFrom ? withUnsent(changed, intent.storyId) : changed;
    }, backlog);
    if (shown.length > 0) this.intended.set(text, { backlog, shown, result });
    else this.intended.delete(text);
    return result;
  }

  /** Call before the project is read again; what it returns forgets what the answer then makes needless. */
  beforeReading(key: ProjectKey): () => void {
    const { answered } = this.ownOf(key);
    const forgetGuesses = this.guesses.beforeReading(key);
    return () => {
      forgetGuesses();
      const own = this.ownOf(key);
      own.answered = own.answered.filter((one) => !answered.includes(one));
    };
  }

  /** Sends what waits for the people who are signed in now, and follows what becomes of it. */
  async attend(): Promise<void> {
    const { outbox, accounts } = this.needs;
    this.attended = await accounts();
    await outbox.attend(this.attended);
    this.follow();
  }

  /** Shows intents at once. Resolves when the server has answered, or when they are on disk and have to wait. */
  async submit(key: ProjectKey, account: ReplicaAccount, intents: readonly Intent[]): Promise<Submission> {
    const own = this.ownOf(key);
    const drafts = intents.map((intent, index) => ({
      intent,
      place: Number.MAX_SAFE_INTEGER - intents.length + index,
    }));
    own.drafts = [...own.drafts, ...drafts];
    own.submitting++;
    this.needs.changed(key);
    try {
      const entries = await this.add(own, drafts, { ...account, projectId: key.projectId });
      if (!this.following) await this.attend().catch((thrown: unknown) => this.needs.log.warn(messageOf(thrown)));
      const outcomes = await Promise.all(entries.map(({ id }) => this.outcome(id)));
      this.settle(own, entries, outcomes);
      return submissionOf(outcomes);
    } finally {
      own.submitting--;
      this.needs.changed(key);
      if (own.submitting === 0 && own.isStale) await this.reread(key);
    }
  }

  dispose(): void {
    this.isDisposed = true;
    this.following?.abort();
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

  /** One after the other, so that they are in the outbox in the order in which they were made. */
  private async add(own: Own, drafts: readonly Shown[], project: ReplicaProject): Promise<readonly OutboxEntry[]> {
    const { outbox } = this.needs;
    const intents = drafts.map(({ intent }) => intent);
    const adding = this.adding.then(() => outbox.add(project, intents));
    this.adding = adding.catch(() => undefined);
    this.addings++;
    try {
      const entries = await adding;
      own.entries = [...own.entries, ...entries];
      return entries;
    } finally {
      this.addings--;
      own.drafts = own.drafts.filter((draft) => !drafts.includes(draft));
      if (this.addings === 0 && this.toldMeanwhile) this.take(this.toldMeanwhile);
    }
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

  private settle(own: Own, entries: readonly OutboxEntry[], outcomes: readonly Outcome[]): void {
    const which = (kind: 'sent' | 'failed') => entries.filter((_, index) => outcomes[index]?.kind === kind);
    const [sent, failed] = [which('sent'), which('failed').map(({ id }) => id)];
    own.entries = own.entries.filter((one) => !entries.includes(one));
    own.answered = [...own.answered, ...sent];
    own.isStale ||= sent.length + failed.length > 0;
    const known = new Set(this.told.map(({ id }) => id));
    const waiting = entries.flatMap((entry, index) => {
      const outcome = outcomes[index];
      return outcome?.kind === 'waiting' && !known.has(entry.id) ? [{ ...entry, problem: outcome.problem }] : [];
    });
    this.told = [...this.told.filter(({ id }) => !failed.includes(id)), ...waiting];
    if (failed.length === 0) return;
    // Whoever waits for it is told now, so it need not be kept for being told later.
    for (const id of failed) this.refused.add(id);
    this.needs.outbox.discard(failed).catch((thrown: unknown) => this.needs.log.warn(messageOf(thrown)));
  }

  private follow(): void {
    if (this.following) return;
    const following = new AbortController();
    this.following = following;
    const onChange = (entries: readonly OutboxEntry[]) => {
      if (this.addings > 0) this.toldMeanwhile = entries;
      else this.take(entries);
    };
    this.needs.outbox
      .follow({ onChange, signal: following.signal })
      .catch((thrown: unknown) => this.needs.log.debug(`outbox: ${messageOf(thrown)}`))
      .finally(() => {
        if (this.following === following) this.following = undefined;
        if (!following.signal.aborted) setTimeout(() => this.resume(following.signal), RESUME_MS);
      });
  }

  /** A new engine knows nobody, and sends nothing before it is told. */
  private resume(signal: AbortSignal): void {
    if (this.following || signal.aborted || this.isDisposed) return;
    this.attend().catch((thrown: unknown) => this.needs.log.warn(messageOf(thrown)));
  }

  /** What is gone was taken, by this window or another, or somebody discarded it: reading again tells. */
  private take(entries: readonly OutboxEntry[]): void {
    this.toldMeanwhile = undefined;
    const before = this.told;
    this.told = entries;
    const ids = new Set(entries.map(({ id }) => id));
    const gone = before.filter((entry) => !ids.has(entry.id) && entry.state !== 'failed');
    const keys = new Map([...before, ...entries].map(({ project }) => [keyText(project), project] as const));
    for (const key of keys.values()) {
      const own = this.ownOf(key);
      const awaited = new Set([...own.entries, ...own.answered].map(({ id }) => id));
      const done = gone.filter((entry) => isOf(entry, key) && !awaited.has(entry.id) && !this.discarded.has(entry.id));
      own.answered = [...own.answered, ...done];
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

  private isOfOurs({ project }: OutboxEntry): boolean {
    return this.attended.some(
      ({ accountId, address }) => accountId === project.accountId && address === project.address,
    );
  }

  private ownOf(key: ProjectKey): Own {
    const text = keyText(key);
    const own = this.own.get(text) ?? { drafts: [], entries: [], answered: [], submitting: 0, isStale: false };
    this.own.set(text, own);
    return own;
  }
}

function areSame(ones: readonly Shown[], others: readonly Shown[]): boolean {
  return ones.length === others.length && ones.every((one, index) => isSame(one, others[index]));
}

/** Entries come anew with each telling; what they are to do never changes. */
function isSame(one: Shown, other: Shown | undefined): boolean {
  if (one === other || other === undefined) return one === other;
  return one.id !== undefined && one.id === other.id && !one.problem === !other.problem;
}

function isOf({ project }: OutboxEntry, key: ProjectKey): boolean {
  return project.accountId === key.accountId && project.projectId === key.projectId;
}

function submissionOf(outcomes: readonly Outcome[]): Submission {
  const sent = outcomes.filter((outcome) => outcome.kind === 'sent');
  const waiting = outcomes.find((outcome) => outcome.kind === 'waiting');
  const failed = outcomes.find((outcome) => outcome.kind === 'failed');
  return {
    ...{ sent: sent.length, repeated: sent.filter(({ isRepeated }) => isRepeated).length },
    ...(waiting && { waiting: waiting.problem }),
    ...(failed && { refused: new TrackerError(failed.problem.kind, failed.problem.message) }),
  };
}
