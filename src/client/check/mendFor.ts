import { TrackerError } from '../../core/errors.ts';
import type { CheckMend, CheckStepName } from '../../core/ports/connection.ts';
import { codeOf } from '../network/networkError.ts';

/** The setting, or the sign-in, that mends a step which failed so; none where only the server's operator can. */
export function mendFor(step: CheckStepName, error: unknown, hasProxy: boolean): CheckMend | undefined {
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
