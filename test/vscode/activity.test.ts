import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { ActivityView } from '../../src/features/activity/activityView.ts';
import type { ActivityRow } from '../../src/features/activity/threads.ts';
import { Toasts } from '../../src/features/activity/toasts.ts';
import { Accounts } from '../../src/host/accounts/accounts.ts';
import { createBacklogs } from '../../src/host/app.ts';
import { Engine } from '../../src/host/engine/engine.ts';
import type { Messages } from '../../src/host/shell/messages.ts';
import { type Colleague, colleague } from '../support/servers/colleague.ts';
import { elementText, type RunningService, runningService } from '../support/servers/runningService.ts';
import { silentLog } from '../support/silentLog.ts';
import { MemorySecrets } from '../support/windows/memorySecrets.ts';

const extensionPath = vscode.extensions.getExtension('story-tracker.story-tracker')?.extensionPath ?? '';
const script = join(extensionPath, 'dist/service.js');
const run = (command: string, ...args: readonly unknown[]) =>
  vscode.commands.executeCommand(`storyTracker.${command}`, ...args);

/** Whose token the demo service gives away. */
const OWN_NAME = 'Nora Vesper';
const ownNameMemory = {
  get: () => ({ bakery: OWN_NAME }),
  update: async () => undefined,
} as unknown as vscode.Memento;

function day(date: Date): string {
  const two = (number: number) => String(number).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

describe('Activity', () => {
  let folder: string;
  let service: RunningService;
  let bo: Colleague;
  let id: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'story-tracker-activity-'));
    const dataFolder = join(folder, 'data');
    service = await runningService(script, dataFolder);
    bo = await colleague(script, { service, dataFolder, name: 'Bo Marsh' });
    const story =
      '<story><name>Bake bread</name><estimate>2</estimate><current_state>unstarted</current_state></story>';
    id = elementText(await service.ask('POST', '/projects/1/stories', story), 'id') ?? '';
  });
  after(async () => {
    await service.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  describe('of others', () => {
    const opened: { dispose(): unknown }[] = [];
    let secrets: MemorySecrets;

    before(async () => {
      secrets = new MemorySecrets();
      const { accounts } = window();
      await accounts.add({ id: 'bakery', label: 'Bakery', kind: 'server', baseUrl: service.url }, service.token);
    });
    afterEach(async () => {
      for (const one of opened.splice(0).toReversed()) await one.dispose();
    });

    /** One window among several on the same file; its view is not on screen. */
    function window() {
      const engine = new Engine(join(extensionPath, 'dist/worker.js'), silentLog, join(folder, 'replica.sqlite'));
      const access = () => Promise.reject(new Error('There is no built-in service here.'));
      const accounts = new Accounts(secrets, engine, { access });
      const backlogs = createBacklogs(accounts, silentLog);
      const shown = { visible: false, onDidChangeVisibility: new vscode.EventEmitter<unknown>().event };
      const tree = shown as unknown as vscode.TreeView<ActivityRow>;
      const changed = new vscode.EventEmitter<ActivityRow[] | undefined>();
      const needs = { accounts, backlogs, engine, log: silentLog, workspaceMemory: ownNameMemory };
      const view = new ActivityView(needs, tree, changed);
      opened.push(engine, accounts, backlogs, changed, view);
      return { accounts, backlogs, changed, engine, tree, view };
    }

    /** What is shown after a refresh, once it is known what one is called oneself. */
    async function shown({ view, backlogs, engine }: ReturnType<typeof window>) {
      await backlogs.refresh();
      await engine.activityLog.setOwnName({ accountId: 'bakery', address: service.url }, OWN_NAME);
      await view.follow();
      return (await view.children()).map((row) => view.item(row));
    }

    /** Notifications of a window, answered by the button that `answer` begins. */
    function toasts(given: ReturnType<typeof window>, told: string[], answer = '') {
      const messages = {
        info: async (text: string, ...answers: readonly string[]) => {
          told.push(text);
          return answers.find((one) => answer !== '' && one.startsWith(answer));
        },
      } as unknown as Messages;
      const toasts = new Toasts({ ...given, log: silentLog, messages, workspaceMemory: ownNameMemory });
      opened.push(toasts);
      return toasts;
    }

    it('is there after the first read, and none of it unread', async () => {
      const here = window();
      await here.backlogs.all();
      const [item] = await shown(here);
      assert.match(String(item?.label), /^You added "Bake bread"$/);
      assert.equal(here.tree.description, `You are ${OWN_NAME}`);
      assert.match(String(item?.accessibilityInformation?.label), /^\S.* added "Bake bread", (now|\d)/);
      assert.equal(here.tree.badge, undefined);
    });

    it('is a row that is unread, and counted, when another client changes a story; one’s own is not', async () => {
      const here = window();
      await here.backlogs.all();
      await bo.ask('PUT', `/stories/${id}`, '<story><current_state>started</current_state></story>');
      await bo.ask('POST', `/stories/${id}/notes`, '<note><text>Hot.</text></note>');
      await service.ask('POST', `/projects/1/stories/${id}/notes`, '<note><text>Mine.</text></note>');
      const [item] = await shown(here);
      assert.equal(here.tree.badge?.value, 2);
      assert.match(String(item?.label), /added comment: "Mine\." to "Bake bread"$/);
      assert.match(String(item?.accessibilityInformation?.label), /^2 unread, .*, 3 earlier activities$/);
      assert.deepEqual(item?.iconPath, new vscode.ThemeIcon('circle-filled', new vscode.ThemeColor('charts.blue')));

      const [row] = await here.view.children();
      const below = (await here.view.children(row)).map((one) => here.view.item(one));
      assert.deepEqual(
        below.map(({ label }) => String(label)),
        ['Bo Marsh added comment: "Hot." to "Bake bread"', 'Bo Marsh started "Bake bread"', 'You added "Bake bread"'],
      );
      assert.match(String(below[0]?.description), /^now$/);
      assert.match(String(below[0]?.accessibilityInformation?.label), /^Unread, Bo Marsh added comment/);
      assert.equal(new Set([item, ...below].map((one) => one?.id)).size, 4);
    });

    it('is looked at in all windows when it was marked as read in one', async () => {
      const [here, there] = [window(), window()];
      await Promise.all([here.backlogs.all(), there.backlogs.all()]);
      await bo.ask('POST', `/stories/${id}/notes`, '<note><text>Still hot.</text></note>');
      await shown(here);
      await shown(there);
      assert.ok((there.tree.badge?.value ?? 0) > 0);
      await here.view.markRead();
      assert.equal(here.tree.badge, undefined);
      await there.view.follow();
      assert.equal(there.tree.badge, undefined);
    });

    describe('in a project that is hidden', () => {
      const setting = () => vscode.workspace.getConfiguration('storyTracker');
      const set = (name: string, value: unknown) => setting().update(name, value, vscode.ConfigurationTarget.Global);
      afterEach(async () => {
        await bo.ask('PUT', `/stories/${id}`, '<story><owned_by>Bo Marsh</owned_by></story>');
        await set('hiddenProjects', undefined);
        await set('notifications', undefined);
      });

      it('is not shown and not counted, and no notification tells of it', async () => {
        await set('notifications', ['assigned']);
        const here = window();
        await here.backlogs.all();
        await shown(here);
        await here.view.markRead();
        const told: string[] = [];
        const ours = toasts(here, told);
        await ours.skip();
        await bo.ask('PUT', `/stories/${id}`, `<story><owned_by>${OWN_NAME}</owned_by></story>`);
        const [item] = await shown(here);
        assert.equal(item?.label, 'Bo Marsh made you the owner of "Bake bread"');
        assert.equal(here.tree.badge?.value, 1);
        const changed = new Promise<void>((resolve) => {
          opened.push(here.changed.event(() => resolve()));
        });
        await set('hiddenProjects', [`1@${new URL(service.url).host}`]);
        await changed;
        assert.deepEqual([await here.view.children(), here.tree.badge], [[], undefined]);
        await ours.tell();
        assert.deepEqual(told, []);
        await set('hiddenProjects', undefined);
        await shown(here);
        assert.equal(here.tree.badge?.value, 1);
        await bo.ask('PUT', `/stories/${id}`, '<story><owned_by>Bo Marsh</owned_by></story>');
        await bo.ask('PUT', `/stories/${id}`, `<story><owned_by>${OWN_NAME}</owned_by></story>`);
        await shown(here);
        await ours.tell();
        assert.deepEqual(told, ['Bo Marsh assigned “Bake bread” to you.']);
      });
    });

    it('is told in the server’s words as text, never as markup or in another direction', async () => {
      const here = window();
      await here.backlogs.all();
      await bo.ask(
        'POST',
        `/stories/${id}/notes`,
        '<note><text>[a](command:x) &lt;b&gt; \u202eback\n\n$(bug)</text></note>',
      );
      const [item] = await shown(here);
      assert.equal(item?.label, 'Bo Marsh added comment: "[a](command:x) <b> \ufffdback $(bug)" to "Bake bread"');
      const hover = item?.tooltip as vscode.MarkdownString;
      assert.equal(hover.isTrusted, false);
      assert.ok(!hover.value.includes('[a](command:x)') && !hover.value.includes('<b>'), hover.value);
    });

    describe('that someone wished to be told of', () => {
      const setting = () => vscode.workspace.getConfiguration('storyTracker');
      before(() => setting().update('notifications', ['assigned'], vscode.ConfigurationTarget.Global));
      after(() => setting().update('notifications', undefined, vscode.ConfigurationTarget.Global));

      it('is told in one window, once, and nothing else is', async () => {
        const [here, there] = [window(), window()];
        const told: string[] = [];
        const both = [toasts(here, told), toasts(there, told)];
        await Promise.all([here.backlogs.all(), there.backlogs.all()]);
        await bo.ask('PUT', `/stories/${id}`, `<story><owned_by>${OWN_NAME}</owned_by></story>`);
        await bo.ask('PUT', `/stories/${id}`, '<story><labels>warm</labels></story>');
        await here.backlogs.refresh();
        await there.backlogs.refresh();
        await Promise.all(both.map((one) => one.tell()));
        assert.deepEqual(told, ['Bo Marsh assigned “Bake bread” to you.']);
      });

      it('is told by the name that the story has there, not by that of a story with its number on another server', async () => {
        const other = await runningService(script);
        try {
          const story = '<story><name>Churn butter</name></story>';
          assert.equal(elementText(await other.ask('POST', '/projects/1/stories', story), 'id'), id);
          const [here, there] = [window(), window()];
          await here.accounts.add({ id: 'dairy', label: 'Dairy', kind: 'server', baseUrl: other.url }, other.token);
          await here.backlogs.backlog({ accountId: 'dairy', projectId: 1 });
          await there.backlogs.all();
          await bo.ask('PUT', `/stories/${id}`, '<story><owned_by>Bo Marsh</owned_by></story>');
          await bo.ask('PUT', `/stories/${id}`, `<story><owned_by>${OWN_NAME}</owned_by></story>`);
          await there.backlogs.refresh();
          const told: string[] = [];
          await toasts(here, told).tell();
          assert.deepEqual(told, ['Bo Marsh assigned “Bake bread” to you.']);
          await here.accounts.remove('dairy');
        } finally {
          await other.stop();
        }
      });

      it('is told of deliveries to accept, of comments and of mentions, once among two windows', async () => {
        await setting().update(
          'notifications',
          ['delivered', 'commented', 'mentioned'],
          vscode.ConfigurationTarget.Global,
        );
        const di = await colleague(script, { service, dataFolder: join(folder, 'data'), name: 'Di Ford' });
        const others = '<story><name>Sweep</name><requested_by>Di Ford</requested_by></story>';
        const otherId = elementText(await di.ask('POST', '/stories', others), 'id');
        const mine = `<story><name>Mop</name><estimate>1</estimate><owned_by>${OWN_NAME}</owned_by></story>`;
        const mineId = elementText(await service.ask('POST', '/projects/1/stories', mine), 'id');
        const [here, there] = [window(), window()];
        const told: string[] = [];
        const both = [toasts(here, told), toasts(there, told)];
        await Promise.all([here.backlogs.all(), there.backlogs.all()]);
        await here.backlogs.refresh();
        await both[0]?.skip();
        await di.ask('PUT', `/stories/${mineId}`, '<story><current_state>delivered</current_state></story>');
        await di.ask('POST', `/stories/${mineId}/notes`, '<note><text>Is it good?</text></note>');
        await di.ask('POST', `/stories/${otherId}/notes`, '<note><text>@nv should know.</text></note>');
        await here.backlogs.refresh();
        await there.backlogs.refresh();
        await Promise.all(both.map((one) => one.tell()));
        assert.deepEqual(told, [
          [
            'Di Ford delivered “Mop” for you to accept.',
            'Di Ford commented on your story “Mop”.',
            'Di Ford mentioned you in “Sweep”.',
          ].join(' '),
        ]);
        await setting().update('notifications', ['assigned'], vscode.ConfigurationTarget.Global);
      });

      it('is told no more once nobody wants to hear of it, and not afterwards either', async () => {
        const here = window();
        const told: string[] = [];
        const ours = toasts(here, told, 'Don');
        await here.backlogs.all();
        for (const owner of ['Bo Marsh', OWN_NAME]) {
          await bo.ask('PUT', `/stories/${id}`, `<story><owned_by>${owner}</owned_by></story>`);
        }
        await here.backlogs.refresh();
        await ours.tell();
        assert.equal(told.length, 1);
        assert.deepEqual(setting().get('notifications'), []);
        await bo.ask('PUT', `/stories/${id}`, '<story><owned_by>Bo Marsh</owned_by></story>');
        await here.backlogs.refresh();
        await ours.skip();
        await ours.tell();
        assert.equal(told.length, 1);
      });
    });

    describe('of an account that signs out', () => {
      it('is gone with who signed out', async () => {
        const here = window();
        await here.accounts.remove('bakery');
        await here.view.follow();
        assert.deepEqual(await here.view.children(), []);
        assert.equal(here.tree.badge, undefined);
      });
    });
  });

  describe('of mine while the server is away', () => {
    it('is copied as far as it is known here, and says so', async () => {
      const away = await runningService(script);
      await run('signIn', { baseUrl: away.url, token: away.token });
      try {
        const made = await away.ask('POST', '/projects/1/stories', '<story><name>Made today</name></story>');
        const since = day(new Date());
        await run('copyMyActivity', { since });
        assert.doesNotMatch(await vscode.env.clipboard.readText(), /Could not refresh/);
        await run('refresh');
        await away.stop();
        await vscode.env.clipboard.writeText('');
        await run('copyMyActivity', { since });
        const text = await vscode.env.clipboard.readText();
        assert.match(text, new RegExp(`^- #${elementText(made, 'id')} Made today — added$`, 'm'));
        assert.match(text, /^_Could not refresh Story Tracker\. .*_$/m);
      } finally {
        await run('signOut', { baseUrl: away.url });
      }
    });
  });

  describe('of mine', () => {
    before(() => run('signIn', { baseUrl: service.url, token: bo.token }));
    after(() => run('signOut', { baseUrl: service.url }));

    it('is copied by story, without what others did', async () => {
      const own = '<story><name>Sell bread</name><requested_by>Bo Marsh</requested_by></story>';
      const sold = elementText(await bo.ask('POST', '/stories', own), 'id');
      await run('refresh');
      await run('copyMyActivity', { since: day(new Date()) });
      const text = await vscode.env.clipboard.readText();
      assert.match(text, /^My activity since \w+day, /);
      assert.match(text, new RegExp(`^- #${id} Bake bread — started, commented \\(3\\)`, 'm'));
      assert.match(text, new RegExp(`^- #${sold} Sell bread — added$`, 'm'));
      assert.equal(text.trim().split('\n').length, 4, text);
    });

    it('is copied from a server too where one has no story', async () => {
      const dataFolder = join(folder, 'dairy');
      const dairy = await runningService(script, dataFolder);
      const cy = await colleague(script, { service: dairy, dataFolder, name: 'Cy Holm' });
      const churn = await dairy.ask('POST', '/projects/1/stories', '<story><name>Churn butter</name></story>');
      const churnId = elementText(churn, 'id');
      await cy.ask('POST', `/stories/${churnId}/notes`, '<note><text>Slowly.</text></note>');
      await run('signIn', { baseUrl: dairy.url, token: cy.token });
      try {
        await run('copyMyActivity', { since: day(new Date()) });
        const text = await vscode.env.clipboard.readText();
        assert.match(text, new RegExp(`^- #${id} Bake bread — `, 'm'));
        assert.match(text, new RegExp(`^- #${churnId} Churn butter — commented$`, 'm'));
      } finally {
        await run('signOut', { baseUrl: dairy.url });
        await dairy.stop();
      }
    });

    it('is not copied from a day that is none', async () => {
      for (const since of ['2026-02-30', 'monday', 7, '2999-01-01']) {
        await assert.rejects(async () => run('copyMyActivity', { since }), /YYYY-MM-DD/);
      }
    });

    it('marks what there is as read for a program too', async () => {
      assert.equal(await run('markActivityRead', {}), undefined);
    });
  });
});
