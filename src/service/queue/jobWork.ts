import { setTimeout as wait } from 'node:timers/promises';
import { nextAttempt } from '../ground/attemptTimes.ts';
import type { ServiceLog } from '../ground/background.ts';
import type { Database } from '../store/database.ts';
import { type ClaimedJob, failJob, finishJob, freeJob, postponeJob, renewLease } from '../store/jobs/claimedJobs.ts';
import { DeliveryFailure, type JobHandler, keptSentence, Postponement } from './jobHandler.ts';

export interface JobWorkNeeds {
  readonly database: Database;
  readonly log: ServiceLog;
  readonly clock: () => number;
  /** Milliseconds after which others may take what this process held, should it say nothing more. */
  readonly lease: number;
  /** From 0 to 1. */
  readonly random: () => number;
}

/** Does one claimed job and writes down what came of it; when `breakOff` aborts it is left for later as it was. */
export async function doJob(
  needs: JobWorkNeeds,
  handle: JobHandler,
  claimed: ClaimedJob,
  breakOff: AbortSignal,
): Promise<void> {
  const { database, clock } = needs;
  const lost = new AbortController();
  const over = new AbortController();
  const holding = hold(needs, claimed, lost, over.signal);
  try {
    await handle(claimed.job, AbortSignal.any([breakOff, lost.signal]));
  } catch (error) {
    if (breakOff.aborted) await freeJob(database, claimed);
    else if (error instanceof Postponement) await postponeJob(database, claimed, clock() + error.pause);
    else await failed(needs, claimed, error);
    return;
  } finally {
    over.abort();
    await holding;
  }
  await finishJob(database, claimed, clock());
}

/** Renews the lease while the work goes on, and breaks the work off when others have it now. */
async function hold(
  { database, clock, lease }: JobWorkNeeds,
  claimed: ClaimedJob,
  lost: AbortController,
  over: AbortSignal,
): Promise<void> {
  for (;;) {
    await wait(lease / 3, undefined, { signal: over }).catch(() => undefined);
    if (over.aborted) return;
    const isOurs = await renewLease(database, claimed, { now: clock(), lease }).catch(() => true);
    if (!isOurs) return lost.abort();
  }
}

async function failed(needs: JobWorkNeeds, claimed: ClaimedJob, error: unknown): Promise<void> {
  const { database, clock, random, log } = needs;
  const { kind, key, deliveryId, queuedAt } = claimed.job;
  const now = clock();
  const failures = claimed.failures + 1;
  const failingSince = claimed.failingSince ?? now;
  const { isFinal = false, restFor = 0 } = error instanceof DeliveryFailure ? error : {};
  const dueAt = isFinal ? 'parked' : nextAttempt({ now, failures, failingSince, queuedAt, restFor }, random());
  const sentence = keptSentence(error);
  if (!(await failJob(database, claimed, { sentence, now, failingSince, dueAt }))) return;
  const told = { kind, key, delivery: deliveryId, failures, message: sentence };
  if (dueAt === 'parked') log({ event: 'deliveryParked', ...told });
  else log({ event: 'deliveryFailed', ...told, again: new Date(dueAt).toISOString() });
}
