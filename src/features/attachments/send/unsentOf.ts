import type { Offered, Ready } from '../prepare/candidate.ts';

/** What was made only to be sent and is not sent, as when the person turned away. */
export function unsentOf(offered: readonly Offered[], sent: readonly Ready[]): readonly Ready[] {
  return offered.filter(isMade).filter((one) => !sent.includes(one));
}

function isMade(offered: Offered): offered is Ready {
  return 'discard' in offered;
}
