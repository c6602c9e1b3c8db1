import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Commit } from '../../../../src/core/ports/git.ts';
import { StoredFoundCommits } from '../../../../src/sync/commits/foundCommits.ts';
import { ReplicaFile } from '../../../../src/sync/file/replicaFile.ts';
import { SteppedClock } from '../../../support/replica/steppedClock.ts';
import { silentLog } from '../../../support/silentLog.ts';

const REPOSITORY = '/repository/.git';
const HOUR = 60 * 60_000;
const commit: Commit = {
  ...{ hash: 'a'.repeat(40), message: 'One [#1]', authoredAt: 1 },
  ...{ authorName: 'Ada', authorEmail: 'ada@example.org' },
};

describe('Commits that were found', () => {
  let folder: string;
  let clock: SteppedClock;
  /** What the machine's clock is set ahead. */
  let ahead: number;
  let files: ReplicaFile[];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'story-tracker-found-'));
    clock = new SteppedClock();
    ahead = 0;
    files = [];
  });
  afterEach(async () => {
    for (const file of files) file.close();
    await rm(folder, { recursive: true, force: true });
  });

  const now = () => clock.now() + ahead;

  /** One window. Killed, it does nothing any more, though the system may have given its number to another process. */
  function open(process: number) {
    const file = new ReplicaFile({ path: join(folder, 'replica.sqlite'), log: silentLog });
    files.push(file);
    let isKilled = false;
    const wait = async (milliseconds: number) => {
      await clock.wait(milliseconds);
      if (isKilled) await new Promise(() => undefined);
    };
    const found = new StoredFoundCommits({ file, now, process, isRunning: () => true, wait });
    return {
      found,
      look: async () => (await found.note(REPOSITORY, new Map([['HEAD', commit.hash]]), [commit])).length,
      kill: () => {
        isKilled = true;
      },
    };
  }

  it('are another window’s as long as that one is there, however long it does nothing', async () => {
    const [one, two] = [open(1), open(2)];
    assert.deepEqual([await one.look(), await two.look()], [1, 0]);
    await clock.advance(3 * HOUR);
    assert.deepEqual([await two.look(), await one.look()], [0, 1]);
    await one.found.settle(REPOSITORY, [commit.hash]);
    assert.deepEqual([await two.look(), await one.look()], [0, 0]);
  });

  it('are taken over from a killed window, also when another process has its number by now', async () => {
    const [one, two] = [open(1), open(2)];
    assert.deepEqual([await one.look(), await two.look()], [1, 0]);
    one.kill();
    await clock.advance(HOUR);
    assert.equal(await two.look(), 1);
  });

  it('are looked for from when they are made, not from a first look by a clock that went ahead', async () => {
    const { found, look } = open(1);
    ahead = 2 * HOUR;
    await look();
    ahead = 0;
    await look();
    await clock.advance(HOUR);
    const seen = await found.seen(REPOSITORY);
    assert.ok((seen?.firstAt ?? Number.POSITIVE_INFINITY) <= now() - HOUR, 'what was made this hour is no history');
    ahead = -1000 * 24 * HOUR;
    await look();
    ahead = 0;
    assert.equal((await found.seen(REPOSITORY))?.firstAt, seen?.firstAt, 'all of history is no news');
  });
});
