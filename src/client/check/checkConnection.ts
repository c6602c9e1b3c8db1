import { messageOf, TrackerError } from '../../core/errors.ts';
import {
  type CheckMend,
  type CheckProgress,
  type CheckStep,
  type CheckStepName,
  checkStepNames,
} from '../../core/ports/connection.ts';
import { codeOf } from '../network/networkError.ts';
import { type ConnectionCheck, ConnectionWalk, SkippedStep } from './connectionWalk.ts';

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
    const mend = suggestedFix(name, thrown, walk.hasProxy);
    return { name, outcome: 'failed', detail: messageOf(thrown), ...(mend ? { mend } : {}) };
  }
}

/** The setting, or the sign-in, that mends a step which failed so; none where only the server's operator can. */
function suggestedFix(step: CheckStepName, error: unknown, hasProxy: boolean): CheckMend | undefined {
  const said = error instanceof TrackerError ? error.message : '';
  if (said.includes('storyTracker.extraCertificates')) return 'storyTracker.extraCertificates';
  if (said.includes('storyTracker.tokenHeader')) return 'storyTracker.tokenHeader';
  if (step === 'proxy') return said.includes('http.noProxy') ? 'http.noProxy' : 'http.proxy';
  if (step === 'tls') return codeOf(error) === 'CERT_HAS_EXPIRED' ? undefined : 'signIn';
  if (step === 'address') return said.includes('proxy') ? 'http.proxy' : 'signIn';
  if (step === 'dns') return hasProxy ? 'http.proxy' : 'signIn';
  // Silence is what networks with a proxy give to those who go around it; a refusal comes from the address itself.
  if (step === 'tcp') return hasProxy || codeOf(error) !== 'ECONNREFUSED' ? 'http.proxy' : 'signIn';
  return 'signIn';
}
