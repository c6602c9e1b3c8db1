import { messageOf, TrackerError } from '../../core/errors.ts';
import { type CheckProgress, type CheckStep, type CheckStepName, checkStepNames } from '../../core/ports/connection.ts';
import { type ConnectionCheck, ConnectionWalk, SkippedStep } from './connectionWalk.ts';
import { mendFor } from './mendFor.ts';

/**
 * Walks from the address of a server to its projects and says what came of each step; the first that fails is the last. What
 * requests go through is what is walked. Throws `TrackerError` `cancelled`, nothing else.
 */
export async function checkConnection(
  check: ConnectionCheck,
  { onStep, signal }: CheckProgress = {},
): Promise<readonly CheckStep[]> {
  const walk = new ConnectionWalk(check, signal);
  const steps: CheckStep[] = [];
  try {
    for (const name of checkStepNames) {
      const step = await outcomeOf(name, walk);
      if (signal?.aborted) throw new TrackerError('cancelled', 'Cancelled.');
      steps.push(step);
      onStep?.(step);
      if (step.outcome === 'failed') break;
    }
  } finally {
    await walk.close();
  }
  return steps;
}

async function outcomeOf(name: CheckStepName, walk: ConnectionWalk): Promise<CheckStep> {
  try {
    return { name, outcome: 'passed', detail: await walk[name]() };
  } catch (thrown) {
    if (thrown instanceof SkippedStep) return { name, outcome: 'skipped', detail: thrown.message };
    const mend = mendFor(name, thrown, walk.hasProxy);
    return { name, outcome: 'failed', detail: messageOf(thrown), ...(mend ? { mend } : {}) };
  }
}
