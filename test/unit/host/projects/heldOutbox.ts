import { setImmediate } from 'node:timers/promises';
import { TrackerError } from '../../../../src/core/errors.ts';
import type { Intent } from '../../../../src/core/intents/intent.ts';
import type { Outbox, OutboxEntry, OutboxFollowing, Outcome } from '../../../../src/core/outbox/outbox.ts';
import type { ReplicaProject } from '../../../../src/core/replica/replica.ts';

/** An outbox that a test answers for. */
export class HeldOutbox implements Outbox {
  held: OutboxEntry[] = [];
  discarded: string[] = [];
  attended = 0;
  retried: (readonly string[] | undefined)[] = [];
  /** Of whoever follows it. */
  signal: AbortSignal | undefined;
  /** The engine ends, and with it what it was asked. */
  end: () => void = () => undefined;
  private readonly answers = new Map<string, (outcome: Outcome) => void>();
  private tellWindow: (entries: readonly OutboxEntry[]) => void = () => undefined;
  private place = 0;

  async add(project: ReplicaProject, intents: readonly Intent[]): Promise<readonly OutboxEntry[]> {
    const added = intents.map((intent) => this.entry(project, intent));
    this.held = [...this.held, ...added];
    this.tell();
    return added;
  }

  entry(project: ReplicaProject, intent: Intent): OutboxEntry {
    const place = ++this.place;
    return { id: `e${place}`, place, project, intent, state: 'waiting', addedAt: 0, attempts: 0 };
  }

  outcome(id: string): Promise<Outcome> {
    return new Promise((resolve) => this.answers.set(id, resolve));
  }

  /** What becomes of an entry; it stays when it has to wait. */
  async settle(id: string, outcome: Outcome): Promise<void> {
    if (outcome.kind === 'waiting')
      this.held = this.held.map((one) => (one.id === id ? { ...one, problem: outcome.problem } : one));
    else this.held = this.held.filter((one) => one.id !== id);
    this.tell();
    this.answers.get(id)?.(outcome);
    for (let times = 0; times < 3; times++) await setImmediate();
  }

  tell(): void {
    this.tellWindow([...this.held]);
  }

  async entries(): Promise<readonly OutboxEntry[]> {
    return this.held;
  }

  async retry(ids?: readonly string[]): Promise<void> {
    this.retried.push(ids);
  }

  async discard(ids: readonly string[]): Promise<void> {
    this.discarded.push(...ids);
  }

  async withdraw(ids: readonly string[]): Promise<boolean> {
    await this.discard(ids);
    return true;
  }

  async attend(): Promise<void> {
    this.attended++;
  }

  follow({ onChange, signal }: OutboxFollowing): Promise<void> {
    this.tellWindow = onChange;
    this.signal = signal;
    this.tell();
    return new Promise((_, reject) => {
      this.end = () => reject(new TrackerError('unreachable', 'The connection was interrupted.'));
    });
  }
}
