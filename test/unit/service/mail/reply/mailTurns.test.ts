import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { MailTurns } from '../../../../../src/service/mail/reply/mailTurns.ts';

describe('turns of mails', () => {
  it('come one after the other, and to each sender before anyone has a second one', async () => {
    const turns = new MailTurns();
    const begun: string[] = [];
    let atOnce = 0;
    const take = (sender: string): Promise<void> =>
      turns.take(sender, async () => {
        atOnce += 1;
        begun.push(sender);
        assert.equal(atOnce, 1);
        await turn();
        atOnce -= 1;
      });
    await Promise.all(['ben', 'ben', 'ben', 'ben', 'ada', 'cleo', 'ada'].map(take));
    assert.deepEqual(begun, ['ben', 'ben', 'ada', 'cleo', 'ben', 'ada', 'ben']);
  });

  it('go on after a failure', async () => {
    const turns = new MailTurns();
    const failed = turns.take('ben', () => Promise.reject(new Error('broken')));
    const next = turns.take('ben', async () => 'next');
    await assert.rejects(failed, /broken/);
    assert.equal(await next, 'next');
    assert.equal(await turns.take('ada', async () => 'later'), 'later');
  });
});
