import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TrackerError } from '../../../../src/core/errors.ts';
import type { Intent } from '../../../../src/core/intents/intent.ts';
import type { Outcome } from '../../../../src/core/outbox/outbox.ts';
import type { SourceCommit } from '../../../../src/core/story/storyAddress.ts';
import { Seeded } from '../../../support/measures/seeded.ts';
import { OutboxWindow, project } from '../../../support/replica/outboxWindow.ts';
import { SteppedClock } from '../../../support/replica/steppedClock.ts';
import { type Fate, OutboxServer } from '../../../support/trackers/outboxServer.ts';

const HOUR = 60 * 60_000;
const [ONE, OTHER] = ['3f2a9bc04de1576a8890b1c2d3e4f5a6b7c8d9e0', '90ab12cd34ef56ab78cd90ef12ab34cd56ef78ab'];
const MESSAGE = "Say <b>&amp; it's</b> &quot;so&quot; \u{1f389} [fixes #11]\n\nCafe\u0301, because… ❤\ufe0f\n";
const answered: Fate = { kind: 'answered' };
const isRead = (method: string) => /^(get|list|current)/.test(method);

/** Comments as servers make them that keep no ids of commits. */
const forms: Readonly<Record<string, (commit: SourceCommit) => string>> = {
  'the message alone': ({ message }) => message,
  'the message, trimmed, with line ends of its own': ({ message }) => message.trim().replaceAll('\n', '\r\n'),
  'the author before the message and an address behind it': ({ author, message }) =>
    `${author}: ${message.trim()} (https://git.example.org/changes/latest?page=2)`,
  'the message on one line': ({ message }) => message.replaceAll(/\s+/g, ' '),
  'the message, with a question mark for what the database cannot hold': ({ message }) =>
    message.replaceAll(/[\u{10000}-\u{10ffff}]/gu, '?'),
  'the message without what the database cannot hold': ({ message }) =>
    message.replaceAll(/[\u{10000}-\u{10ffff}]/gu, ''),
  'the message with typographic quotation marks, composed and without what has no width': ({ message }) =>
    message.normalize('NFC').replaceAll("'", '’').replaceAll('…', '...').replaceAll('\ufe0f', ''),
  'the message escaped twice': ({ message }) => message.replaceAll('&', '&amp;amp;').replaceAll('<', '&amp;lt;'),
  'the message in ASCII': ({ message }) =>
    message.replaceAll(/[^\n -~]/gu, (one) => `&#x${one.codePointAt(0)?.toString(16)};`),
  'the message as HTML, with links': ({ author, message }) => {
    const html = message.trim().replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll("'", '&#39;');
    return `<p><i>${author}</i></p>${html.replaceAll(/(?<!&)#(\d+)/g, '<a href="/s/$1">#$1</a>').replaceAll('\n', '<br/>')}`;
  },
};

/** By how a server makes a comment and whether it answers with it. */
const servers = Object.entries(forms).flatMap(([form, commitText]) => [
  { name: `${form}, told in its answers`, commitText, tellsNotes: true },
  { name: `${form}, not told in its answers`, commitText, tellsNotes: false },
]);

describe('Commits for a server whose comments have no ids of commits', () => {
  const windows: OutboxWindow[] = [];
  let folder: string;
  let server: OutboxServer;
  let clock: SteppedClock;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'story-tracker-outbox-'));
    server = new OutboxServer();
    Object.assign(server, servers[0]);
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

  const link = (commitId: string, message = MESSAGE, storyIds = [11]): Intent => ({
    ...{ kind: 'link', storyId: storyIds[0] ?? 0, commit: { commitId, message, author: 'Ada' } },
    stories: storyIds.map((storyId) => ({ projectId: 1, storyId })),
  });
  const posts = (hash: string) => server.done.filter((one) => one === `link ${hash}`).length;
  const loseAnswers = () => {
    server.fate = (method) => (isRead(method) ? answered : { kind: 'lostAfter' });
  };
  const answer = () => {
    server.fate = () => answered;
  };
  /** One whose answer is lost, and which the server will not tell of then. */
  async function failInDoubt(window: OutboxWindow, intent: Intent, arrives: boolean): Promise<string> {
    const refused: Fate = { kind: 'throws', error: new TrackerError('forbidden', 'Not you.', { status: 403 }) };
    let isSent = false;
    server.fate = (method) => {
      if (isSent || isRead(method)) return isSent ? refused : answered;
      isSent = true;
      return { kind: arrives ? 'lostAfter' : 'lostBefore' };
    };
    const [entry] = await window.outbox.add(project, [intent]);
    await clock.advance(HOUR / 60);
    assert.equal((await window.outbox.entries())[0]?.state, 'failed');
    answer();
    return entry?.id ?? '';
  }

  async function outcomes({ outbox }: OutboxWindow, ids: readonly string[]): Promise<readonly Outcome[]> {
    let told: readonly Outcome[] | undefined;
    void Promise.all(ids.map((id) => outbox.outcome(id))).then((all) => {
      told = all;
    });
    await clock.until(() => told !== undefined);
    return told ?? [];
  }

  async function settled(window: OutboxWindow): Promise<void> {
    await clock.advance(HOUR);
    assert.deepEqual(await window.outbox.entries(), []);
  }

  for (const notedAt of ['2001-02-03T04:05:06Z', '2077-02-03T04:05:06Z']) {
    it(`are posted once where the answer is lost, though the server's clock says ${notedAt}`, async () => {
      server.notedAt = notedAt;
      server.addNote({ projectId: 1, storyId: 11 }, MESSAGE);
      const window = await open();
      loseAnswers();
      await window.outbox.add(project, [link(ONE)]);
      await settled(window);
      assert.equal(posts(ONE), 1);
    });
  }

  for (const { name, ...traits } of servers) {
    it(`are posted once each where answers are lost and two have the same message: ${name}`, async () => {
      Object.assign(server, traits);
      const window = await open();
      loseAnswers();
      await window.outbox.add(project, [link(ONE), link(OTHER)]);
      await settled(window);
      assert.deepEqual([posts(ONE), posts(OTHER), server.texts(11).length], [1, 1, 2]);
    });

    it(`are posted when they are tried again after another was of the same message: ${name}`, async () => {
      Object.assign(server, traits);
      const window = await open();
      const id = await failInDoubt(window, link(ONE), false);
      const [other] = await window.outbox.add(project, [link(OTHER)]);
      assert.deepEqual(await outcomes(window, [other?.id ?? '']), [{ kind: 'sent' }]);
      await window.outbox.retry([id]);
      await settled(window);
      assert.deepEqual([posts(ONE), posts(OTHER)], [1, 1]);
    });
  }

  it('are posted once where the window is killed before the answer comes and another one has it to send too', async () => {
    const [one, two] = [await open(), await open()];
    server.fate = (method) => (isRead(method) ? answered : { kind: 'late', wait: () => clock.wait(5000) });
    await one.outbox.add(project, [link(ONE)]);
    await clock.until(() => posts(ONE) === 1);
    one.kill();
    answer();
    const [entry] = await two.outbox.add(project, [link(ONE)]);
    assert.deepEqual(await outcomes(two, [entry?.id ?? '']), [{ kind: 'sent', isRepeated: true }]);
    await settled(two);
    assert.equal(posts(ONE), 1);
  });

  it('are posted once for all their stories', async () => {
    const window = await open();
    loseAnswers();
    await window.outbox.add(project, [link(ONE, 'Bake [#12 #13]', [12, 13])]);
    await settled(window);
    assert.deepEqual([posts(ONE), server.texts(12).length, server.texts(13).length], [1, 1, 1]);
  });

  it('are posted although the same was said before', async () => {
    server.addNote({ projectId: 1, storyId: 11 }, MESSAGE);
    const window = await open();
    let isSent = false;
    server.fate = (method) => {
      if (isSent || isRead(method)) return answered;
      isSent = true;
      return { kind: 'lostBefore' };
    };
    await window.outbox.add(project, [link(ONE)]);
    await settled(window);
    assert.equal(posts(ONE), 1);
  });

  it('are posted although part of their message is said in the meantime, or a longer word than its last', async () => {
    const window = await open();
    let isSent = false;
    server.fate = (method) => {
      if (isSent || isRead(method)) return answered;
      isSent = true;
      for (const text of ['Bake', '[#11] Bakery', 'Why not [#1] Bake', '[#11]'])
        server.addNote({ projectId: 1, storyId: 11 }, text);
      return { kind: 'lostBefore' };
    };
    await window.outbox.add(project, [link(ONE, '[#11] Bake')]);
    await settled(window);
    assert.equal(posts(ONE), 1);
  });

  it('are posted although another commit, whose id is told, takes the message over', async () => {
    const window = await open();
    let isSent = false;
    server.fate = (method) => {
      if (isSent || isRead(method)) return answered;
      isSent = true;
      server.addNote({ projectId: 1, storyId: 11 }, `${MESSAGE}\n(cherry picked from commit ${ONE})`);
      server.addNote({ projectId: 1, storyId: 11 }, `Commit by Grace ${OTHER.slice(0, 8)}\n\n${MESSAGE}`);
      return { kind: 'lostBefore' };
    };
    await window.outbox.add(project, [link(ONE)]);
    await settled(window);
    assert.equal(posts(ONE), 1);
  });

  it('are not posted again when they are linked anew after the server had taken them without an answer', async () => {
    const window = await open();
    await failInDoubt(window, link(ONE), true);
    await window.outbox.add(project, [link(ONE)]);
    await settled(window);
    assert.equal(posts(ONE), 1);
  });
});
