import { TrackerError, type TrackerErrorKind } from '../../../../src/core/errors.ts';
import type { Tracker } from '../../../../src/core/ports/tracker.ts';
import type { Seeded } from '../../../support/measures/seeded.ts';
import { answerOf, fakeTracker, type TrackerCall } from '../../../support/trackers/fakeTracker.ts';
import { noConnection } from '../../../support/trackers/outboxServer.ts';
import type { Schedule } from './schedule.ts';
import type { SimServer } from './simServer.ts';
import type { Trace } from './trace.ts';

/** The client's deadline for one request. */
const DEADLINE_MS = 30_000;

export interface NetworkNeeds {
  readonly schedule: Schedule;
  readonly chance: Seeded;
  readonly trace: Trace;
  readonly server: SimServer;
  /** One request in so many meets with an accident; 0 for none. */
  readonly accidents: number;
  /** A write may reach the server after its sender has given it up. */
  readonly isLate: boolean;
  /** Every other write is on its way for seconds. */
  readonly isSlow: boolean;
}

/** Who sends; an answer to a killed process goes nowhere. */
export interface Sender {
  readonly name: string;
  /** Resolves when the process runs, never in one that was killed. */
  alive(): Promise<void>;
  /** The ids of what its outbox has that the server failed at again and again. */
  stuckEntries(): ReadonlySet<string>;
}

type Accident = 'lost' | 'late' | 'answerLost' | 'cut' | 'slow' | 'slowThere' | 'busy' | 'broken';

/** How long a request may be on its way; less than a window waits before it takes over from another. */
const SLOW_THERE_MS = 6_000;
/** How long a request may wait for its token and its connection. */
const PREPARED_MS = 300;

/** The way between the windows and the server, as bad as chance wants it until it is healed. */
export class SimNetwork {
  private readonly needs: NetworkNeeds;
  private isHealed = false;
  /** Every write that the server did, in its order. */
  readonly taken: string[] = [];
  /** Of each of them, what was stuck in its sender's outbox when that sent it. */
  readonly stuck: ReadonlySet<string>[] = [];
  /** Times before which nothing gets through, the server is overloaded, or the token is not known. */
  offlineUntil = 0;
  busyUntil = 0;
  deniedUntil = 0;

  constructor(needs: NetworkNeeds) {
    this.needs = needs;
  }

  heal(): void {
    this.isHealed = true;
    this.offlineUntil = this.busyUntil = this.deniedUntil = 0;
  }

  tracker(sender: Sender): Tracker {
    return fakeTracker((call) => unlessCancelled(this.call(sender, call), call.options?.signal));
  }

  private async call(sender: Sender, call: TrackerCall): Promise<unknown> {
    const { method, args, options } = call;
    const { schedule, chance, trace } = this.needs;
    const what = `${method} ${JSON.stringify(args).slice(1, -1)}`;
    await schedule.wait(chance.below(PREPARED_MS));
    await sender.alive();
    const mayGo = !options?.signal?.aborted && (!isWrite(method) || options?.mayGo?.() !== false);
    if (!mayGo) {
      trace.say(`${sender.name} does not send ${what} any more`);
      throw new TrackerError('cancelled', 'Given up by the sender.');
    }
    trace.say(`${sender.name} > ${what}`);
    const sentAt = schedule.now;
    const stuck = isWrite(method) ? sender.stuckEntries() : NONE;
    try {
      const answer = await this.sent(call, stuck);
      await this.heard(sender, answer.delay);
      if ('error' in answer) throw answer.error;
      trace.say(`${sender.name} < ${what}`);
      return answer.value;
    } catch (thrown) {
      const error = thrown instanceof TrackerError ? thrown : new Error('The model server failed.', { cause: thrown });
      if (error instanceof TrackerError && error.kind === 'timeout') {
        await this.heard(sender, sentAt + DEADLINE_MS - schedule.now);
      }
      trace.say(`${sender.name} ! ${what}: ${error instanceof TrackerError ? error.kind : String(thrown)}`);
      throw error;
    }
  }

  private async sent(call: TrackerCall, stuck: ReadonlySet<string>): Promise<Answer> {
    const { schedule, chance } = this.needs;
    const accident = this.accident(call.method);
    await schedule.wait(5 + chance.below(accident === 'slowThere' ? SLOW_THERE_MS : 200));
    const back = 5 + chance.below(accident === 'slow' ? 25_000 : 200);
    if (schedule.now < this.offlineUntil) {
      return schedule.now % 2 === 0 ? failed('unreachable', back) : { delay: back, error: noConnection() };
    }
    if (accident === 'lost') return failed('timeout', DEADLINE_MS);
    if (accident === 'late') {
      schedule.after(DEADLINE_MS + chance.below(3000), () => void this.applied(call, stuck));
      return failed('timeout', DEADLINE_MS);
    }
    if (accident === 'busy' || schedule.now < this.busyUntil) {
      return failed('busy', back, chance.chance(2) ? 1000 + chance.below(20_000) : undefined);
    }
    if (accident === 'broken') return failed('server', back);
    if (schedule.now < this.deniedUntil) return failed('unauthorized', back);
    const answer = this.applied(call, stuck);
    if (accident === 'answerLost') return failed('timeout', DEADLINE_MS);
    if (accident === 'cut') return failed('unreachable', back);
    return { ...answer, delay: back };
  }

  private applied(call: TrackerCall, stuck: ReadonlySet<string>): { value: unknown } | { error: unknown } {
    const { server, schedule } = this.needs;
    server.now = schedule.now;
    try {
      const value = answerOf(server, call);
      if (isWrite(call.method)) this.note(call, stuck);
      return { value };
    } catch (error) {
      return { error };
    }
  }

  private note({ method, args }: TrackerCall, stuck: ReadonlySet<string>): void {
    const what = `${method} ${JSON.stringify(args).slice(1, -1)}`;
    this.taken.push(what);
    this.stuck.push(stuck);
    this.needs.trace.say(`server took ${what}`);
  }

  private accident(method: keyof Tracker): Accident | undefined {
    const { chance, accidents, isLate, isSlow } = this.needs;
    if (isSlow && isWrite(method) && !this.isHealed && chance.chance(2)) return 'slowThere';
    if (this.isHealed || accidents === 0 || !chance.chance(accidents)) return undefined;
    const all: readonly Accident[] = [
      ...(['lost', 'answerLost', 'answerLost', 'cut', 'slow', 'slow', 'slowThere', 'slowThere'] as const),
      ...(['busy', 'broken'] as const),
    ];
    return chance.of(isLate ? [...all, 'late'] : all);
  }

  private async heard(sender: Sender, delay: number): Promise<void> {
    await this.needs.schedule.wait(delay);
    await sender.alive();
  }
}

type Answer = { readonly delay: number } & ({ readonly value: unknown } | { readonly error: unknown });

const NONE: ReadonlySet<string> = new Set();

/** What servers that are there answer with. */
const STATUSES: Partial<Record<TrackerErrorKind, number>> = { busy: 503, server: 500, unauthorized: 401 };

function failed(kind: TrackerErrorKind, delay: number, retryAfter?: number): Answer {
  const status = STATUSES[kind];
  const details = { ...(status !== undefined && { status }), ...(retryAfter !== undefined && { retryAfter }) };
  const error = new TrackerError(kind, `The network is ${kind}.`, details);
  return { delay: kind === 'timeout' ? 0 : delay, error };
}

function isWrite(method: keyof Tracker): boolean {
  return !/^(?:list|get|current)/.test(method);
}

/** What was sent goes its way; only its sender hears no more of it. */
function unlessCancelled<T>(call: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return call;
  const cancelled = new Promise<never>((_, reject) => {
    const end = () => reject(new TrackerError('cancelled', 'Given up by the sender.'));
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });
  return Promise.race([call, cancelled]);
}
