import assert from 'node:assert/strict';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { ShownSettings, ToPage } from '../../src/features/projectSettings/settingsMessages.ts';
import { SettingsPanel } from '../../src/features/projectSettings/settingsPanel.ts';
import { settingsPanelTexts } from '../../src/features/projectSettings/settingsTexts.ts';
import { Accounts } from '../../src/host/accounts/accounts.ts';
import { createBacklogs } from '../../src/host/app.ts';
import { Engine } from '../../src/host/engine/engine.ts';
import type { Backlogs } from '../../src/host/projects/backlogs.ts';
import { eventually } from '../support/eventually.ts';
import { FixtureServer } from '../support/servers/fixtureServer.ts';
import { runningService } from '../support/servers/runningService.ts';
import { silentLog } from '../support/silentLog.ts';
import { KeptDrafts } from '../support/windows/keptDrafts.ts';
import { MemorySecrets } from '../support/windows/memorySecrets.ts';

const extensionPath = vscode.extensions.getExtension('story-tracker.story-tracker')?.extensionPath ?? '';
const run = (argument?: unknown) => vscode.commands.executeCommand('storyTracker.projectSettings', argument);
const tabs = () =>
  vscode.window.tabGroups.all
    .flatMap((group) => group.tabs)
    .filter(({ input }) => input instanceof vscode.TabInputWebview && /projectSettings$/.test(input.viewType));

describe('The command for project settings', () => {
  let server: FixtureServer;

  before(async () => {
    server = await FixtureServer.start();
    await vscode.commands.executeCommand('storyTracker.signIn', { baseUrl: server.url, token: server.token });
  });
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.commands.executeCommand('storyTracker.signOut', { baseUrl: server.url });
    await server.stop();
  });

  it('opens one tab for a project, and none for a project that is not there', async () => {
    await run({ projectId: 7 });
    await eventually(() =>
      assert.deepEqual(
        tabs().map(({ label }) => label.replace(/[\u2068\u2069]/g, '')),
        ['Settings: Café'],
      ),
    );
    await run({ projectId: 7 });
    assert.equal(tabs().length, 1);
    await run({ projectId: 8 });
    await eventually(() => assert.equal(tabs().length, 2));
    await assert.rejects(Promise.resolve(run({ projectId: 4711 })), /4711/);
    for (const projectId of [{}, [7], '7', null])
      await assert.rejects(Promise.resolve(run({ projectId })), /Pass projectId as number/);
  });
});

/** A tab whose page is this test. */
class Tab {
  readonly told: ToPage[] = [];
  private readonly said = new vscode.EventEmitter<unknown>();
  private readonly closed = new vscode.EventEmitter<void>();
  readonly panel = {
    title: '',
    webview: {
      onDidReceiveMessage: this.said.event,
      postMessage: async (message: ToPage) => {
        this.told.push(message);
        return true;
      },
    },
    onDidDispose: this.closed.event,
    reveal: () => undefined,
    dispose: () => this.closed.fire(),
  } as unknown as vscode.WebviewPanel;

  say(message: unknown): void {
    this.said.fire(message);
  }

  get shown(): ShownSettings | undefined {
    return this.told.findLast((message) => message.type === 'settings')?.shown;
  }

  /** What came of the request that is said now. */
  async answerTo(message: unknown): Promise<ToPage> {
    const before = this.told.length;
    this.say(message);
    const answers = ['saved', 'unsaved', 'refused'];
    const answer = () => this.told.slice(before).find(({ type }) => answers.includes(type));
    await eventually(() => assert.ok(answer()));
    const found = answer();
    assert.ok(found);
    return found;
  }
}

describe('The tab of project settings', () => {
  const texts = settingsPanelTexts(vscode);
  const asked: (string | undefined)[] = [];
  /** Turns away the first time it is asked. */
  const messages = {
    status: () => undefined,
    ask: async (question: string, detail: string | undefined, ...[answer]: readonly string[]) => {
      asked.push(question, detail);
      return asked.length > 2 ? answer : undefined;
    },
  };
  const memory = new KeptDrafts();
  let engine: Engine;
  let accounts: Accounts;
  let backlogs: Backlogs;

  before(() => {
    engine = new Engine(join(extensionPath, 'dist/worker.js'), silentLog);
    const nothing = { access: () => Promise.reject(new Error('There is no built-in service here.')) };
    accounts = new Accounts(new MemorySecrets(), engine, nothing);
    backlogs = createBacklogs(accounts, silentLog);
  });
  after(async () => {
    for (const one of [backlogs, accounts, engine, memory]) await one.dispose();
  });

  async function opened(accountId: string, projectId: number): Promise<Tab> {
    const tab = new Tab();
    const needs = { backlogs, log: silentLog, messages, openDrafts: async () => memory.drafts };
    new SettingsPanel(needs as never, tab.panel, { accountId, projectId }, texts);
    tab.say({ type: 'ready' });
    await eventually(() => assert.ok(tab.shown));
    return tab;
  }

  it('shows what is known of a project whose server has no settings, and says so in one line', async () => {
    const server = await FixtureServer.start();
    try {
      await accounts.add({ id: 'poor', label: 'P', kind: 'server', baseUrl: server.url }, server.token);
      await backlogs.backlog({ accountId: 'poor', projectId: 7 });
      const tab = await opened('poor', 7);
      assert.match(tab.shown?.notice ?? '', /^127\.0\.0\.1:\d+ does not offer project settings\.$/);
      assert.equal(tab.shown?.texts.pointScale, '0, 1, 2, 3, 5, 8');
      assert.equal(tab.shown?.texts.webHookUrl, undefined);
    } finally {
      await server.stop();
    }
  });

  it('saves over the API, gives way to others, and is read only while its server is away', async function () {
    this.timeout(60_000);
    const service = await runningService(join(extensionPath, 'dist/service.js'));
    try {
      await accounts.add({ id: 'own', label: 'O', kind: 'server', baseUrl: service.url }, service.token);
      await backlogs.backlog({ accountId: 'own', projectId: 1 });
      const tab = await opened('own', 1);
      assert.equal(tab.shown?.notice, '');
      const name = tab.shown?.texts.name ?? '';
      const save = (section: string, edit: object, known: object) => ({ type: 'save', section, texts: edit, known });
      assert.equal((await tab.answerTo(save('general', { name: 'Bakery' }, { name }))).type, 'saved');
      await eventually(() => assert.equal(tab.shown?.texts.name, 'Bakery'));
      const project = () => backlogs.peek({ accountId: 'own', projectId: 1 })?.project.name;
      await eventually(() => assert.equal(project(), 'Bakery'), 10_000);

      const refused = await tab.answerTo(save('planning', { pointScale: '3, 1' }, {}));
      assert.deepEqual(refused.type === 'refused' && Object.keys(refused.fields), ['pointScale']);

      await service.ask('PUT', '/projects/1', '<project><name>Theirs</name></project>');
      const other = save('stories', { enableTasks: 'false' }, { enableTasks: 'true' });
      assert.equal((await tab.answerTo(other)).type, 'saved', 'they changed something else');
      await service.ask('PUT', '/projects/1', '<project><name>Others</name></project>');
      const same = save('general', { name: 'Mine' }, { name: 'Theirs' });
      assert.equal((await tab.answerTo(same)).type, 'unsaved');
      assert.equal(tab.shown?.texts.name, 'Others');

      const longer = save('planning', { iterationLength: '4' }, { iterationLength: '1' });
      assert.equal((await tab.answerTo(longer)).type, 'unsaved', 'turned away');
      assert.match(asked[0] ?? '', /^\d+ stories change their iteration\.$/);
      assert.match(asked[1] ?? '', /#\d+ .*: iteration \d+ → \d+/);
      assert.equal((await tab.answerTo(longer)).type, 'saved');
      const estimates = save('planning', { pointScale: '0, 1, 13' }, { pointScale: '0, 1, 2, 3, 5, 8' });
      assert.equal((await tab.answerTo(estimates)).type, 'saved');
      assert.match(asked.at(-2) ?? '', /^\d+ stories have estimates that are not in the new scale\.$/);
      assert.match(asked.at(-1) ?? '', /^Stories keep their estimates/);
      assert.match(tab.panel.title, /^\u2068?Settings: .+ \(127\.0\.0\.1:\d+\)/, 'there are two servers');

      const tickets = { name: 'Tickets', fieldLabel: '', baseUrl: '', type: '', fieldName: '' };
      assert.equal((await tab.answerTo({ type: 'saveIntegration', fields: tickets })).type, 'saved');
      const integration = () => tab.shown?.integrations.find(({ name }) => name === 'Tickets');
      await eventually(() => assert.ok(integration()));
      const removed = await tab.answerTo({ type: 'removeIntegration', id: integration()?.id });
      assert.equal(removed.type === 'saved' && removed.text, 'Removed Tickets.');
      assert.equal(asked.at(-2), 'Remove the integration Tickets?');
      const questions = asked.length;
      const self = await tab.answerTo({ type: 'removeMember', id: tab.shown?.members[0]?.id });
      assert.match(self.type === 'refused' ? self.text : '', /only owner/);
      assert.equal(asked.length, questions, 'what cannot be done is not asked about');

      const invited = await tab.answerTo({ type: 'addMember', email: 'nobody', role: 'Member' });
      assert.match(invited.type === 'refused' ? invited.text : '', /email address/);
      const links = () => tab.told.flatMap((one) => (one.type === 'invited' ? [one.url] : []));
      assert.equal((await tab.answerTo({ type: 'addMember', email: 'cy@example.org', role: 'Member' })).type, 'saved');
      assert.match(links().at(-1) ?? '', /\/invite\//);
      const told = tab.told.flatMap((one) => (one.type === 'invited' ? [one.text] : []));
      assert.match(told.at(-1) ?? '', /The link works once, until .*\d/);
      const added = () => tab.shown?.members.find(({ person }) => person.email === 'cy@example.org');
      await eventually(() => assert.ok(added()));
      assert.equal((await tab.answerTo({ type: 'removeMember', id: added()?.id })).type, 'saved');
      await eventually(() => assert.equal(links().at(-1), '', 'the link goes with who was invited'));
      const { executeCommand } = vscode.commands;
      const ran: unknown[] = [];
      Object.assign(vscode.commands, { executeCommand: async (...args: readonly unknown[]) => void ran.push(args) });
      try {
        tab.say({ type: 'run', command: 'exportProject' });
        tab.say({ type: 'run', command: 'signOut' });
        const argument = { projectId: 1, accountId: 'own', caller: 'person' };
        await eventually(() => assert.deepEqual(ran, [['storyTracker.exportProject', argument]]));
      } finally {
        Object.assign(vscode.commands, { executeCommand });
      }
      assert.equal(tab.shown?.isBuiltIn, false);
      tab.say({ type: 'typed', typed: { name: { text: 'Half', base: 'Others' } } });
      await eventually(() => assert.deepEqual(memory.values, [{ name: { text: 'Half', base: 'Others' } }]));
      const again = await opened('own', 1);
      assert.deepEqual(again.told[0], { type: 'typed', typed: { name: { text: 'Half', base: 'Others' } } });
      const length = () => backlogs.peek({ accountId: 'own', projectId: 1 })?.project.iterationLength;
      await eventually(() => assert.equal(length(), 4), 10_000);
    } finally {
      await service.stop();
    }
    const tab = await opened('own', 1);
    assert.match(tab.shown?.notice ?? '', /is not reachable/);
    assert.equal(tab.shown?.texts.iterationLength, '4');
  });
});
