import assert from 'node:assert/strict';
import { TrackerError } from '../../../../../src/core/errors.ts';
import { whenNotBusy } from '../../../../../src/features/attachments/send/whenNotBusy.ts';

describe('whenNotBusy', () => {
  const busy = (retryAfter?: number) =>
    new TrackerError('busy', 'Busy.', { status: 429, ...(retryAfter !== undefined && { retryAfter }) });

  /** Sends what answers so, one after the other; gives what came of it, how often it was sent, and the pauses. */
  async function sent(answers: readonly (string | Error)[], isSafe = true) {
    let times = 0;
    const pauses: number[] = [];
    const wait = async (pause: number) => void pauses.push(pause);
    const send = async () => {
      const answer = answers[Math.min(times++, answers.length - 1)];
      if (answer instanceof Error) throw answer;
      return answer;
    };
    const result = await whenNotBusy(send, { wait, isSafe: async () => isSafe }).catch(String);
    return { result, times, pauses };
  }

  it('sends again after as long as the server says', async () => {
    assert.deepEqual(await sent([busy(2000), busy(0), 'taken']), { result: 'taken', times: 3, pauses: [2000, 0] });
  });

  it('tells the person once it has been busy for long', async () => {
    const { result, times } = await sent([busy(1)]);
    assert.deepEqual([result, times], ['TrackerError: Busy.', 5]);
  });

  it('tries nothing again that the server may have taken, or does not want soon', async () => {
    assert.equal((await sent([busy(1), 'taken'], false)).times, 1);
    assert.equal((await sent([busy(), 'taken'])).times, 1);
    assert.equal((await sent([busy(61_000), 'taken'])).times, 1);
    assert.equal((await sent([new TrackerError('server', 'Failed.', { retryAfter: 1 }), 'taken'])).times, 1);
    assert.equal((await sent([new Error('else'), 'taken'])).times, 1);
  });
});
