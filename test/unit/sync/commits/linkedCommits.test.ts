import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TrackerError } from '../../../../src/core/errors.ts';
import type { Intent } from '../../../../src/core/intents/intent.ts';
import type { Outcome } from '../../../../src/core/outbox/outbox.ts';
import { showsCommit } from '../../../../src/sync/commits/linkedCommits.ts';
import { Seeded } from '../../../support/measures/seeded.ts';
import { OutboxWindow, project } from '../../../support/replica/outboxWindow.ts';
import { SteppedClock } from '../../../support/replica/steppedClock.ts';
import { type Fate, OutboxServer } from '../../../support/trackers/outboxServer.ts';

const HASH = '3f2a9bc04de1576a8890b1c2d3e4f5a6b7c8d9e0';
const OTHER = '90ab12cd34ef56ab78cd90ef12ab34cd56ef78ab';
const subject = "Say <b>&amp; it's</b> so [fixes #11]";
const commit = { commitId: HASH, message: `${subject}\n\nBecause.`, author: 'Ada' };
const HOUR = 60 * 60_000;
const answered: Fate = { kind: 'answered' };
const isRead = (method: string) => /^(get|list|current)/.test(method);

function assertShows(text: string, since: 'before' | 'after', expected: boolean): void {
  assert.equal(showsCommit({ id: 1, text }, commit, since === 'after'), expected, `${since}: ${text}`);
}

describe('A comment that shows a commit', () => {
  const escaped = subject.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll("'", '&#39;');

  it('is known in the forms that servers give it', () => {
    for (const text of [
      `Commit by Ada\n${HASH}\n\n${commit.message}`,
      `Commit by Grace Hopper\nhttps://git.example.org/c/${HASH}\n\n${commit.message}`,
      `Commit by Ada ${HASH} ${commit.message.replaceAll(/\s+/g, ' ')}`,
      `<p>Commit by <i>Ada</i> <a href="/c/${HASH}">link</a></p><pre>${escaped}<br>Because.</pre>`,
      `Commit by Ada ${HASH.toUpperCase()}: ${escaped}`,
      `${commit.message}\n\n(${HASH})`,
      `Commit ${HASH.slice(0, 7)} by Ada: ${subject.replace('[fixes #11]', '')}`,
      `Commit by Ada\n${HASH}\n\nSay…`,
    ]) {
      assertShows(text, 'before', true);
      assertShows(text, 'after', true);
    }
  });

  it('is none that a person or another commit wrote of it', () => {
    for (const text of [
      `Broken by ${HASH}.`,
      `${HASH} is what I mean.`,
      `Commit by Ada\n${OTHER}\n\nRevert "${subject}"\n\nThis reverts commit ${HASH}.`,
      `Commit by Ada\n${OTHER}\n\n${commit.message}\n\n(cherry picked from commit ${HASH})`,
      `<p>Commit by Ada ${OTHER}</p>Revert "${escaped}" This reverts commit <a href="/c/${HASH}">${HASH}</a>.`,
      `Commit by Ada\n${OTHER}\n\n${commit.message}`,
      `Commit ${HASH.slice(0, 6)}: ${subject}`,
      `Say so: x${HASH}`,
    ]) {
      assertShows(text, 'before', false);
    }
  });

  it('is looked for in no time in a text that is made to take long', () => {
    for (const part of ['[#1', '<a', '#1', '&', 'reverts commit ', HASH.slice(0, 7), ' ']) {
      assertShows(`[${part.repeat(200_000)} by ${HASH}`, 'before', false);
    }
  }).timeout(10_000);

  it('shows less of it when it came since it was sent', () => {
    assertShows(`Commit by A… ${HASH.slice(0, 12)}`, 'after', true);
    assertShows(`<a href="/c/${HASH}">A commit</a>`, 'after', true);
    assertShows(`Revert "${subject}" This reverts commit ${HASH}.`, 'after', false);
    assertShows(`Commit by Ada\n${OTHER}\n\n${commit.message}`, 'after', false);
  });
});

describe('A commit for a server that does not know which it has', () => {
  const windows: OutboxWindow[] = [];
  let folder: string;
  let server: OutboxServer;
  let clock: SteppedClock;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'story-tracker-outbox-'));
    server = new OutboxServer();
    clock = new SteppedClock();
  });
  afterEach(async () => {
    for (const one of windows.splice(0)) one.kill();
    await rm(folder, { recursive: true, force: true });
  });

  async function open(): Promise<OutboxWindow> {
    const path = join(folder, 'replica.sqlite');
    const opened = new OutboxWindow({ path, server, clock, chance: new Seeded(windows.length) });
    windows.push(opened);
    return opened.open();
  }

  const link = (message = commit.message): Intent => ({
    ...{ kind: 'link', storyId: 11, stories: [{ projectId: 1, storyId: 11 }] },
    commit: { ...commit, message },
  });
  const posted = () => server.done.filter((one) => one === `link ${HASH}`).length;
  const say = (text: string) => server.addNote({ projectId: 1, storyId: 11 }, text);

  async function outcomes({ outbox }: OutboxWindow, ids: readonly string[]): Promise<readonly Outcome[]> {
    let told: readonly Outcome[] | undefined;
    void Promise.all(ids.map((id) => outbox.outcome(id))).then((all) => {
      told = all;
    });
    await clock.until(() => told !== undefined);
    return told ?? [];
  }

  /** Notes are not seen until the function that is given back is called. */
  function hideNotes(): () => void {
    server.listNotes = () => [];
    return () => Reflect.deleteProperty(server, 'listNotes');
  }

  it('is posted although a comment names it, or a commit that reverts it', async () => {
    say(`Broken by ${HASH}.`);
    say(`Commit by Ada\n${OTHER}\n\nRevert "${subject}"\n\nThis reverts commit ${HASH}.`);
    const window = await open();
    const [entry] = await window.outbox.add(project, [link()]);
    assert.deepEqual(await outcomes(window, [entry?.id ?? '']), [{ kind: 'sent' }]);
    assert.equal(posted(), 1);
  });

  it('is not repeated where all that is seen of it since is an abbreviation', async () => {
    const window = await open();
    server.postSourceCommit = ({ commitId }) => {
      server.done.push(`link ${commitId}`);
      return [say(`Commit ${commitId.slice(0, 8)}`)];
    };
    server.fate = (method) => (isRead(method) ? answered : { kind: 'lostAfter' });
    await window.outbox.add(project, [link()]);
    await clock.advance(HOUR);
    assert.deepEqual([posted(), await window.outbox.entries()], [1, []]);
  });

  it('is posted once when two windows, one killed after it was sent, have it to send', async () => {
    const [one, two] = [await open(), await open()];
    server.fate = (method) => (isRead(method) ? answered : { kind: 'late', wait: () => clock.wait(5000) });
    await one.outbox.add(project, [link()]);
    await clock.until(() => posted() === 1);
    one.kill();
    server.fate = () => answered;
    const [entry] = await two.outbox.add(project, [link()]);
    assert.deepEqual(await outcomes(two, [entry?.id ?? '']), [{ kind: 'sent', isRepeated: true }]);
    assert.deepEqual([posted(), await two.outbox.entries()], [1, []]);
  });

  it('is not posted again for an entry that was added before it was taken, also where it cannot be seen yet', async () => {
    hideNotes();
    const window = await open();
    server.fate = (method) => (isRead(method) ? answered : { kind: 'late', wait: () => clock.wait(10) });
    const entries = await window.outbox.add(project, [link(), link()]);
    const ids = entries.map(({ id }) => id);
    assert.deepEqual(await outcomes(window, ids), [{ kind: 'sent' }, { kind: 'sent', isRepeated: true }]);
    assert.equal(posted(), 1);
  });

  it('is posted again when someone asks for that after the comment was deleted', async () => {
    const window = await open();
    for (const round of [1, 2]) {
      await clock.advance(1000);
      const [entry] = await window.outbox.add(project, [link()]);
      assert.deepEqual(await outcomes(window, [entry?.id ?? '']), [{ kind: 'sent' }], `round ${round}`);
      server.put({ ...server.story(11), notes: [] });
    }
    assert.equal(posted(), 2);
  });

  it('is doubled where the answer was lost and the comment is not seen when it is looked for', async () => {
    const show = hideNotes();
    const window = await open();
    server.fate = (method) => (isRead(method) || posted() > 0 ? answered : { kind: 'lostAfter' });
    const [entry] = await window.outbox.add(project, [link()]);
    assert.equal((await outcomes(window, [entry?.id ?? '']))[0]?.kind, 'waiting');
    await clock.advance(HOUR);
    show();
    assert.deepEqual([posted(), await window.outbox.entries()], [2, []]);
  });

  for (const intent of [link(), { kind: 'comment', storyId: 11, text: 'Said once' } satisfies Intent]) {
    it(`keeps the doubt about a ${intent.kind} when the server refuses to take it a second time`, async () => {
      const show = hideNotes();
      const window = await open();
      const busy = new TrackerError('busy', 'Later.', { status: 429 });
      const before = server.done.length;
      const isSent = () => server.done.length > before;
      let isRefused = false;
      server.fate = (method) => {
        if (isRead(method)) return answered;
        if (!isSent()) return { kind: 'lostAfter' };
        isRefused = true;
        return { kind: 'throws', error: busy };
      };
      await window.outbox.add(project, [intent]);
      await clock.until(() => isRefused);
      show();
      server.fate = () => answered;
      await clock.advance(HOUR);
      assert.deepEqual([server.done.length - before, await window.outbox.entries()], [1, []]);
    });
  }
});
