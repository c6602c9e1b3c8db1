import { isCancelled } from '../../../core/errors.ts';
import { candidatesOf, type Offered } from './candidate.ts';
import type { Caller, Prepared, PrepareNeeds, Wishes } from './preparing.ts';
import { withFolders } from './withFolders.ts';
import { withinLimit } from './withinLimit.ts';
import { withoutEmpty } from './withoutEmpty.ts';
import { withoutSecrets } from './withoutSecrets.ts';
import { zipped } from './zipped.ts';

/** What of the things offered is to be sent, after all questions about them; `undefined` when the person turned away. */
export async function prepared(
  needs: PrepareNeeds,
  offered: readonly Offered[],
  caller: Caller,
  wishes: Wishes = {},
): Promise<Prepared | undefined> {
  try {
    const candidates = await candidatesOf(offered);
    const steps = [
      (now: Prepared) => withFolders(needs, candidates, now, caller, wishes),
      async (now: Prepared) => withinLimit(now),
      (now: Prepared) => withoutEmpty(needs.messages, now, caller, wishes),
      (now: Prepared) => withoutSecrets(needs, now, caller, wishes),
      (now: Prepared) => zipped(needs.outgoing, now),
    ];
    let now: Prepared | undefined = {
      files: candidates.filter((one) => one.kind === 'ready'),
      leftOut: candidates.flatMap((one) => (one.kind === 'unusable' ? [one.sentence] : [])),
      unread: candidates.flatMap((one) => (one.kind === 'unusable' && one.uri ? [one.uri] : [])),
      allowed: wishes.allowed ?? new Set(),
    };
    for (const step of steps) now = now && (await step(now));
    return now;
  } catch (thrown) {
    if (caller === 'person' && isCancelled(thrown)) return undefined;
    throw thrown;
  }
}
