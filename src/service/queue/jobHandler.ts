import type { Job } from '../store/jobs/queues.ts';
import type { JobKind } from '../store/schema.ts';

/**
 * Sends what a job tells of; it may be done twice, when a process is killed in between. Settles soon after `signal` aborts.
 * Throws `DeliveryFailure` when it must be tried again, `Postponement` when it was not tried.
 */
export type JobHandler = (job: Job, signal: AbortSignal) => Promise<void>;

export interface HandledKind {
  readonly kind: JobKind;
  readonly handle: JobHandler;
  /** Of how many queues jobs are under way at once in this process; each queue has one at a time. */
  readonly atOnce: number;
}

/** Why a job could not be done, in a sentence that is kept and shown: without addresses that hold secrets, tokens or bodies. */
export class DeliveryFailure extends Error {
  override readonly name = 'DeliveryFailure';
  /** Trying again will not help: the job is parked at once. */
  readonly isFinal: boolean;
  /** Milliseconds that the receiver asked to be left alone for. */
  readonly restFor: number;

  constructor(
    sentence: string,
    { isFinal = false, restFor = 0, cause }: { isFinal?: boolean; restFor?: number; cause?: unknown } = {},
  ) {
    super(sentence, { cause });
    this.isFinal = isFinal;
    this.restFor = restFor;
  }
}

/** What may be kept of any failure; the words of an unexpected one are not ours and may name anything. */
export function keptSentence(error: unknown): string {
  if (error instanceof DeliveryFailure) return error.message.slice(0, 500);
  const name = error instanceof Error ? error.name : typeof error;
  const code = error instanceof Error && 'code' in error ? ` ${String(error.code)}` : '';
  return `It failed unexpectedly (${name}${code}).`;
}

/** A handler cannot begin a job yet, through no fault of its receiver: it is tried again soon, as if it had not been. */
export class Postponement extends Error {
  override readonly name = 'Postponement';
  /** Milliseconds. */
  readonly pause: number;

  constructor(pause: number) {
    super('Others are before it.');
    this.pause = pause;
  }
}
