import type { Intent } from '../../core/intents/intent.ts';
import type { OutboxEntry } from '../../core/outbox/outbox.ts';
import type { UnsentIntent } from '../../core/outbox/withUnsentIntents.ts';

/** Changes of one project in this window, from when they are made until the project has been read after they were answered. */
export class OwnChanges {
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
