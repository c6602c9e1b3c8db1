import { setTimeout as sleep } from 'node:timers/promises';
import type { Backlogs } from '../projects/backlogs.ts';

/**
 * What became of a new story that was to leave the outbox: it did · it had been sent by then · its server may have it, though it
 * never said so · it is still being sent.
 */
type Withdrawal = 'withdrawn' | 'sent' | 'heard' | 'sending';

/** Milliseconds after which the entry is looked at again. */
const LOOK_MS = 50;
/** Milliseconds in which what is known of an entry comes to be as it is. */
const SETTLE_MS = 500;
/** Milliseconds for which an attempt that is under way is waited for. */
const PATIENCE_MS = 5_000;

/** Takes a story that no server has out of the outbox, unless one may have heard of it. While it is being tried, that is waited for. */
export async function withdrawUnsent(
  backlogs: Pick<Backlogs, 'unsent' | 'withdraw'>,
  storyId: number,
  patience = PATIENCE_MS,
): Promise<Withdrawal> {
  let tried: string | undefined;
  let triedAt = 0;
  for (let waited = 0; ; waited += LOOK_MS) {
    const entry = backlogs.unsent.find(({ intent }) => intent.kind === 'newStory' && intent.storyId === storyId);
    if (!entry) return 'sent';
    const isSending = entry.state === 'sending';
    const attempt = `${entry.state} ${entry.attempts}`;
    if (!isSending && attempt !== tried) {
      [tried, triedAt] = [attempt, waited];
      if (await backlogs.withdraw([entry.id])) return 'withdrawn';
    }
    if (!isSending && waited - triedAt >= SETTLE_MS) return 'heard';
    if (waited >= patience) return 'sending';
    await sleep(LOOK_MS);
  }
}
