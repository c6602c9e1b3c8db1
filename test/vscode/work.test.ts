import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { findStory } from '../../src/core/backlog/backlog.ts';
import type { Intent } from '../../src/core/intents/intent.ts';
import type { Account } from '../../src/host/accounts/account.ts';
import { Accounts } from '../../src/host/accounts/accounts.ts';
import { createBacklogs } from '../../src/host/app.ts';
import { Engine } from '../../src/host/engine/engine.ts';
import type { Backlogs } from '../../src/host/projects/backlogs.ts';
import { eventually } from '../support/eventually.ts';
import { FixtureServer } from '../support/servers/fixtureServer.ts';
import { silentLog } from '../support/silentLog.ts';
import { FakeInputBox } from '../support/windows/fakeInputBox.ts';
import { MemorySecrets } from '../support/windows/memorySecrets.ts';
import { RecordedMessages } from '../support/windows/recordedMessages.ts';

const extensionPath = vscode.extensions.getExtension('story-tracker.story-tracker')?.extensionPath ?? '';
const run = (command: string, ...args: readonly unknown[]) =>
  vscode.commands.executeCommand(`storyTracker.${command}`, ...args);

type Items = readonly { readonly label: string }[];

describe('Work on a story', () => {
  let server: FixtureServer;
  const fieldOf = (id: number, name: string) =>
    />(.*)</.exec(server.routes.story(id).elements.get(name) ?? '')?.[1] ?? '';

  beforeEach(async () => {
    server = await FixtureServer.start();
    await run('signIn', { baseUrl: server.url, token: server.token });
  });
  afterEach(async () => {
    await run('signOut', { baseUrl: server.url });
    await server.stop();
  });

  /** Runs a command whose questions are answered: lists by the label, boxes by the text. What was offered, by question. */
  async function answering(
    answers: readonly string[],
    work: () => PromiseLike<unknown>,
    picked: readonly string[] = answers,
  ): Promise<readonly string[][]> {
    const { showQuickPick, showInputBox } = vscode.window;
    const [rest, offered] = [[...answers], [] as string[][]];
    const pick = async (asked: Items | PromiseLike<Items>) => {
      const items = await asked;
      offered.push(items.map(({ label }) => label));
      return items.find(({ label }) => picked.includes(label));
    };
    const type = async ({ value = '' }: vscode.InputBoxOptions) => {
      offered.push([value]);
      return rest.shift();
    };
    Object.assign(vscode.window, { showQuickPick: pick, showInputBox: type });
    try {
      await work();
    } finally {
      Object.assign(vscode.window, { showQuickPick, showInputBox });
    }
    return offered;
  }

  it('is estimated by the scale of its project, for a program too, and again not', async () => {
    const offered = await answering(['2 points'], () => run('estimateStory', { storyId: 111 }));
    assert.deepEqual(offered[0]?.slice(0, 3), ['0 points', '1 point', '2 points']);
    assert.equal(fieldOf(111, 'estimate'), '2');
    await run('estimateStory', { storyId: 111, estimate: 1 });
    assert.equal(fieldOf(111, 'estimate'), '1');
    await run('undoEdit');
    assert.equal(fieldOf(111, 'estimate'), '2');
    await run('estimateStory', { storyId: 111, estimate: null });
    assert.equal(fieldOf(111, 'estimate'), '');
    for (const command of ['estimateStory', 'changeState'])
      for (const estimate of ['1', Number.NaN, 0.5])
        await assert.rejects(async () => run(command, { storyId: 111, estimate }), /\{ estimate: number/);
  });

  it('quotes the server that refuses, and shows what was before', async () => {
    server.refuse(/^PUT .*\/111$/, ['Nobody estimates on Fridays.']);
    await assert.rejects(
      async () => run('estimateStory', { storyId: 111, estimate: 3 }),
      /: Nobody estimates on Fridays\.$/,
    );
    assert.equal(fieldOf(111, 'estimate'), '-1');
  });

  it('is given to a member, taken by oneself and given up, and undone each', async () => {
    const offered = await answering(['Ana Example'], () => run('assignStory', { storyId: 104 }));
    assert.ok(offered[0]?.includes('Ana Example'));
    assert.equal(fieldOf(104, 'owned_by'), 'Ana Example');
    await run('giveStoryUp', { storyId: 104 });
    assert.equal(fieldOf(104, 'owned_by'), '');
    await run('undoEdit');
    assert.equal(fieldOf(104, 'owned_by'), 'Ana Example');
    await run('undoEdit');
    assert.equal(fieldOf(104, 'owned_by'), '');
    await run('redoEdit');
    assert.equal(fieldOf(104, 'owned_by'), 'Ana Example');
    await run('redoEdit');
    assert.equal(fieldOf(104, 'owned_by'), '', 'given up once more');
    await run('redoEdit');
    await run('undoEdit');
    assert.equal(fieldOf(104, 'owned_by'), 'Ana Example', 'there was nothing more to make again');
    await run('giveStoryUp', { storyId: 104 });
    await run('redoEdit');
    assert.equal(fieldOf(104, 'owned_by'), '', 'a new change is the last one');
    await answering(['Ana Example'], () => run('ownStory', { storyId: 104 }));
    assert.equal(fieldOf(104, 'owned_by'), 'Ana Example');
  });

  it('does not undo what someone else has changed since', async () => {
    await run('assignStory', { storyId: 104, owner: 'Ana Example' });
    server.routes.story(104).elements.set('owned_by', '<owned_by>Bo</owned_by>');
    await run('undoEdit');
    assert.equal(fieldOf(104, 'owned_by'), 'Bo', 'this window had not been told of it');
    await run('redoEdit');
    assert.equal(fieldOf(104, 'owned_by'), 'Bo', 'nothing was undone');
  });

  describe('that someone else has changed since', () => {
    let messages: RecordedMessages;
    beforeEach(() => {
      messages = new RecordedMessages();
    });
    afterEach(() => messages.restore());

    it('is named by the reason why nothing was undone, to which the log has nothing to add', async () => {
      await run('assignStory', { storyId: 104, owner: 'Ana Example' });
      server.routes.story(104).elements.set('owned_by', '<owned_by>Bo</owned_by>');
      await run('undoEdit');
      const text = 'Could not undo because story #104 has been changed since.';
      assert.deepEqual(messages.shown, [{ kind: 'info', text, buttons: [] }]);
    });

    it('is told in the words of a server that refuses', async () => {
      await run('assignStory', { storyId: 104, owner: 'Ana Example' });
      server.refuse(/^PUT .*\/104$/, ['No changes today.']);
      await run('undoEdit');
      const [shown] = messages.shown;
      assert.match(shown?.text ?? '', /No changes today\./);
      assert.deepEqual([shown?.kind, shown?.buttons], ['warning', []]);
    });
  });

  it('has labels put on and taken off, those that someone else put on staying', async () => {
    server.routes.story(101).elements.set('labels', '<labels>api,café,new</labels>');
    await run('editLabels', { storyId: 101, add: ['shop'], remove: ['api'] });
    assert.deepEqual(fieldOf(101, 'labels').split(',').toSorted(), ['café', 'new', 'shop']);
    await run('undoEdit');
    assert.deepEqual(fieldOf(101, 'labels').split(',').toSorted(), ['api', 'café', 'new']);
    await assert.rejects(async () => run('editLabels', { storyId: 101, add: ['a,b'] }), /\{ add\?: string\[\]/);
  });

  it('is linked to a ticket of the only integration, and unlinked', async () => {
    const offered = await answering([' T-7 '], () => run('linkTicket', { storyId: 104 }));
    assert.deepEqual(offered, [['']], 'nothing is asked but the id');
    assert.equal(fieldOf(104, 'jira_id'), 'T-7');
    const body = server.requests.findLast(({ method }) => method === 'PUT')?.body.toString() ?? '';
    assert.match(body, /<jira_id>T-7<\/jira_id>\s*<integration_id type="integer">3<\/integration_id>/);
    await run('linkTicket', { storyId: 104, externalId: 'T-8', integrationId: 3 });
    assert.equal(fieldOf(104, 'jira_id'), 'T-8');
    await assert.rejects(async () => run('linkTicket', { storyId: 104, externalId: '' }), /\{ externalId: string/);
    await assert.rejects(async () => run('unlinkTicket', { storyId: 106 }), /Story #106 is not linked to a ticket/);
    await run('unlinkTicket', { storyId: 104 });
    const unlink = server.requests.findLast(({ method }) => method === 'PUT')?.body.toString() ?? '';
    assert.match(unlink, /<other_id\s*\/>|<other_id><\/other_id>/);
  });

  it('leaves it to the server to find the integration of an unknown ticket number', async () => {
    server.refuse(/^PUT .*\/104$/, ['This project has no active integration 9.']);
    await assert.rejects(
      async () => run('linkTicket', { storyId: 104, externalId: 'T-1', integrationId: 9 }),
      /no active integration 9/,
    );
  });

  it('opens the page of a ticket, and none that is no page', async () => {
    const opened: string[] = [];
    const { openExternal } = vscode.env;
    Object.assign(vscode.env, { openExternal: async (uri: vscode.Uri) => opened.push(uri.toString()) > 0 });
    try {
      await run('openTicket', { storyId: 101 });
    } finally {
      Object.assign(vscode.env, { openExternal });
    }
    assert.deepEqual(opened, ['https://tickets.example.test/007']);
    server.routes.story(101).elements.set('jira_url', '<jira_url>file:///etc/passwd</jira_url>');
    await run('refresh');
    await assert.rejects(async () => run('openTicket', { storyId: 101 }), /is not a web page/);
  });

  it('gets comments and tasks, and keeps a comment that was refused', async () => {
    await run('addComment', { storyId: 104, text: 'Merci' });
    await run('addTask', { storyId: 104, description: 'Heat the oven' });
    const { notes, tasks } = server.routes.story(104);
    assert.deepEqual(
      [notes.map(({ text }) => text), tasks.map(({ description }) => description)],
      [['Merci'], ['Heat the oven']],
    );
    server.refuse(/^POST .*\/notes$/, ['No comments today.']);
    await answering(['Once more'], async () => {
      await assert.rejects(async () => run('addComment', { storyId: 104 }), /No comments today/);
    });
    const offered = await answering([], () => run('addComment', { storyId: 104 }));
    assert.deepEqual(offered, [['Once more']]);
  });

  it('begins with a story whose name is offered again when it was refused', async () => {
    server.refuse(/^POST .*\/stories$/, ['Too many stories.']);
    const { createInputBox } = vscode.window;
    /** What the box had; with a name, it is typed and entered. */
    const ask = async (name?: string) => {
      const box = new FakeInputBox();
      Object.assign(vscode.window, { createInputBox: () => box });
      const asked = answering([], () => run('newStory'), ['Café', '$(bug) bug']);
      await eventually(() => assert.ok(box.isOpen));
      const had = box.value;
      if (name === undefined) box.hide();
      else {
        box.type(name);
        box.enter();
      }
      await asked.finally(() => Object.assign(vscode.window, { createInputBox }));
      return had;
    };
    assert.equal(await ask('Bake rye'), '', 'is refused');
    assert.equal(await ask('Bake rye'), 'Bake rye');
    const made = server.routes.stories.filter(({ elements }) => elements.get('name') === '<name>Bake rye</name>');
    assert.deepEqual(
      made.map(({ elements }) => elements.get('story_type')),
      ['<story_type>bug</story_type>'],
    );
    assert.equal(await ask(), '');
  });
});

describe('Work while the server is away', () => {
  const key = { accountId: 'bakery', projectId: 7 };
  const opened: { dispose(): unknown }[] = [];
  let folder: string;
  let server: FixtureServer;
  let secrets: MemorySecrets;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'story-tracker-work-'));
    server = await FixtureServer.start();
    secrets = new MemorySecrets();
    const account: Account = { id: 'bakery', label: 'Bakery', kind: 'server', baseUrl: server.url };
    await window().accounts.add(account, server.token);
  });
  afterEach(async () => {
    await closeWindows();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  });

  async function closeWindows(): Promise<void> {
    for (const one of opened.splice(0).toReversed()) await one.dispose();
  }

  /** A window as it is after a start: it has nothing but the secrets and the file. */
  function window() {
    const engine = new Engine(join(extensionPath, 'dist/worker.js'), silentLog, join(folder, 'replica.sqlite'));
    const access = () => Promise.reject(new Error('There is no built-in service here.'));
    const accounts = new Accounts(secrets, engine, { access });
    const backlogs = createBacklogs(accounts, silentLog);
    opened.push(engine, accounts, backlogs);
    return { accounts, backlogs };
  }

  const wanted: readonly Intent[] = [
    { kind: 'newStory', storyId: -9, story: { name: 'Bake rye', type: 'bug', state: 'unscheduled' } },
    { kind: 'task', storyId: 101, taskId: 11, complete: false },
    { kind: 'newTask', storyId: 101, description: 'Heat the oven' },
  ];
  const look = (backlogs: Backlogs) => {
    const backlog = backlogs.peek(key);
    const tasks = backlog && findStory(backlog, 101)?.tasks;
    return {
      rye: backlog?.icebox.filter(({ name }) => name === 'Bake rye').length,
      tasks: tasks?.map(({ description, complete }) => `${description} ${complete}`),
    };
  };
  const DONE = { rye: 1, tasks: ['wipe the tables false', 'Heat the oven false'] };
  const onServer = () => ({
    rye: server.routes.stories.filter(({ elements }) => elements.get('name') === '<name>Bake rye</name>').length,
    tasks: server.routes.story(101).tasks.map(({ description, complete }) => `${description} ${complete}`),
  });

  it('waits on disk: a new story, a ticked and a new task are shown, survive a restart and are sent once', async () => {
    const first = window();
    await first.backlogs.all();
    server.reply(/^(POST|PUT|GET) /, { status: 503, body: '' }, 1000);
    for (const intent of wanted) assert.ok((await first.backlogs.submit(key, [intent])).waiting, intent.kind);
    assert.deepEqual(look(first.backlogs), DONE);
    await assert.rejects(
      first.backlogs.submit(key, [{ kind: 'comment', storyId: -9, text: 'Soon' }]),
      /until it has been sent to the server/,
    );
    await closeWindows();

    const next = window();
    await next.backlogs.projects();
    await next.backlogs.backlog(key);
    await eventually(() => assert.deepEqual(look(next.backlogs), DONE));
    server.noMoreTrouble();
    await eventually(() => assert.deepEqual(next.backlogs.unsent, []), 30_000);
    assert.deepEqual(onServer(), DONE);
    await eventually(() => assert.deepEqual(look(next.backlogs), DONE));
    await eventually(() => assert.ok(next.backlogs.peek(key)?.icebox.every(({ id }) => id > 0)));
  });

  it('doubles nothing of which the answer was lost', async () => {
    const { backlogs } = window();
    await backlogs.all();
    for (const intent of wanted) {
      server.loseAnswer(/^(POST|PUT) /);
      await backlogs.submit(key, [intent]);
      await eventually(() => assert.deepEqual(backlogs.unsent, []), 30_000);
    }
    assert.deepEqual(onServer(), DONE);
    await eventually(() => assert.deepEqual(look(backlogs), DONE));
  });
});
