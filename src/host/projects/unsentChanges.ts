import type { Backlog } from '../../core/backlog/backlog.ts';
import type { Intent } from '../../core/intents/intent.ts';
import { showsPlace } from '../../core/intents/intentRules.ts';
import type { OutboxEntry, Outcome } from '../../core/outbox/outbox.ts';
import { type UnsentIntent, withUnsentIntents } from '../../core/outbox/withUnsentIntents.ts';
import type { ReplicaAccount } from '../../core/replica/replica.ts';
import { isSameProject, keyText, type ProjectKey } from '../../core/story/projectKey.ts';

interface Intended {
  readonly backlog: Backlog;
  readonly unsent: readonly UnsentIntent[];
  readonly result: Backlog;
}

/** Backlogs with what is unsent on them, made once for as long as neither becomes another: they are asked for far more often. */
class IntendedBacklogs {
  private readonly made = new Map<string, Intended>();

  withUnsent(key: ProjectKey, backlog: Backlog, unsent: readonly UnsentIntent[]): Backlog {
    const text = keyText(key);
    const last = this.made.get(text);
    if (last?.backlog === backlog && areSame(last.unsent, unsent)) return last.result;
    const result = withUnsentIntents(backlog, unsent);
    if (unsent.length > 0) this.made.set(text, { backlog, unsent, result });
    else this.made.delete(text);
    return result;
  }
}

function areSame(ones: readonly UnsentIntent[], others: readonly UnsentIntent[]): boolean {
  return ones.length === others.length && ones.every((one, index) => isSame(one, others[index]));
}

/** What a draft looks like as an entry of the outbox, unless its place shows, as in the number of a new comment. */
function isSameDraft({ intent }: UnsentIntent, entry: UnsentIntent): boolean {
  return !showsPlace(intent) && JSON.stringify(intent) === JSON.stringify(entry.intent);
}

/** Entries come anew with each telling; what they are to do never changes. A commit shows how far it is. */
function isSame(one: UnsentIntent, other: UnsentIntent | undefined): boolean {
  if (one === other || other === undefined) return one === other;
  if (!one.problem !== !other.problem) return false;
  if (one.id === undefined) return isSameDraft(one, other);
  if (one.id !== other.id) return false;
  return one.intent.kind !== 'link' || (one.state === other.state && one.problem?.message === other.problem?.message);
}

export type RemovalKind = 'deleteStory' | 'moveToProject';

function isRemoval(intent: Intent): intent is Intent<RemovalKind> {
  return intent.kind === 'deleteStory' || intent.kind === 'moveToProject';
}

/** What the outbox told of a project. */
interface ToldProject {
  readonly key: ProjectKey;
  /** Something is gone that nobody here waited for or discarded: a server has taken it. */
  readonly isTaken: boolean;
}

/** The changes that are under way, as far as this window knows, and how backlogs look with them. Asks nobody. */
export class UnsentChanges {
  /** Whoever is signed in; nothing of others is shown. */
  attended: readonly ReplicaAccount[] = [];
  private readonly intended = new IntendedBacklogs();
  private readonly own = new Map<string, OwnChanges>();
  private told: readonly OutboxEntry[] = [];
  /** Whoever asked for them knows; they are about to leave the outbox. */
  private readonly refused = new Set<string>();
  private readonly discarded = new Set<string>();

  /** What waits for servers of people who are signed in, and what they refused when nobody here waited for the answer. */
  get entries(): readonly OutboxEntry[] {
    const awaited = new Set([...this.own.values()].flatMap((own) => own.awaited.map(({ id }) => id)));
    const isKnown = ({ id, state }: OutboxEntry) => state === 'failed' && (awaited.has(id) || this.refused.has(id));
    return this.told.filter((entry) => this.isOfOurs(entry) && !isKnown(entry));
  }

  applied(key: ProjectKey, backlog: Backlog): Backlog {
    return this.intended.withUnsent(key, backlog, this.shownIn(key));
  }

  /** What is to be done, or was done since the project was read, that takes a story off it. */
  removalOf(key: ProjectKey, storyId: number): RemovalKind | undefined {
    return this.shownIn(key)
      .flatMap(({ intent }) => (intent.storyId === storyId && isRemoval(intent) ? intent.kind : []))
      .at(-1);
  }

  private shownIn(key: ProjectKey): readonly UnsentIntent[] {
    const own = this.ownOf(key);
    const { ids } = own;
    const others = this.told.filter(
      (entry) => isSameProject(entry.project, key) && isShown(entry) && !ids.has(entry.id) && this.isOfOurs(entry),
    );
    return own.shownWith(others, this.told);
  }

  /** Call before the project is read again; what it returns forgets what the answer then makes needless. */
  beforeReading(key: ProjectKey): () => void {
    return this.ownOf(key).beforeReading();
  }

  ownOf(key: ProjectKey): OwnChanges {
    const text = keyText(key);
    const own = this.own.get(text) ?? new OwnChanges();
    this.own.set(text, own);
    return own;
  }

  /** What will leave the outbox because someone here wants it to: no server has taken it then. */
  markDiscarded(ids: readonly string[]): void {
    for (const id of ids) this.discarded.add(id);
  }

  /** It stays all the same. */
  unmarkDiscarded(ids: readonly string[]): void {
    for (const id of ids) this.discarded.delete(id);
  }

  /** Takes over what became of entries that someone here waited for; returns the ids that the outbox need not keep. */
  takeOutcomes(key: ProjectKey, entries: readonly OutboxEntry[], outcomes: readonly Outcome[]): readonly string[] {
    const own = this.ownOf(key);
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
    for (const id of failed) this.refused.add(id);
    return failed;
  }

  /** Takes over what the outbox has now; what is gone was taken, by this window or another, or someone discarded it. */
  update(entries: readonly OutboxEntry[]): readonly ToldProject[] {
    const before = this.told;
    this.told = entries;
    const ids = new Set(entries.map(({ id }) => id));
    const gone = before.filter((entry) => !ids.has(entry.id) && entry.state !== 'failed');
    const keys = new Map([...before, ...entries].map(({ project }) => [keyText(project), project] as const));
    return [...keys.values()].map((key) => {
      const own = this.ownOf(key);
      const known = own.ids;
      const taken = gone.filter(
        (entry) => isSameProject(entry.project, key) && !known.has(entry.id) && !this.discarded.has(entry.id),
      );
      own.addAnswered(taken);
      return { key, isTaken: taken.length > 0 };
    });
  }

  /** Is it for a server that someone is signed in to? */
  private isOfOurs({ project }: OutboxEntry): boolean {
    return this.attended.some(
      ({ accountId, address }) => accountId === project.accountId && address === project.address,
    );
  }
}

/** What was refused is taken back, but for commits: nobody would see that they are missing. */
function isShown({ state, intent }: OutboxEntry): boolean {
  return state !== 'failed' || intent.kind === 'link';
}

/** Changes of one project in this window, from when they are made until the project has been read after they were answered. */
export class OwnChanges {
  /** How many submissions nobody has been told the outcome of. */
  submitting = 0;
  /** Something was answered since the project was read. */
  isStale = false;
  /** On their way into the outbox. */
  private drafts: readonly UnsentIntent[] = [];
  /** Changes whose outcome someone in this window waits for. */
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

  /** As `UnsentChanges.beforeReading`. */
  beforeReading(): () => void {
    const { answered } = this;
    return () => {
      this.answered = this.answered.filter((one) => !answered.includes(one));
    };
  }
}
