import assert from 'node:assert/strict';
import type { Intent } from '../../../../src/core/intents/intent.ts';
import { OutboxMachine } from '../../../support/replica/outboxMachine.ts';
import { type OutboxWindow, project } from '../../../support/replica/outboxWindow.ts';
import type { SteppedClock } from '../../../support/replica/steppedClock.ts';
import type { Fate, OutboxServer } from '../../../support/trackers/outboxServer.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const comment = (text: string): Intent => ({ kind: 'comment', storyId: 11, text });

describe('The outbox, whatever clocks say', () => {
  let machine: OutboxMachine;
  let server: OutboxServer;
  let clock: SteppedClock;

  beforeEach(async () => {
    machine = await OutboxMachine.start();
    ({ server, clock } = machine);
  });
  afterEach(() => machine.remove());

  /** The fate of the first write; all else is answered. */
  const firstWrite = (fate: Fate) => {
    const rest = [fate];
    server.fate = (method) => (/^(get|list|current)/.test(method) ? undefined : rest.shift()) ?? { kind: 'answered' };
  };

  /** Two windows; the request of the first is on its way, for some seconds more, and the second waits for its turn. */
  async function underWay(milliseconds = 4 * SECOND): Promise<readonly [OutboxWindow, OutboxWindow]> {
    const windows = [await machine.open(), await machine.open()] as const;
    firstWrite({ kind: 'arrivesLate', wait: () => clock.wait(milliseconds) });
    await windows[0].outbox.add(project, [comment('A')]);
    await clock.advance(SECOND / 2);
    await windows[1].outbox.add(project, [comment('B')]);
    await clock.advance(SECOND / 2);
    return windows;
  }

  async function assertOnce([one, other]: readonly [OutboxWindow, OutboxWindow]): Promise<void> {
    await clock.advance(2 * MINUTE);
    assert.deepEqual(server.texts(11), ['A', 'B']);
    assert.deepEqual([await one.outbox.entries(), await other.outbox.entries()], [[], []]);
  }

  const upheavals: Readonly<Record<string, () => void>> = {
    'the machine slept for a minute': () => clock.sleep(MINUTE),
    'the machine slept for a night': () => clock.sleep(8 * HOUR),
    'the clock was set a minute ahead': () => clock.setBack(-MINUTE),
    'the clock was set two days ahead': () => clock.setBack(-48 * HOUR),
    'the clock was set a minute back': () => clock.setBack(MINUTE),
    'the clock was set an hour back': () => clock.setBack(HOUR),
    'the clock was set two days back': () => clock.setBack(48 * HOUR),
  };
  for (const [what, upheave] of Object.entries(upheavals)) {
    it(`sends once what is under way when ${what}`, async () => {
      const windows = await underWay();
      upheave();
      await assertOnce(windows);
    });

    it(`is taken over soon from a window that was killed before ${what}`, async () => {
      const [one] = await underWay();
      one.kill();
      upheave();
      await clock.advance(45 * SECOND);
      assert.deepEqual(server.texts(11), ['A', 'B']);
    });
  }

  it('sends nothing from a window that was frozen, once another has sent it', async () => {
    const windows = [await machine.open(), await machine.open()] as const;
    firstWrite({ kind: 'leavesLate', wait: () => clock.wait(MINUTE) });
    await windows[0].outbox.add(project, [comment('A')]);
    await clock.advance(SECOND);
    windows[0].freeze();
    await windows[1].outbox.add(project, [comment('B')]);
    await clock.advance(59 * SECOND);
    assert.deepEqual(server.texts(11), ['A', 'B']);
    await clock.advance(SECOND);
    windows[0].thaw();
    await assertOnce(windows);
  });

  it('gives up what is under way before another may take over, where its lease cannot be prolonged', async () => {
    const [one] = await underWay(MINUTE);
    const [change, signal] = [one.file.change, server.signals.at(-1)];
    one.file.change = () => {
      throw new Error('database is locked');
    };
    await clock.advance(9 * SECOND);
    assert.equal(signal?.aborted, false);
    await clock.advance(6 * SECOND);
    assert.equal(signal?.aborted, true);
    one.file.change = change;
  });
});
