import assert from 'node:assert/strict';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { commandIds } from '../../src/commandIds.ts';
import { TrackerError } from '../../src/core/errors.ts';
import type { OfferedDraft, PageFields } from '../../src/features/storyPanel/fieldMessages.ts';
import { panelTexts } from '../../src/features/storyPanel/panelTexts.ts';
import { StoryPanel } from '../../src/features/storyPanel/storyPanel.ts';
import { applyEdits } from '../../src/features/work/applyEdits.ts';
import { Accounts } from '../../src/host/accounts/accounts.ts';
import { createBacklogs } from '../../src/host/app.ts';
import { Engine } from '../../src/host/engine/engine.ts';
import type { Backlogs } from '../../src/host/projects/backlogs.ts';
import { Messages } from '../../src/host/shell/messages.ts';
import { RestoredStories } from '../../src/host/story/restoredStories.ts';
import { UndoHistory } from '../../src/host/story/undoHistory.ts';
import { eventually } from '../support/eventually.ts';
import { FixtureServer } from '../support/servers/fixtureServer.ts';
import { silentLog } from '../support/silentLog.ts';
import { KeptDrafts } from '../support/windows/keptDrafts.ts';
import { MemorySecrets } from '../support/windows/memorySecrets.ts';
import { RecordedMessages } from '../support/windows/recordedMessages.ts';

const extensionPath = vscode.extensions.getExtension('story-tracker.story-tracker')?.extensionPath ?? '';

/** Panels over a real engine, whose page is this test. */
describe('Writing a story in its tab', () => {
  const opened: { dispose(): unknown }[] = [];
  let server: FixtureServer;
  let told: Record<string, unknown>[];
  let say: vscode.EventEmitter<unknown>;
  let backlogs: Backlogs;
  let undoHistory: UndoHistory;
  let memory: KeptDrafts;
  let compared: unknown[];
  /** The tab that was opened last. */
  let shown: StoryPanel | undefined;
  /** What the stories of tabs are called by now. */
  let moved: number[];
  let engine: Engine;
  let accounts: Accounts;

  const last = (type: string) => told.findLast((message) => message.type === type);
  const fields = () => (last('fields') as { readonly fields: PageFields } | undefined)?.fields;
  const drafts = () => (last('drafts') as { readonly drafts: readonly OfferedDraft[] } | undefined)?.drafts ?? [];
  const kept = () => memory.values;
  const storedIn = (name: string, id = 101) =>
    new RegExp(`<${name}[^>]*>(.*?)</`, 's').exec(server.routes.story(id).elements.get(name) ?? '')?.[1];
  const changeElsewhere = (name: string, text: string) =>
    server.routes.story(101).elements.set(name, `<${name}>${text}</${name}>`);
  const save = (field: string, base: string, text: string) =>
    say.fire({ type: 'saveField', draft: { field, base, text } });

  beforeEach(async () => {
    server = await FixtureServer.start();
    memory = new KeptDrafts();
    compared = [];
    moved = [];
    shown = undefined;
    engine = new Engine(join(extensionPath, 'dist/worker.js'), silentLog);
    const nothing = { access: () => Promise.reject(new Error('There is no built-in service here.')) };
    accounts = new Accounts(new MemorySecrets(), engine, nothing);
    await accounts.add({ id: 'a', label: 'A', kind: 'server', baseUrl: server.url }, server.token);
    backlogs = createBacklogs(accounts, silentLog);
    undoHistory = new UndoHistory((key) => backlogs.has(key));
    opened.push(backlogs, accounts, engine, memory);
    await backlogs.all();
    await open();
  });
  afterEach(async () => {
    for (const one of opened.splice(0)) await one.dispose();
    await server.stop();
  });

  /** As when the tab is opened, or shown again by a page that remembers nothing. */
  async function open(storyId = 101): Promise<StoryPanel> {
    told = [];
    say = new vscode.EventEmitter();
    const webview = {
      onDidReceiveMessage: say.event,
      postMessage: async (message: Record<string, unknown>) => told.push(message) > 0,
    };
    const messages = new Messages(silentLog, () => undefined);
    const needs = { backlogs, log: silentLog, messages, restoredStories: new RestoredStories(), undoHistory };
    const workspaceMemory: vscode.Memento = {
      keys: () => [],
      get: <T>(_: string, otherwise?: T) => otherwise as T,
      update: async () => undefined,
    };
    const panel: StoryPanel = new StoryPanel(
      {
        ...needs,
        accounts,
        engine,
        workspaceMemory,
        drafts: memory.drafts,
        addTask: async () => {},
        applyEdits: (...wanted) => applyEdits(needs, ...wanted),
        comparison: { show: async (...shown) => void compared.push(...shown) },
      },
      { title: '', webview, active: true, dispose: () => panel.dispose() } as unknown as vscode.WebviewPanel,
      { accountId: 'a', projectId: 7, storyId },
      panelTexts(vscode),
      {
        onDidMove: (story) => void moved.push(story.storyId),
        tabOf: () => shown && { discard: (...gone) => void shown?.discard(...gone) },
      },
    );
    shown = panel;
    opened.unshift(panel, say);
    await panel.load();
    say.fire({ type: 'ready' });
    return panel;
  }

  it('tells the page what the story has and what can be chosen', () => {
    assert.equal(fields()?.texts.name, 'Café テスト <menu>');
    assert.ok(fields()?.people.includes('Ana Example'), fields()?.people.join());
    assert.deepEqual(fields()?.texts.type, storedIn('story_type'));
  });

  it('saves a name, shows it at once, and forgets the draft; the one undo takes it back', async () => {
    const before = fields()?.texts.name ?? '';
    const release = server.hold(/^PUT .*\/101$/);
    save('name', before, 'Lunch menu');
    await eventually(() => assert.equal(fields()?.texts.name, 'Lunch menu'));
    assert.equal(kept().length, 1);
    release();
    await eventually(() =>
      assert.deepEqual(last('fieldSaved'), { type: 'fieldSaved', field: 'name', text: 'Lunch menu' }),
    );
    assert.deepEqual([storedIn('name'), kept()], ['Lunch menu', []]);
    await undoHistory.retrace('undo');
    await eventually(() => assert.equal(fields()?.texts.name, before));
  });

  it('saves blanks at the beginning of a description alone, of which Markdown makes code, and takes them back', async () => {
    const before = fields()?.texts.description ?? '';
    const saved = async (base: string, text: string) => {
      save('description', base, text);
      await eventually(() => assert.deepEqual(last('fieldSaved'), { type: 'fieldSaved', field: 'description', text }));
    };
    await saved(before, 'make');
    await saved('make', '    make');
    assert.deepEqual([storedIn('description'), fields()?.texts.description, kept()], ['    make', '    make', []]);
    await undoHistory.retrace('undo');
    await eventually(() => assert.equal(storedIn('description'), 'make'));
  });

  it('says which fields were not sent yet while the server does not answer', async () => {
    const answer = server.hold(/^PUT .*\/101$/);
    save('description', fields()?.texts.description ?? '', 'Tall order');
    await eventually(() => assert.deepEqual(fields()?.unsent, ['description']));
    save('labels', '', 'shop');
    await eventually(() => assert.deepEqual(fields()?.unsent, ['description', 'labels']));
    answer();
    await eventually(() => assert.deepEqual([fields()?.unsent, storedIn('description')], [[], 'Tall order']));
  });

  it('puts the cursor into a field as soon as the page is there', async () => {
    const panel = await open();
    await eventually(() => assert.ok(fields()));
    panel.write('deadline');
    panel.write('name');
    say.fire({ type: 'ready' });
    await eventually(() => assert.deepEqual(last('write'), { type: 'write', field: 'name' }));
    assert.equal(told.filter(({ type }) => type === 'write').length, 1);
  });

  it('keeps what is typed until it is saved or discarded', async () => {
    const draft = { field: 'description', base: fields()?.texts.description ?? '', text: 'Half a thought' };
    say.fire({ type: 'keepDraft', draft });
    await eventually(() => assert.deepEqual(kept(), [draft]));
    await open();
    await eventually(() => assert.deepEqual(drafts(), [{ ...draft, problem: '' }]));
    say.fire({ type: 'discardDraft', field: 'description' });
    await eventually(() => assert.deepEqual(kept(), []));
    await open();
    assert.deepEqual(drafts(), []);
  });

  it('asks about what is not saved when the tab is closed, and keeps it until that is answered', async () => {
    const messages = new RecordedMessages();
    opened.push({ dispose: () => messages.restore() });
    const draft = { field: 'name', base: fields()?.texts.name ?? '', text: 'Half a na' };
    const close = () => {
      shown = undefined;
      opened.shift()?.dispose();
    };
    say.fire({ type: 'keepDraft', draft });
    await eventually(() => assert.deepEqual(kept(), [draft]));
    close();
    await eventually(() => assert.deepEqual(messages.shown[0]?.buttons, ['Open Story', 'Discard']));
    assert.match(messages.texts[0] ?? '', /Story #101 has unsaved text/);
    assert.deepEqual(kept(), [draft]);
    await open();
    close();
    assert.equal(messages.shown.length, 1);
    await open();
    say.fire({ type: 'keepDraft', draft });
    await eventually(() => assert.ok(drafts().length > 0));
    messages.press('Discard');
    close();
    await eventually(() => assert.deepEqual(kept(), []));
  });

  it('takes what is discarded by that question out of the tab that the story has again, where it can be restored', async () => {
    const messages = new RecordedMessages();
    opened.push({ dispose: () => messages.restore() });
    const draft = { field: 'description', base: fields()?.texts.description ?? '', text: 'Half a thought' };
    const press = messages.leaveOpen();
    say.fire({ type: 'keepDraft', draft });
    await eventually(() => assert.deepEqual(kept(), [draft]));
    opened.shift()?.dispose();
    await open();
    await eventually(() => assert.equal(drafts()[0]?.text, draft.text));
    press('Discard');
    await eventually(() => assert.deepEqual(last('draftsDiscarded'), { type: 'draftsDiscarded', drafts: [draft] }));
    assert.deepEqual(kept(), []);
  });

  it('asks about a comment and a task that were begun when the tab is closed, and discards both', async () => {
    const messages = new RecordedMessages();
    opened.push({ dispose: () => messages.restore() });
    const close = () => {
      shown = undefined;
      opened.shift()?.dispose();
    };
    const others = { task: 'Half a task', taskEdits: [], taskReturned: [], commentReturned: [] };
    say.fire({ type: 'draft', text: 'Half a comment' });
    await eventually(() => assert.equal(kept().length, 1));
    close();
    await eventually(() => assert.deepEqual(messages.shown[0]?.buttons, ['Open Story', 'Discard']));
    await open();
    close();
    await eventually(() => assert.deepEqual([messages.shown.length, kept()], [1, ['Half a comment']]));
    await open();
    say.fire({ type: 'keepTexts', texts: others });
    const press = messages.leaveOpen();
    close();
    await eventually(() => assert.equal(messages.shown.length, 2));
    await open();
    press('Discard');
    const gone = { type: 'begunDiscarded', comment: 'Half a comment', task: 'Half a task' };
    await eventually(() => assert.deepEqual([last('begunDiscarded'), kept()], [gone, []]));
    say.fire({ type: 'draft', text: 'Half a comment' });
    say.fire({ type: 'keepTexts', texts: others });
    messages.press('Discard');
    close();
    await eventually(() => assert.deepEqual([messages.shown.length, kept()], [3, []]));
  });

  it('shows what was written of a story that someone deleted, once its tab is closed, and forgets it then', async () => {
    const messages = new RecordedMessages();
    opened.push({ dispose: () => messages.restore() });
    say.fire({ type: 'keepDraft', draft: { field: 'description', base: '', text: 'Half a *thought*' } });
    say.fire({ type: 'draft', text: 'Half a comment' });
    const others = { task: 'Half a task', taskEdits: [], taskReturned: [], commentReturned: [] };
    say.fire({ type: 'keepTexts', texts: others });
    await eventually(() => assert.equal(kept().length, 3));
    server.routes.stories.splice(server.routes.stories.indexOf(server.routes.story(101)), 1);
    await backlogs.refresh();
    await eventually(() => assert.match(String(last('problem')?.text), /was deleted/));
    assert.equal(kept().length, 3);
    messages.press('Show Text');
    opened.shift()?.dispose();
    await eventually(() =>
      assert.equal(
        vscode.window.activeTextEditor?.document.getText(),
        '## Description\n\nHalf a *thought*\n\n## Comment\n\nHalf a comment\n\n## Task\n\nHalf a task\n',
      ),
    );
    assert.deepEqual(messages.shown[0]?.buttons, ['Show Text', 'Discard']);
    assert.match(messages.texts[0] ?? '', /Story #101 no longer exists/);
    await eventually(() => assert.deepEqual(kept(), []));
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  it('shows what was refused after its tab was closed, where the story is gone by the time it is opened again', async () => {
    const messages = new RecordedMessages();
    opened.push({ dispose: () => messages.restore() });
    const answer = server.hold(/^POST .*\/101\/notes$/);
    say.fire({ type: 'comment', text: 'A comment' });
    await eventually(() => assert.ok(server.requests.some(({ path }) => path.endsWith('/101/notes'))));
    opened.shift()?.dispose();
    server.routes.stories.splice(server.routes.stories.indexOf(server.routes.story(101)), 1);
    const { executeCommand } = vscode.commands;
    const isGone = async (...args: Parameters<typeof executeCommand>) => {
      if (args[0] === commandIds.openStory) throw new TrackerError('notFound', 'There is no such story.');
      return executeCommand(...args);
    };
    Object.assign(vscode.commands, { executeCommand: isGone });
    opened.push({ dispose: () => Object.assign(vscode.commands, { executeCommand }) });
    messages.press('Open Story');
    messages.press('Show Text');
    answer();
    await eventually(() =>
      assert.equal(vscode.window.activeTextEditor?.document.getText(), '## Comment\n\nA comment\n'),
    );
    assert.deepEqual(
      messages.shown.map(({ kind }) => kind),
      ['info', 'info'],
    );
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  it('asks about what was on its way when the tab was closed only once it is refused', async () => {
    const messages = new RecordedMessages();
    opened.push({ dispose: () => messages.restore() });
    const base = fields()?.texts.name ?? '';
    const closeWhileSaving = async (text: string) => {
      save('name', base, text);
      await eventually(() => assert.equal(fields()?.texts.name, text));
      opened.shift()?.dispose();
    };
    const answer = server.hold(/^PUT .*\/101$/);
    await closeWhileSaving('Lunch menu');
    answer();
    await eventually(() => assert.deepEqual(kept(), []));
    assert.deepEqual(messages.texts, []);
    await open();
    server.refuse(/^PUT .*\/101$/, ['Names are frozen.']);
    save('name', 'Lunch menu', 'Dinner menu');
    opened.shift()?.dispose();
    await eventually(() => assert.match(messages.texts[0] ?? '', /unsaved text/));
    await open();
    await eventually(() => assert.equal(drafts()[0]?.text, 'Dinner menu'));
  });

  it('keeps what is refused, with the words of the server', async () => {
    const base = fields()?.texts.name ?? '';
    server.refuse(/^PUT .*\/101$/, ['Names are frozen.']);
    save('name', base, 'Lunch menu');
    await eventually(() => assert.match(drafts()[0]?.problem ?? '', /Names are frozen\./));
    assert.equal(drafts()[0]?.text, 'Lunch menu');
    await eventually(() => assert.equal(fields()?.texts.name, base));
    await open();
    await eventually(() => assert.match(drafts()[0]?.problem ?? '', /^$|Names are frozen/));
    assert.equal(drafts()[0]?.text, 'Lunch menu');
  });

  it('keeps what a server takes without storing it, and says so', async () => {
    const base = fields()?.texts.description ?? '';
    const text = `${base} and twelve more words that this server cuts off`;
    const { elements } = server.routes.story(101);
    const before = elements.get('description') ?? '';
    const answer = server.hold(/^PUT .*\/101$/);
    save('description', base, text);
    await eventually(() => assert.equal(fields()?.texts.description, text));
    const set = elements.set.bind(elements);
    elements.set = (name, xml) => set(name, name === 'description' ? before : xml);
    answer();
    await eventually(() => assert.match(drafts()[0]?.problem ?? '', /server/));
    assert.deepEqual([drafts()[0]?.text, fields()?.texts.description], [text, base]);
    assert.equal(kept().length, 1);
  });

  it('keeps what is saved into a story that could not be read', async () => {
    server.refuse(/^GET .*\/999$/, ['Closed for stocktaking.'], Infinity);
    await open(999);
    const draft = { field: 'name', base: '', text: 'Lunch menu' };
    say.fire({ type: 'saveField', draft });
    await eventually(() => assert.match(drafts()[0]?.problem ?? '', /could not be read/));
    assert.deepEqual([kept(), last('fieldSaved')], [[draft], undefined]);
  });

  it('overwrites nothing that someone else wrote since, whether that is known here or not', async () => {
    const base = fields()?.texts.name ?? '';
    changeElsewhere('name', 'Theirs');
    save('name', base, 'Mine');
    await eventually(() => assert.match(drafts()[0]?.problem ?? '', /“Theirs”/));
    await eventually(() => assert.equal(fields()?.texts.name, 'Theirs'));
    assert.deepEqual([storedIn('name'), drafts()[0]?.base, drafts()[0]?.text], ['Theirs', base, 'Mine']);
    const asked = server.requests.length;
    save('name', base, 'Mine');
    await eventually(() => assert.match(drafts()[0]?.problem ?? '', /Not saved/));
    assert.equal(server.requests.length, asked);
    save('name', 'Theirs', 'Mine');
    await eventually(() => assert.equal(storedIn('name'), 'Mine'));
  });

  it('brings a change that waited and was refused back as what was being written', async () => {
    const base = fields()?.texts.name ?? '';
    const { port } = server;
    await server.stop();
    save('name', base, 'Mine');
    await eventually(() => assert.ok(last('fieldSaved')));
    await eventually(() => assert.deepEqual([fields()?.texts.name, kept()], ['Mine', []]));
    server = await FixtureServer.start(port);
    changeElsewhere('name', 'Theirs');
    await backlogs.attend();
    await eventually(async () => {
      await backlogs.refresh();
      assert.deepEqual([drafts()[0]?.base, drafts()[0]?.text], [base, 'Mine']);
    }, 60_000);
    await eventually(() => assert.equal(fields()?.texts.name, 'Theirs'));
    await open();
    await eventually(() => assert.equal(drafts()[0]?.text, 'Mine'));
    say.fire({ type: 'discardDraft', field: 'name' });
    await eventually(() => assert.deepEqual(backlogs.unsent, []));
    assert.equal(storedIn('name'), 'Theirs');
  }).timeout(90_000);

  it('shows theirs in place of a draft that was discarded in the list of unsent changes', async () => {
    const base = fields()?.texts.name ?? '';
    const { port } = server;
    await server.stop();
    save('name', base, 'Mine');
    await eventually(() => assert.ok(last('fieldSaved')));
    server = await FixtureServer.start(port);
    changeElsewhere('name', 'Theirs');
    await backlogs.attend();
    await eventually(async () => {
      await backlogs.refresh();
      assert.equal(drafts()[0]?.text, 'Mine');
    }, 60_000);
    const [entry] = backlogs.unsent;
    assert.ok(entry && (await backlogs.discard(entry.id)));
    await eventually(() =>
      assert.deepEqual(last('draftWithdrawn'), { type: 'draftWithdrawn', field: 'name', text: 'Mine' }),
    );
    assert.deepEqual([fields()?.texts.name, kept()], ['Theirs', []]);
  }).timeout(90_000);

  it('adds and removes labels, leaving those that someone else added in the meantime', async () => {
    changeElsewhere('labels', 'api,theirs');
    save('labels', '', 'shop, kitchen');
    await eventually(() => assert.equal(storedIn('labels'), 'api,theirs,shop,kitchen'));
    say.fire({ type: 'removeLabel', text: 'api' });
    await eventually(() => assert.equal(storedIn('labels'), 'theirs,shop,kitchen'));
  });

  it('takes no one for owner who is no member', async () => {
    save('ownedBy', fields()?.texts.ownedBy ?? '', 'Nobody Known');
    await eventually(() => assert.match(drafts()[0]?.problem ?? '', /Nobody Known is not a member/));
  });

  it('shows a story that waits until it has its number, and is that one then, with what was written of it', async () => {
    const { port } = server;
    await server.stop();
    const intent = {
      kind: 'newStory',
      storyId: -5,
      story: { name: 'Rye', type: 'chore', state: 'unscheduled' },
    } as const;
    assert.ok((await backlogs.submit({ accountId: 'a', projectId: 7 }, [intent])).waiting);
    await open(-5);
    assert.deepEqual([fields()?.fields, last('problem')?.text], [[], '']);
    say.fire({ type: 'draft', text: 'Half a comment' });
    server = await FixtureServer.start(port);
    await backlogs.attend();
    await eventually(async () => {
      await backlogs.refresh();
      assert.ok(moved.length > 0);
    }, 60_000);
    const [storyId = 0] = moved;
    assert.equal(storedIn('name', storyId), 'Rye');
    await open(storyId);
    await eventually(() => assert.deepEqual(last('draft'), { type: 'draft', text: 'Half a comment' }));
  }).timeout(90_000);

  it('previews Markdown without any markup of the text', async () => {
    say.fire({ type: 'preview', text: '**bold** <img src=x onerror=alert(1)> [x](command:a)' });
    await eventually(() => assert.match(String(last('preview')?.html), /<strong>bold<\/strong> &lt;img/));
    assert.doesNotMatch(String(last('preview')?.html), /<img|href="command/);
  });

  it('compares what is written with what the story has', async () => {
    say.fire({ type: 'compare', text: 'Mine' });
    await eventually(() => assert.deepEqual(compared.slice(2), [fields()?.texts.description, 'Mine']));
  });
});
