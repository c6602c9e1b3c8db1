import { setTimeout as wait } from 'node:timers/promises';
import type { ServiceLog } from '../ground/background.ts';
import { believed } from '../ground/moments.ts';
import type { Database } from '../store/database.ts';
import {
  type ClaimedJob,
  failJob,
  finishJob,
  freeJob,
  LONGEST_PAUSE,
  postponeJob,
  renewLease,
} from '../store/jobs/claimedJobs.ts';
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

const FIRST_PAUSE = 1_000;
const DAY = 24 * 60 * 60 * 1000;

interface Failing {
  readonly now: number;
  /** How often the queue has failed in a row, this time included. */
  readonly failures: number;
  /** When the queue began to fail; later by the time in which it was not tried. */
  readonly failingSince: number;
  /** When the job was queued, or was last asked for again. */
  readonly queuedAt: number;
  /** Milliseconds that the receiver asked for. */
  readonly restFor: number;
}

/**
 * When a job that failed is due again, or `parked` once job and queue have had their day (protocol.md, Web hooks). The pause doubles,
 * and `random`, from 0 to 1, takes away up to half of it, so that many do not come back at once. The last attempt is at the day's end.
 */
export function nextAttempt(failing: Failing, random: number): number | 'parked' {
  const { now, failures, failingSince, queuedAt, restFor } = failing;
  const end = Math.max(believed(failingSince, now), believed(queuedAt, now)) + DAY;
  if (now >= end) return 'parked';
  const pause = Math.min(FIRST_PAUSE * 2 ** Math.min(failures - 1, 30), LONGEST_PAUSE);
  return Math.min(now + Math.max(Math.round(pause * (1 - random / 2)), Math.min(restFor, LONGEST_PAUSE)), end);
}
