import assert from 'node:assert/strict';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import { panelTexts } from '../../src/features/storyPanel/panelTexts.ts';
import { StoryPanel } from '../../src/features/storyPanel/storyPanel.ts';
import { addTaskTo } from '../../src/features/work/commands.ts';
import { Accounts } from '../../src/host/accounts/accounts.ts';
import { createBacklogs } from '../../src/host/app.ts';
import { Engine } from '../../src/host/engine/engine.ts';
import type { Backlogs } from '../../src/host/projects/backlogs.ts';
import { Messages } from '../../src/host/shell/messages.ts';
import { commentDraft, fieldDrafts, moveDrafts } from '../../src/host/story/draftFiles.ts';
import { makeStories } from '../../src/host/story/newStories.ts';
import { RestoredStories } from '../../src/host/story/restoredStories.ts';
import { UndoHistory } from '../../src/host/story/undoHistory.ts';
import { eventually } from '../support/eventually.ts';
import { assertGivesWay } from '../support/measures/longestHold.ts';
import { FixtureServer } from '../support/servers/fixtureServer.ts';
import { silentLog } from '../support/silentLog.ts';
import { KeptDrafts } from '../support/windows/keptDrafts.ts';
import { MemorySecrets } from '../support/windows/memorySecrets.ts';
import { RecordedMessages } from '../support/windows/recordedMessages.ts';

const extensionPath = vscode.extensions.getExtension('story-tracker.story-tracker')?.extensionPath ?? '';
/** What it takes to write a story, which `storyWriting.test.ts` is about. */
const notWritten = { applyEdits: async () => [], comparison: { show: async () => {} } };
const run = (command: string, ...args: readonly unknown[]) =>
  vscode.commands.executeCommand(`storyTracker.${command}`, ...args);

describe('The story panel', () => {
  let server: FixtureServer;
  const stateOf = (id: number) =>
    /<current_state>(.*?)</.exec(server.routes.story(id).elements.get('current_state') ?? '')?.[1];

  beforeEach(async () => {
    server = await FixtureServer.start();
    await run('signIn', { baseUrl: server.url, token: server.token });
  });
  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await run('signOut', { baseUrl: server.url });
    await server.stop();
  });

  const tabs = () =>
    vscode.window.tabGroups.all.flatMap((group) =>
      group.tabs.filter(({ input }) => input instanceof vscode.TabInputWebview).map(({ label }) => label),
    );

  it('opens one tab for a story, named after it', async () => {
    await run('openStory', { storyId: 104 });
    await run('openStory', { storyId: 101 });
    await run('openStory', { storyId: 104 });
    await eventually(() =>
      assert.deepEqual(tabs(), ['#104 \u2068Bake bread\u2069', '#101 \u2068Café テスト <menu>\u2069']),
    );
  });

  describe('previews', () => {
    const bread = '#104 \u2068Bake bread\u2069';
    const menu = '#101 \u2068Café テスト <menu>\u2069';
    const assertTabs = (...expected: readonly string[]) => eventually(() => assert.deepEqual(tabs(), expected));

    it('one story after the other in the same tab, which says that it is a preview', async () => {
      await run('previewStory', { storyId: 104 });
      await assertTabs(`${bread} (Preview)`);
      await run('previewStory', { storyId: 101 });
      await assertTabs(`${menu} (Preview)`);
    });

    it('a story in the tab that it has', async () => {
      await run('openStory', { storyId: 104 });
      await run('previewStory', { storyId: 101 });
      await run('previewStory', { storyId: 104 });
      await assertTabs(bread, `${menu} (Preview)`);
      await eventually(() => assert.equal(vscode.window.tabGroups.activeTabGroup.activeTab?.label, bread));
    });

    it('in a new tab once the last was opened', async () => {
      await run('previewStory', { storyId: 104 });
      await run('openStory', { storyId: 104 });
      await assertTabs(bread);
      await run('previewStory', { storyId: 101 });
      await assertTabs(bread, `${menu} (Preview)`);
    });

    it('in a new tab once the last was pinned', async () => {
      await run('previewStory', { storyId: 104 });
      await assertTabs(`${bread} (Preview)`);
      await vscode.commands.executeCommand('workbench.action.pinEditor');
      await eventually(() => assert.ok(vscode.window.tabGroups.activeTabGroup.activeTab?.isPinned));
      await run('previewStory', { storyId: 101 });
      await assertTabs(bread, `${menu} (Preview)`);
      await vscode.window.tabGroups.close(vscode.window.tabGroups.all.flatMap((group) => group.tabs));
    });

    it('in a new tab once the last was closed', async () => {
      await run('previewStory', { storyId: 104 });
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      await run('previewStory', { storyId: 101 });
      await assertTabs(`${menu} (Preview)`);
    });

    it('a story no longer that was deleted here, while a tab of its own stays', async () => {
      await run('openStory', { storyId: 101 });
      await run('previewStory', { storyId: 104 });
      await assertTabs(menu, `${bread} (Preview)`);
      await run('deleteStory', { storyId: 104, confirmed: true });
      await assertTabs(menu);
      await run('deleteStory', { storyId: 101, confirmed: true });
      await assertTabs(`${menu} (Deleted)`);
    });

    it('nothing for what names no story', async () => {
      await assert.rejects(async () => run('previewStory', { storyId: 4711 }), /Could not find story #4711/);
      assert.deepEqual(tabs(), []);
    });
  });

  it('is what *Edit Story* means while it is the active editor', async () => {
    const before = vscode.window.showQuickPick;
    let asked = 0;
    await run('openStory', { storyId: 104 });
    await eventually(() => assert.match(vscode.window.tabGroups.activeTabGroup.activeTab?.label ?? '', /^#104 /));
    try {
      Object.assign(vscode.window, { showQuickPick: async () => void asked++ });
      await run('editStory');
    } finally {
      Object.assign(vscode.window, { showQuickPick: before });
    }
    assert.equal(asked, 0);
  });

  it('rejects what names no story', async () => {
    await assert.rejects(async () => run('openStory', { storyId: 4711 }), /Could not find story #4711/);
    assert.deepEqual(tabs(), []);
  });

  it('changes a state for a program, with the estimate that it needs', async () => {
    await run('changeState', { storyId: 106, state: 'started' });
    assert.equal(stateOf(106), 'started');
    await run('changeState', { storyId: 104, state: 'started', estimate: 2 });
    assert.equal(stateOf(104), 'started');
    assert.match(server.routes.story(104).elements.get('estimate') ?? '', />2</);
  });

  it('asks for the estimate by the scale of the project, and changes nothing without one', async () => {
    const before = vscode.window.showQuickPick;
    let offered: readonly string[] = [];
    const pick = (index: number) => async (items: readonly { readonly label: string }[]) => {
      offered = items.map(({ label }) => label);
      return items[index];
    };
    try {
      Object.assign(vscode.window, { showQuickPick: pick(99) });
      await run('changeState', { storyId: 105, state: 'started' });
      assert.equal(stateOf(105), 'unstarted');
      Object.assign(vscode.window, { showQuickPick: pick(1) });
      await run('changeState', { storyId: 105, state: 'started' });
    } finally {
      Object.assign(vscode.window, { showQuickPick: before });
    }
    assert.equal(stateOf(105), 'started');
    assert.match(offered[0] ?? '', /^\d+ points?$/);
  });

  it('quotes the server that refuses a state, and takes none that is no text', async () => {
    server.refuse(/^PUT .*\/106$/, ['Sweeping is forbidden.']);
    await assert.rejects(async () => run('changeState', { storyId: 106, state: 'started' }), /Sweeping is forbidden\./);
    await assert.rejects(async () => run('changeState', { storyId: 106, state: 5 }), /\{ state: string \}/);
    assert.equal(stateOf(106), 'unstarted');
  });

  describe('and its page', () => {
    const opened: { dispose(): unknown }[] = [];
    let told: Record<string, unknown>[];
    let say: vscode.EventEmitter<unknown>;
    let accounts: Accounts;
    let backlogs: Backlogs;
    let engine: Engine;
    const messages = new Messages(silentLog, () => undefined);
    let memory: KeptDrafts;
    let restoredStories: RestoredStories;
    let page: vscode.WebviewPanel;
    let undoHistory: UndoHistory;
    /** The numbers that stories became. */
    let moved: number[];
    let isHidden = false;
    const last = (type: string) => told.findLast((message) => message.type === type);
    const part = (name: string) => {
      const { parts } = (last('content') ?? {}) as { readonly parts?: Readonly<Record<string, string>> };
      return parts?.[name] ?? '';
    };

    beforeEach(async () => {
      told = [];
      moved = [];
      memory = new KeptDrafts();
      undoHistory = new UndoHistory(async () => true);
      say = new vscode.EventEmitter();
      engine = new Engine(join(extensionPath, 'dist/worker.js'), silentLog);
      const nothing = { access: () => Promise.reject(new Error('There is no built-in service here.')) };
      accounts = new Accounts(new MemorySecrets(), engine, nothing);
      await accounts.add({ id: server.url, label: 'A', kind: 'server', baseUrl: server.url }, server.token);
      backlogs = createBacklogs(accounts, silentLog);
      opened.push(say, backlogs, accounts, engine, memory);
      await backlogs.all();
      await open(101);
    });
    afterEach(async () => {
      for (const one of opened.splice(0)) await one.dispose();
    });

    /** As when its server was ended and, perhaps, started again at the same address. */
    const restartServer = async () => {
      server = await FixtureServer.start(server.port);
    };

    it('shows what the replica has in a window that begins while the server is away', async () => {
      await server.stop();
      backlogs = createBacklogs(accounts, silentLog);
      opened.unshift(backlogs);
      await open(101);
      await eventually(() => assert.match(part('head'), /Café/));
      assert.match(String(last('problem')?.text), /Nothing answers/);
      await restartServer();
    });

    it('says no longer that the server is away once anything was read from it', async () => {
      await server.stop();
      await Promise.allSettled((await backlogs.projects()).map(({ key }) => backlogs.reload(key)));
      await backlogs.refresh();
      await open(104);
      assert.match(String(last('problem')?.text), /Nothing answers/);
      assert.equal(backlogs.failures.length, 1);
      await restartServer();
      await backlogs.reload({ accountId: server.url, projectId: 7 });
      await eventually(() => assert.deepEqual([backlogs.failures.length, last('problem')?.text], [0, '']));
    });

    it('say nothing more once their tab shows another story', async () => {
      opened.shift()?.dispose();
      const before = told.length;
      server.routes.story(101).elements.set('name', '<name>Renamed</name>');
      await backlogs.refresh();
      say.fire({ type: 'ready' });
      await sleep(200);
      assert.deepEqual(told.slice(before), []);
    });

    it('send a page the story once before it is there, and then whatever is new', async () => {
      opened.shift()?.dispose();
      const { notes } = server.routes.story(101);
      for (let id = 900; id < 920; id++) notes.push({ id, text: `Said ${id}.`, author: 'Ana Example' });
      await backlogs.refresh();
      told.length = 0;
      await open(101, { isLate: true });
      const said = () => part('comments').match(/Said \d+\./g)?.length;
      assert.equal(said(), 8 - notes.length + 20, 'a screen full of comments');
      const sent = () => told.filter(({ type }) => type === 'content' || type === 'fields').map(({ type }) => type);
      server.routes.story(101).elements.set('name', '<name>Renamed</name>');
      await backlogs.refresh();
      await eventually(() => assert.match(page.title, /Renamed/));
      assert.deepEqual(sent(), ['fields', 'content']);
      say.fire({ type: 'ready' });
      await eventually(() => assert.match(part('head'), /Renamed/));
      assert.deepEqual(sent(), ['fields', 'content', 'fields', 'content']);
      assert.equal(said(), 20);
      notes.splice(-20);
    });

    describe('of a story without a number', () => {
      const key = () => ({ accountId: server.url, projectId: 7 });
      const bread = { name: 'Bake bread' };
      const commentOf = (storyId: number) => memory.drafts.get(commentDraft(key(), storyId));
      /** One that waits, with the words of a story that has long been there, in a tab with a comment that was begun. */
      const wait = async () => {
        const { description } = (await backlogs.story(104))?.story ?? {};
        server.reply(/^POST .*\/stories$/, { status: 503, body: '' }, 1);
        const story = { ...bread, ...(description !== undefined && { description }) };
        const { made } = await makeStories(backlogs, key(), [{ story }]);
        const storyId = made[0]?.storyId ?? 0;
        assert.ok(storyId < 0);
        await open(storyId);
        say.fire({ type: 'draft', text: 'Half a comment' });
        await eventually(() => assert.equal(commentOf(storyId), 'Half a comment'));
        return storyId;
      };

      it('says that it was deleted where it was discarded, and takes no older one of the same words for it', async () => {
        const storyId = await wait();
        for (const { id } of backlogs.unsent) await backlogs.discard(id);
        await backlogs.refresh();
        await eventually(() => assert.match(String(last('problem')?.text), /was deleted/));
        assert.deepEqual([moved, commentOf(104), commentOf(storyId)], [[], undefined, 'Half a comment']);
      });

      it('becomes the story that the server makes of it', async () => {
        const storyId = await wait();
        await accounts.outbox.retry();
        await eventually(() => assert.equal(moved.length, 1), 20_000);
        const number = moved[0] ?? 0;
        assert.ok(number > 104);
        assert.deepEqual([commentOf(number), commentOf(storyId)], ['Half a comment', undefined]);
      });
    });

    /** The page of a tab is there at once, or whenever it says so. */
    async function open(storyId: number, { isLate = false } = {}): Promise<void> {
      const webview = {
        onDidReceiveMessage: say.event,
        postMessage: async (message: Record<string, unknown>) => told.push(message) > 0 && !isHidden,
      };
      page = { title: '', webview } as unknown as vscode.WebviewPanel;
      restoredStories = new RestoredStories();
      const shows = { accountId: server.url, projectId: 7, storyId };
      const panel = new StoryPanel(
        {
          ...{ accounts, backlogs, engine, log: silentLog, messages, restoredStories },
          ...{ workspaceMemory, drafts: memory.drafts, ...notWritten },
          addTask: (found, description) =>
            addTaskTo({ backlogs, log: silentLog, messages, restoredStories, undoHistory }, found, description),
        },
        page,
        shows,
        panelTexts(vscode),
        { onDidMove: ({ storyId: number }) => moved.push(number) },
      );
      opened.unshift(panel);
      if (!isLate) say.fire({ type: 'ready' });
      await panel.load();
    }

    const workspaceMemory: vscode.Memento = {
      keys: () => [],
      get: <T>(_: string, otherwise?: T) => otherwise as T,
      update: async () => undefined,
    };

    it('keep a comment that was begun until the server has taken it', async () => {
      say.fire({ type: 'draft', text: 'Merci' });
      server.refuse(/^POST .*\/notes$/, ['No comments today.']);
      say.fire({ type: 'comment', text: 'Merci' });
      await eventually(() => assert.ok(last('commentRefused')));
      say.fire({ type: 'ready' });
      await eventually(() => assert.deepEqual(last('draft'), { type: 'draft', text: 'Merci' }));
      say.fire({ type: 'comment', text: 'Merci' });
      await eventually(() => assert.ok(last('commentTaken')));
      assert.deepEqual(memory.values, []);
    });

    it('take along to another project what was begun on a story, but over nothing that was begun there', async () => {
      const from = { accountId: server.url, projectId: 7, storyId: 101 };
      const to = { ...from, projectId: 8 };
      const [comment, description] = [commentDraft(from, 101), `${fieldDrafts(from, 101)}/description`];
      const [name, ofAnother] = [`${fieldDrafts(from, 101)}/name`, commentDraft(from, 1012)];
      for (const one of [comment, description, name, ofAnother]) await memory.drafts.update(one, `In ${one}`);
      await memory.drafts.update(`${fieldDrafts(to, 101)}/name`, 'There already');
      await moveDrafts(memory.drafts, from, to);
      const held = memory.drafts.keys().map((one) => [one, memory.drafts.get(one)] as const);
      assert.deepEqual(
        new Map(held),
        new Map([
          [commentDraft(to, 101), `In ${comment}`],
          [`${fieldDrafts(to, 101)}/description`, `In ${description}`],
          [`${fieldDrafts(to, 101)}/name`, 'There already'],
          [name, `In ${name}`],
          [ofAnother, `In ${ofAnother}`],
        ]),
      );
    });

    it('show the newest of very many comments, and older ones when asked to', async () => {
      const { notes } = server.routes.story(105);
      for (let id = 1000; id < 101_000; id++) notes.push({ id, text: `Said ${id}.`, author: 'Ana Example' });
      server.keepAnswers();
      await assertGivesWay(() => open(105), '100,000 comments');
      const said = () => [...part('comments').matchAll(/Said (\d+)\./g)].map(([, id]) => Number(id));
      assert.deepEqual([said().length, said().at(-1)], [50, 100_999]);
      assert.match(part('comments'), /Show Older Comments \(950\)/);
      say.fire({ type: 'older', list: 'comments' });
      await eventually(() => assert.deepEqual([said().length, said()[0]], [100, 100_900]));
      for (let steps = 0; steps < 30 && part('comments').includes('Show Older Comments'); steps++) {
        say.fire({ type: 'older', list: 'comments' });
      }
      assert.equal(said()[0], 100_000);
      assert.match(part('comments'), /99000 older items are only available on the server\..*Show Newest Comments/s);
      say.fire({ type: 'newest', list: 'comments' });
      assert.equal(said().at(-1), 100_999);
    }).timeout(60_000);

    it('show the story and what is below it', () => {
      assert.match(part('head'), /Café テスト &lt;menu&gt;/);
      assert.match(part('tasks'), /wipe the tables/);
      assert.match(part('comments'), /Bon appétit/);
      assert.match(part('attachments'), /menu\.txt/);
      assert.match(part('details'), /2010\/12\/01 09:30:00 EST.*|https:\/\/tickets\.example\.test\/007/s);
    });

    it('add a comment and say that it was taken', async () => {
      say.fire({ type: 'comment', text: 'Merci' });
      await eventually(() => assert.match(part('comments'), /Comments \(2\).*Merci/s));
      await eventually(() => assert.deepEqual(last('commentTaken'), { type: 'commentTaken', text: 'Merci' }));
    });

    it('say why a comment was refused, and never that it was taken', async () => {
      server.refuse(/^POST .*\/notes$/, ['No comments today.']);
      say.fire({ type: 'comment', text: 'Merci' });
      await eventually(() => assert.match(String(last('commentRefused')?.problem), /No comments today\./));
      assert.equal(last('commentTaken'), undefined);
      assert.equal(server.routes.story(101).notes.length, 1);
    });

    it('do not double a comment whose answer got lost', async () => {
      server.loseAnswer(/^POST .*\/notes$/);
      say.fire({ type: 'comment', text: 'Merci' });
      await eventually(() => assert.ok(last('commentTaken')));
      await eventually(() => assert.deepEqual(backlogs.unsent, []));
      assert.equal(server.routes.story(101).notes.length, 2);
      await eventually(() => assert.doesNotMatch(part('comments'), /Not sent yet/));
      assert.match(part('comments'), /Comments \(2\).*Merci/s);
    });

    it('complete a task, and take that back when it is refused', async () => {
      say.fire({ type: 'task', id: 11, complete: false });
      await eventually(() => assert.equal(server.routes.story(101).tasks[0]?.complete, false));
      await backlogs.refresh({ isAskedFor: true });
      await eventually(() => assert.doesNotMatch(part('tasks'), /checked/));
      server.refuse(/^PUT .*\/tasks\/11$/, ['Too late.']);
      say.fire({ type: 'task', id: 11, complete: true });
      await eventually(() => assert.match(String(last('problem')?.text), /Too late\./));
      await eventually(() => assert.doesNotMatch(part('tasks'), /checked/));
    });

    const tasksOf = (id: number) => server.routes.story(id).tasks.map(({ description }) => description);

    it('add tasks typed at speed to a slow server, each once', async () => {
      const before = tasksOf(101);
      const letGo = server.hold(/^POST .*\/tasks$/, 2);
      for (const text of ['alpha', 'beta', 'gamma']) say.fire({ type: 'newTask', text });
      await eventually(() => assert.match(part('tasks'), /alpha.*beta.*gamma/s));
      assert.equal(last('taskRefused'), undefined);
      letGo();
      await eventually(() => assert.deepEqual(tasksOf(101), [...before, 'alpha', 'beta', 'gamma']));
      await eventually(() => assert.equal(told.filter(({ type }) => type === 'taskTaken').length, 3));
    });

    it('take back what was added, each task by itself, though others have the same words', async () => {
      const before = tasksOf(101);
      const letGo = server.hold(/^POST .*\/tasks$/, 2);
      for (const text of [' alpha', 'beta', 'alpha']) say.fire({ type: 'newTask', text });
      letGo();
      await eventually(() => assert.equal(told.filter(({ type }) => type === 'taskTaken').length, 3));
      server.routes.story(101).tasks.push({ id: 990, description: 'alpha', complete: false });
      await undoHistory.retrace('undo');
      await undoHistory.retrace('undo');
      const left = () => server.routes.story(101).tasks.slice(before.length);
      assert.deepEqual(
        left().map(({ description }) => description.trim()),
        ['alpha', 'alpha'],
      );
      await undoHistory.retrace('undo');
      assert.deepEqual(
        left().map(({ id }) => id),
        [990],
        'theirs stays',
      );
      await undoHistory.retrace('redo');
      assert.deepEqual(
        left().map(({ description }) => description.trim()),
        ['alpha', 'alpha'],
      );
    });

    it('give the text of a task back that was refused, and say why', async () => {
      const before = tasksOf(101);
      server.refuse(/^POST .*\/tasks$/, ['No tasks today.']);
      say.fire({ type: 'newTask', text: 'alpha' });
      await eventually(() => assert.equal(last('taskRefused')?.text, 'alpha'));
      assert.match(String(last('taskRefused')?.problem), /No tasks today\./);
      assert.deepEqual(tasksOf(101), before);
      assert.equal(last('taskTaken'), undefined);
    });

    it('give the text of a task back to a page that was hidden', async () => {
      server.refuse(/^POST .*\/tasks$/, ['No tasks today.']);
      isHidden = true;
      say.fire({ type: 'newTask', text: 'alpha' });
      await eventually(() => assert.equal(last('taskRefused')?.text, 'alpha'));
      const count = told.length;
      isHidden = false;
      say.fire({ type: 'ready' });
      await eventually(() => assert.ok(told.slice(count).some(({ type }) => type === 'taskRefused')));
    });

    it('keep tasks that were begun or given back for the next page and the next tab', async () => {
      const nothing = { task: '', taskEdits: [], taskReturned: [], commentReturned: [] };
      const texts = { ...nothing, task: 'He', taskEdits: [{ id: 5, text: 'Heat', known: 'H' }], taskReturned: ['Ho'] };
      say.fire({ type: 'keepTexts', texts });
      opened.shift()?.dispose();
      told.length = 0;
      await open(101);
      await eventually(() => assert.deepEqual(last('texts'), { type: 'texts', texts }));
      say.fire({ type: 'keepTexts', texts: nothing });
      assert.deepEqual(memory.values, []);
    });

    it('keep what was refused after they were closed, and say so', async () => {
      const shown = new RecordedMessages();
      opened.push({ dispose: () => shown.restore() });
      const kept = () => memory.values;
      server.refuse(/^POST .*\/(tasks|notes)$/, ['Closed for stocktaking.'], 3);
      say.fire({ type: 'newTask', text: 'Heat' });
      say.fire({ type: 'comment', text: 'Merci' });
      opened.shift()?.dispose();
      const texts = { task: '', taskEdits: [], taskReturned: ['Heat'], commentReturned: [] };
      await eventually(() => assert.deepEqual(new Set(kept()), new Set(['Merci', texts])));
      await eventually(() => assert.deepEqual([shown.shown.length, shown.shown[0]?.buttons], [2, ['Open Story']]));
      for (const name of memory.drafts.keys()) await memory.drafts.update(name, undefined);
      await open(101);
      isHidden = true;
      say.fire({ type: 'newTask', text: 'Heat' });
      await eventually(() => assert.ok(last('taskRefused')));
      isHidden = false;
      assert.deepEqual(kept(), []);
      opened.shift()?.dispose();
      await eventually(() => assert.deepEqual(kept(), [texts]));
    });

    it('edit a task, and give back what was typed when someone else has written something else', async () => {
      say.fire({ type: 'editTask', id: 11, text: 'Wipe them', known: tasksOf(101)[0] ?? '' });
      await eventually(() => assert.equal(tasksOf(101)[0], 'Wipe them'));
      await eventually(() => assert.equal(last('taskEdited')?.text, 'Wipe them'));
      const [task] = server.routes.story(101).tasks;
      if (task) task.description = 'Dry them';
      say.fire({ type: 'editTask', id: 11, text: 'Polish them', known: 'Wipe them' });
      await eventually(() => assert.equal(last('taskEditRefused')?.text, 'Polish them'));
      assert.equal(tasksOf(101)[0], 'Dry them', 'nothing is overwritten');
      assert.match(part('tasks'), /data-source="Dry them"/, 'what they wrote is shown');
    });

    it('lead from comments and tasks to stories that are known, and from nothing else', async () => {
      const page = `${server.url}/projects/7/stories/105`;
      server.routes.story(104).notes.push({ id: 900, text: `*Like* #105, ${page}, not #4711 <b>`, author: 'Ana' });
      server.routes.story(104).tasks.push({ id: 901, description: 'See `x` #105', complete: false });
      await open(104);
      const link = (text: string) => `<a href="#105" data-story="105">${text}</a>`;
      await eventually(() =>
        assert.ok(part('comments').includes(`<em>Like</em> ${link('#105')}, ${link(page)}, not #4711`)),
      );
      assert.ok(part('tasks').includes(`See <code>x</code> ${link('#105')}`));
      say.fire({ type: 'story', id: 105 });
      await eventually(() =>
        assert.ok(
          tabs().some((label) => label.startsWith('#105 ')),
          tabs().join(),
        ),
      );
      say.fire({ type: 'story', id: 4711 });
      await eventually(() => assert.match(String(last('problem')?.text), /Could not find story #4711/));
    });

    it('show much Markdown little by little, and hold nothing up', async () => {
      const evil = ['*_', '[', '![a](b', '> ', '- ', '`', '|a|\n|-|\n'].map((piece) =>
        piece.repeat(Math.ceil(9_900 / piece.length)),
      );
      for (let id = 2000; id < 2200; id++) {
        const text = `${id} ${evil[id % evil.length] ?? ''}`.slice(0, 9_990);
        server.routes.story(104).notes.push({ id, text, author: 'Ana' });
      }
      server.keepAnswers();
      await assertGivesWay(() => open(104), 'much Markdown');
      await eventually(() => assert.match(part('comments'), /2199/));
    }).timeout(60_000);

    it('have the images among the attachments fetched for the page, and nothing else', async () => {
      const { files } = server.routes.story(104);
      const attach = (id: number, filename: string, bytes: Buffer, url = `${server.url}/files/${id}?signature=abc`) =>
        files.set(id, { filename, bytes, url });
      const png = Buffer.concat([
        Buffer.from('89504e470d0a1a0a0000000d4948445200000007000000050802000000', 'hex'),
        Buffer.alloc(64),
      ]);
      attach(911, 'oven <b>.png', png);
      attach(912, 'evil.png', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'));
      attach(913, 'huge.png', Buffer.concat([png, Buffer.alloc(9 * 1024 * 1024)]));
      attach(914, 'elsewhere.png', png, 'http://127.0.0.2:9/secret.png');
      attach(915, 'last.png', png);
      await open(104);
      assert.match(
        part('attachments'),
        /<li data-image="911"><button[^>]* hidden><img alt="oven &lt;b&gt;\.png"><\/button>/,
      );
      assert.doesNotMatch(part('attachments'), /src=/);
      for (const id of [911, 912, 913, 914, 915]) say.fire({ type: 'image', id });
      const images = () => told.filter(({ type }) => type === 'image');
      await eventually(() =>
        assert.deepEqual(
          images()
            .map(({ id, mime }) => [id, mime])
            .toSorted(),
          [
            [911, 'image/png'],
            [915, 'image/png'],
          ],
        ),
      );
      assert.deepEqual(Buffer.from(images()[0]?.bytes as Uint8Array), png);
      say.fire({ type: 'image', id: 911 });
      await eventually(() => assert.equal(images().length, 3));
      const fetched = server.requests.filter(({ path }) => path === '/files/911');
      assert.equal(fetched.length, 1, 'it is remembered');
    });

    it('have an image fetched again that its server did not give at once', async () => {
      const { files } = server.routes.story(104);
      const png = Buffer.concat([
        Buffer.from('89504e470d0a1a0a0000000d4948445200000007000000050802000000', 'hex'),
        Buffer.alloc(64),
      ]);
      files.set(917, { filename: 'late.png', bytes: png, url: `${server.url}/files/917` });
      await open(104);
      server.loseAnswer(/^GET \/files\/917$/);
      say.fire({ type: 'image', id: 917 });
      await eventually(() => assert.equal(last('image')?.id, 917));
      assert.equal(server.requests.filter(({ path }) => path === '/files/917').length, 2);
    });

    it('show attached images in the description that is written, too', async () => {
      const { files } = server.routes.story(104);
      files.set(916, { filename: 'oven.png', bytes: Buffer.from('x'), url: `${server.url}/files/916` });
      await open(104);
      say.fire({ type: 'preview', text: '![the oven](attachment:oven.png)' });
      await eventually(() => assert.match(String(last('preview')?.html), /<span class="attached" data-image="916">/));
    });

    it('open no link but of the web and mail', async () => {
      say.fire({ type: 'link', address: 'command:workbench.action.closeAllEditors' });
      await eventually(() => assert.match(String(last('problem')?.text), /does not lead to a web page/));
    });

    it('follow a change made elsewhere', async () => {
      server.routes.story(101).elements.set('name', '<name>Renamed</name>');
      await backlogs.refresh();
      await eventually(() => assert.match(part('head'), /Renamed/));
    });

    it('say in which project and list their story is, and follow it to another', async () => {
      const where = () => part('head').match(/(?<=<span>).*?(?=<\/span>)/g);
      await open(104);
      await eventually(() => assert.deepEqual(where()?.slice(0, 3), ['#104', '<bdi>Café</bdi>', 'Backlog 13']));
      const unscheduled = { kind: 'edit', storyId: 104, edit: { state: 'unscheduled' } } as const;
      await backlogs.submit({ accountId: server.url, projectId: 7 }, [unscheduled]);
      await eventually(() => assert.equal(where()?.[2], 'Icebox'));
    });

    it('ask for a story that is deleted while it is shown once', async () => {
      await backlogs.reload({ accountId: server.url, projectId: 7 });
      server.requests.length = 0;
      await backlogs.submit({ accountId: server.url, projectId: 7 }, [{ kind: 'deleteStory', storyId: 101 }]);
      assert.ok(server.requests.some(({ method, path }) => method === 'DELETE' && /\/stories\/101$/.test(path)));
      await sleep(300);
      const asked = server.requests.filter(({ method, path }) => method === 'GET' && /\/stories\/101$/.test(path));
      assert.ok(asked.length <= 2, `${asked.length}`);
    });

    it('say that their story was deleted in this window, and where it is again', async () => {
      const key = { accountId: server.url, projectId: 7 };
      const title = page.title;
      const deleting = backlogs.submit(key, [{ kind: 'deleteStory', storyId: 101 }]);
      await eventually(() => assert.equal(last('problem')?.text, 'This story was deleted.'));
      await deleting;
      await backlogs.reload(key);
      await sleep(300);
      assert.deepEqual([last('problem')?.text, page.title], ['This story was deleted.', `${title} (Deleted)`]);
      assert.match(part('head'), /Café/);
      assert.equal(last('writable')?.isWritable, false);
      restoredStories.addRestored(key, 101, 104);
      await eventually(() =>
        assert.deepEqual(last('problem'), {
          type: 'problem',
          text: 'This story was deleted, and restored as #104.',
          open: { id: 104, text: 'Open #104' },
        }),
      );
      told.length = 0;
      say.fire({ type: 'ready' });
      await eventually(() => assert.match(String(last('problem')?.text), /restored as #104/));
      assert.equal(last('writable')?.isWritable, false, 'told to a page that knows nothing');
    });

    it('can be changed only while their account is signed in', async () => {
      const account = { id: server.url, label: 'A', kind: 'server', baseUrl: server.url } as const;
      await accounts.remove(account.id);
      await eventually(() => assert.equal(last('writable')?.isWritable, false));
      assert.match(String(last('problem')?.text), /^You are signed out of this server\. Sign in/);
      assert.match(part('head'), /Café/);
      await accounts.add(account, server.token);
      await eventually(() => assert.deepEqual([last('writable')?.isWritable, last('problem')?.text], [true, '']));
    });

    it('go on as before when the server refuses to delete their story', async () => {
      const title = page.title;
      server.refuse(/^DELETE /, ['Not now.']);
      await backlogs.submit({ accountId: server.url, projectId: 7 }, [{ kind: 'deleteStory', storyId: 101 }]);
      await eventually(() => assert.deepEqual([last('problem')?.text, page.title], ['', title]));
      await eventually(() => assert.equal(last('writable')?.isWritable, true));
    });

    it('say that their story was deleted elsewhere', async () => {
      server.routes.stories.splice(
        server.routes.stories.findIndex(({ id }) => id === 101),
        1,
      );
      await backlogs.refresh();
      await eventually(() => assert.match(String(last('problem')?.text), /^This story was deleted, or moved/));
    });

    it('show again what a page that was hidden asks for', async () => {
      const before = told.length;
      say.fire({ type: 'ready' });
      await eventually(() => assert.ok(told.slice(before).some(({ type }) => type === 'content')));
    });

    it('say so when the server cannot be asked, and go on showing the story', async () => {
      await server.stop();
      await open(101);
      assert.match(String(last('problem')?.text), /127\.0\.0\.1/);
      assert.match(part('head'), /Café/);
    });
  });
});
