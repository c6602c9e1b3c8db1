import type { Job, JobKind } from '../store/jobs/job.ts';

/**
 * Sends what a job tells of; it may be done twice, when a process is killed in between. Settles soon after `signal` aborts.
 * Throws `DeliveryFailure` when it has to be tried again, `Postponement` when it was not tried.
 */
export type JobHandler = (job: Job, signal: AbortSignal) => Promise<void>;

export interface HandledKind {
  readonly kind: JobKind;
  readonly handle: JobHandler;
  /** Of how many queues jobs are under way at once in this process; each queue has one at a time. */
  readonly atOnce: number;
}
