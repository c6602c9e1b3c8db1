import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { storiesOf } from '../../src/core/backlog/backlog.ts';
import { messageOf } from '../../src/core/errors.ts';
import { matches, parseFilter } from '../../src/core/filter/filter.ts';
import type { Log } from '../../src/core/log.ts';
import { StoryTree } from '../../src/features/stories/tree/storyTree.ts';
import { treeItem } from '../../src/features/stories/tree/treeItem.ts';
import { signedOut, viewNotice } from '../../src/features/stories/tree/treeTexts.ts';
import { panelTexts } from '../../src/features/storyPanel/panelTexts.ts';
import { storyParts } from '../../src/features/storyPanel/storyParts.ts';
import { Accounts } from '../../src/host/accounts/accounts.ts';
import { createBacklogs } from '../../src/host/app.ts';
import { Engine } from '../../src/host/engine/engine.ts';
import type { Backlogs } from '../../src/host/projects/backlogs.ts';
import { storyHover } from '../../src/host/story/storyHover.ts';
import { StoryNode, type TreeNode } from '../../src/host/tree/nodes.ts';
import { eventually } from '../support/eventually.ts';
import { assertGivesWay } from '../support/measures/longestHold.ts';
import { FixtureServer } from '../support/servers/fixtureServer.ts';
import { type Behaviour, type BehaviourName, behaviours, HostileServer } from '../support/servers/hostileServer.ts';
import { MemorySecrets } from '../support/windows/memorySecrets.ts';
import { RecordedMessages } from '../support/windows/recordedMessages.ts';

const extensionPath = vscode.extensions.getExtension('story-tracker.story-tracker')?.extensionPath ?? '';
const run = (command: string, ...args: readonly unknown[]) =>
  vscode.commands.executeCommand(`storyTracker.${command}`, ...args);

const CANARY = 'canary-0c9d11fe';
const LONG = 'Lorem ipsum '.repeat(8334);
const ODD =
  '\u202eyletix\u202c \u0007\u0000$(bug) <b onclick=alert(1)>x</b> [run](command:workbench.action.quit) العربية';
/** What XML cannot hold at all. */
const NOT_XML = /[^\P{Cc}\t\n]/gu;
const HIDDEN = /[\p{Cc}\u202a-\u202e\u2066-\u2067]/u;

const editing =
  (edit: (xml: string) => string): Behaviour =>
  ({ response, good: { status, type, body } }) =>
    void response.writeHead(status, { 'content-type': type }).end(edit(body.toString()));

describe('With a hostile server', () => {
  let good: FixtureServer;
  let server: HostileServer;
  let messages: RecordedMessages;

  beforeEach(async () => {
    good = await FixtureServer.start();
    good.token = CANARY;
    server = await HostileServer.start(good.url, 'http://127.0.0.1:9');
    messages = new RecordedMessages();
  });
  afterEach(async () => {
    messages.restore();
    await server.stop();
    await good.stop();
  });

  describe('the tree', () => {
    const opened: { dispose(): unknown }[] = [];
    let folder: string;
    let lines: string[];
    let accounts: Accounts;
    let backlogs: Backlogs;
    let tree: StoryTree;

    beforeEach(async () => {
      folder = await mkdtemp(join(tmpdir(), 'story-tracker-hostile-'));
      lines = [];
      const add = (message: string | Error) => void lines.push(message instanceof Error ? `${message.stack}` : message);
      const log: Log = { debug: add, info: add, warn: add, error: add };
      const engine = new Engine(join(extensionPath, 'dist/worker.js'), log, join(folder, 'replica.sqlite'));
      const nothing = { access: () => Promise.reject(new Error('There is no built-in service here.')) };
      accounts = new Accounts(new MemorySecrets(), engine, nothing);
      await accounts.add({ id: 'a', label: 'A', kind: 'server', baseUrl: server.url }, CANARY);
      backlogs = createBacklogs(accounts, log);
      tree = new StoryTree(backlogs, {
        sentenceOf: messageOf,
        nothingFits: '',
        noProjectFits: '',
        hiddenProjects: String,
        signedOut: String,
        noStories: '',
      });
      opened.push(engine, accounts, backlogs);
      await backlogs.all();
      await backlogs.refresh();
    });
    afterEach(async () => {
      for (const one of opened.splice(0).toReversed()) await one.dispose();
      await rm(folder, { recursive: true, force: true });
    });

    /** Every row as VS Code would paint it, all of them open; VS Code breaks on two rows of one id. */
    async function painted(): Promise<readonly (readonly [TreeNode, vscode.TreeItem])[]> {
      const rows: (readonly [TreeNode, vscode.TreeItem])[] = [];
      const visit = async (node: TreeNode | undefined): Promise<void> => {
        for (const child of await tree.childrenOf(node)) {
          rows.push([child, treeItem(child, tree)]);
          await visit(child);
        }
      };
      await visit(undefined);
      const ids = rows.map(([, { id }]) => id);
      assert.deepEqual(ids, [...new Set(ids)]);
      return rows;
    }

    const looks = async () =>
      (await painted()).map(([, { id, label, description }]) => `${id} ${String(label)} ${String(description)}`);

    const noticed = async () => viewNotice(backlogs, await accounts.list(), undefined).message;

    const tried: readonly BehaviourName[] = [
      'sends on to another origin',
      'knows the token no more',
      'repeats the token in its refusal',
      'refuses at great length',
      'refuses with text that turns and rings',
      'sends a page',
      'ends in the middle',
      'names too short a length',
      'sends a bomb of entities',
      'never ends a text',
      'says that nothing changed',
    ];
    for (const name of tried) {
      for (const [what, pattern] of [
        ['everything', /./],
        ['the backlog', /current_backlog|stories\?/],
      ] as const) {
        it(`keeps its rows when ${what} is answered by one that ${name}, and says why in one sentence`, async () => {
          const before = await looks();
          const [moved] = good.routes.stories.splice(7, 1);
          if (moved) good.routes.stories.splice(4, 0, moved);
          server.strike(pattern, behaviours[name]);
          await backlogs.refresh({ isAskedFor: true });
          assert.deepEqual(await looks(), before);
          // A token that is not accepted has a row, and no sentence above the rows.
          const inRows = signedOut(backlogs).map(({ label }) => `sign in to ${label}`);
          const [sentence = '', age, ...more] = [...inRows, ...((await noticed()) ?? '').split('\n')];
          assert.match(`${sentence}|${age}`, /^[^|]{3,700}\|Shown as of .*$/);
          assert.deepEqual(more, []);
          assert.doesNotMatch(sentence, HIDDEN);
          assert.deepEqual(messages.texts, []);
          server.relent();
          await backlogs.refresh({ isAskedFor: true });
          assert.equal(await noticed(), undefined);
          assert.notDeepEqual(await looks(), before);
          await assertNoToken();
        });
      }
    }

    it('waits less than a minute for what comes a byte at a time, says so, and lets no other server or project wait', async () => {
      const goods = [good, await FixtureServer.start(), await FixtureServer.start()] as const;
      const [, ofBacklog, quick] = goods;
      const dripping = await HostileServer.start(ofBacklog.url, 'http://127.0.0.1:9');
      opened.push({ dispose: () => dripping.stop() });
      for (const one of goods.slice(1)) {
        one.token = CANARY;
        opened.push({ dispose: () => one.stop() });
      }
      await accounts.add({ id: 'b', label: 'B', kind: 'server', baseUrl: dripping.url }, CANARY);
      await accounts.add({ id: 'c', label: 'C', kind: 'server', baseUrl: quick.url }, CANARY);
      await backlogs.all();
      const iceboxOf = (accountId: string) =>
        backlogs.peek({ accountId, projectId: 7 })?.icebox.map(({ id }) => id) ?? [];
      const before = iceboxOf('c');
      assert.ok(before.length > 1, String(before));
      server.strike(/projects$/, behaviours.drips);
      dripping.strike(/projects\/7\/iterations\/current_backlog/, behaviours.drips);
      for (const one of goods) one.routes.stories.reverse();
      const [begun, since] = [performance.now(), ofBacklog.requests.length];
      const refreshing = backlogs.refresh({ isAskedFor: true });
      await eventually(() => assert.deepEqual(iceboxOf('c'), before.toReversed()), 10_000);
      const isEighthRead = () => ofBacklog.requests.slice(since).some(({ path }) => path.includes('projects/8/'));
      await eventually(() => assert.ok(dripping.struck > 0 && isEighthRead()), 10_000);
      await refreshing;
      assert.ok(performance.now() - begun < 60_000);
      const said = (await noticed()) ?? '';
      for (const { url } of [server, dripping]) {
        const host = new URL(url).host;
        assert.ok(said.includes(`${host} did not finish its answer in time (`), said);
        assert.ok(lines.join('\n').includes(`${host} did not finish its answer in time (`), lines.join('\n'));
      }
      assert.doesNotMatch(said, new RegExp(new URL(quick.url).host));
      await assertNoToken();
    }).timeout(90_000);

    async function assertNoToken(): Promise<void> {
      assert.ok(!lines.join('\n').includes(CANARY), lines.join('\n'));
      assert.ok(!JSON.stringify([messages.shown, await noticed(), await looks()]).includes(CANARY));
      for (const name of await readdir(folder)) {
        assert.ok(!(await readFile(join(folder, name))).includes(CANARY), name);
      }
      for (const { path, query, body } of good.requests) {
        assert.ok(!`${path}?${query}${body.toString()}`.includes(CANARY), path);
      }
    }

    const doubled: Readonly<Record<string, readonly [RegExp, (xml: string) => string]>> = {
      stories: [/current_backlog|stories\?/, (xml) => xml.replaceAll(/<id[^>]*>1\d\d<\/id>/g, '<id>104</id>')],
      iterations: [/current_backlog/, (xml) => xml.replaceAll('>13<', '>12<')],
      'done and current iterations': [/iterations\/done/, (xml) => xml.replaceAll('>11<', '>12<')],
      projects: [/projects$/, (xml) => xml.replaceAll('>8<', '>7<')],
      'tasks, comments and files': [
        /current_backlog/,
        (xml) => xml.replaceAll(/<(task|note|attachment)>[\s\S]*?<\/\1>/g, (one) => one + one),
      ],
      everything: [/./, (xml) => xml.replaceAll(/(<(?:id|number)[^>]*>)\d+</g, '$17<')],
    };
    for (const [what, [pattern, edit]] of Object.entries(doubled)) {
      it(`has each row once when ${what} have the same number`, async () => {
        server.strike(pattern, editing(edit));
        good.routes.stories.reverse();
        await backlogs.refresh({ isAskedFor: true });
        await painted();
        server.relent();
        await backlogs.refresh({ isAskedFor: true });
        assert.ok((await painted()).length > 10);
        assert.equal(await noticed(), undefined);
      });
    }

    const fields = ['name', 'owned_by', 'requested_by', 'labels', 'description', 'current_state', 'story_type', 'url'];
    const dates = ['created_at', 'updated_at', 'accepted_at', 'deadline'];
    const kinds = { digits: '7', 'combining marks': '\u0301', separators: ',', brackets: '[#1](', 'white space': ' x' };
    for (const [kind, unit] of Object.entries(kinds)) {
      it(`is not held by texts of ${kind} in whatever a story and its parts say`, async () => {
        const text = unit.repeat(300_000 / unit.length);
        const story = good.routes.story(105);
        for (const name of [...fields, ...dates]) story.elements.set(name, `<${name}>${text}</${name}>`);
        for (let id = 1; id <= 3; id++) {
          story.notes.push({ id: id * 1000, text, author: text });
          story.tasks.push({ id: id * 1000, description: text, complete: false });
          story.files.set(id * 1000, { filename: text, bytes: Buffer.from('x'), url: undefined });
        }
        good.keepAnswers();
        await assertGivesWay(() => backlogs.refresh({ isAskedFor: true }), 'refresh');
        let rows: Awaited<ReturnType<typeof painted>> = [];
        await assertGivesWay(async () => {
          rows = await painted();
        }, 'rows');
        const found = backlogs.peekStory(105);
        assert.ok(found && rows.some(([node]) => node instanceof StoryNode && node.story.id === 105));
        await assertGivesWay(async () => storyHover(found.story), 'hover');
        await assertGivesWay(async () => storyParts(found.story, {}, panelTexts(vscode)), 'tab');
        await assertGivesWay(async () => {
          const filter = parseFilter('includedone:true café label:x owner:Bo words in any order');
          const all = (await backlogs.all()).flatMap(({ backlog }) => storiesOf(backlog));
          for (const one of all) matches(filter, one, { now: Date.now() });
        }, 'filter');
        assert.equal(await noticed(), undefined);
      }).timeout(60_000);
    }

    it('shows names of any length, direction and markup as one short line', async () => {
      const xmlOf = (text: string) => text.replaceAll(NOT_XML, '').replaceAll('<', '&lt;');
      for (const [id, text] of [
        [104, LONG],
        [105, ODD],
      ] as const) {
        const story = good.routes.story(id);
        for (const name of ['name', 'owned_by', 'requested_by', 'labels', 'description', 'current_state']) {
          if (name !== 'current_state' || id === 105) story.elements.set(name, `<${name}>${xmlOf(text)}</${name}>`);
        }
        story.notes.push({ id: id * 10, text, author: text });
        story.tasks.push({ id: id * 10, description: text, complete: false });
        story.files.set(id * 10, { filename: text, bytes: Buffer.from('x'), url: undefined });
      }
      server.strike(
        /./,
        editing((xml) => xml.replaceAll(NOT_XML, '').replaceAll('Café', `Café ${LONG}`)),
      );
      await backlogs.refresh({ isAskedFor: true });
      const rows = await painted();
      assert.ok(rows.some(([, { label }]) => String(label).includes('Lorem ipsum')));
      for (const [, item] of rows) {
        const { label, description, accessibilityInformation, tooltip } = item;
        assert.ok(String(label).length + String(description ?? '').length <= 620, String(label).slice(0, 80));
        const all = [label, description, accessibilityInformation?.label].join(' ');
        assert.doesNotMatch(all, HIDDEN);
        assert.ok(all.length <= 3000, `${all.length}`);
        assert.ok(tooltip === undefined || (typeof tooltip === 'string' && tooltip.length <= 2000));
      }
      for (const [node] of rows) {
        if (!(node instanceof StoryNode)) continue;
        const hover = storyHover(node.story);
        assert.ok(!hover.isTrusted && !hover.supportThemeIcons);
        assert.ok(hover.value.length < 8000, `${hover.value.length}`);
        // A backslash of its own takes the meaning of each mark; one before that would give it back.
        assert.doesNotMatch(hover.value, /(?<!\\)(?:\\\\)*(?:<b |\]\(command:)/);
        assert.doesNotMatch(hover.value.replaceAll('\n', ''), HIDDEN);
      }
    });
  });

  describe('the extension', () => {
    beforeEach(async () => {
      await run('signIn', { baseUrl: server.url, token: CANARY });
    });
    afterEach(async () => {
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      await run('signOut', { baseUrl: server.url });
    });

    it('opens no address but of the web', async () => {
      const addresses = [
        'javascript:alert(1)',
        'file:///etc/passwd',
        'command:workbench.action.quit',
        'vscode://a/b',
        '//x',
      ];
      for (const address of addresses) {
        good.routes.story(105).elements.set('url', `<url>${address}</url>`);
        await run('refresh');
        await assert.rejects(async () => run('openInBrowser', { storyId: 105 }), /is not a web page/, address);
      }
    });

    it('names a tab by a story of any name', async () => {
      good.routes.story(104).elements.set('name', `<name>\u202e${LONG}</name>`);
      await run('refresh');
      await run('openStory', { storyId: 104 });
      await eventually(() => {
        const labels = vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.map(({ label }) => label));
        assert.match(labels.join('|'), /^#104 [^|\u202a-\u202e]{50,250}$/);
      });
    });

    it('tells what went wrong when asked to by a program, without the token, and goes on', async () => {
      server.strike(/PUT|POST/, behaviours['repeats the token in its refusal']);
      await assert.rejects(
        async () => run('changeState', { storyId: 106, state: 'started' }),
        (error: Error) => error.message.length < 800 && !error.message.includes(CANARY),
      );
      server.relent();
      await run('changeState', { storyId: 106, state: 'started' });
      assert.match(good.routes.story(106).elements.get('current_state') ?? '', />started</);
    });

    it('calls things as it likes in what one picks from, which stays one short line each', async () => {
      const evil = `${ODD}\n$(flame) ${LONG}`.replaceAll(NOT_XML, '').replaceAll('<', '&lt;');
      const story = good.routes.story(105);
      for (const id of [1, 2]) story.files.set(id, { filename: evil, bytes: Buffer.from('x'), url: undefined });
      story.elements.set('labels', `<labels>${evil.slice(0, 2000)}</labels>`);
      server.strike(
        /GET/,
        editing((xml) => xml.replaceAll(/<(name|initials)>[^<]*<\/\1>/g, `<$1>${evil}</$1>`)),
      );
      await run('refresh');
      server.strike(/PUT/, ({ response }) => {
        response.writeHead(503, { 'content-type': 'text/plain' }).end(evil);
      });
      await run('changeState', { storyId: 106, state: 'started' });
      const { showInputBox, showQuickPick } = vscode.window;
      const shown: string[] = [];
      const look = async (items: unknown, options?: { readonly placeHolder?: string; readonly title?: string }) => {
        for (const { label, description, detail } of (await items) as readonly vscode.QuickPickItem[]) {
          shown.push(label, description ?? '', detail ?? '');
        }
        shown.push(options?.placeHolder ?? '', options?.title ?? '');
      };
      const ask = async ({ title = '', prompt = '', placeHolder = '' }: vscode.InputBoxOptions) => {
        shown.push(title, prompt, placeHolder);
      };
      Object.assign(vscode.window, { showQuickPick: look, showInputBox: ask });
      try {
        const ofStory = ['assignStory', 'openAttachment', 'changeState', 'estimateStory', 'linkTicket', 'addComment'];
        for (const command of [...ofStory, 'showOutbox', 'openStory', 'newStory']) {
          const before = shown.length;
          const argument = ofStory.includes(command) ? [{ storyId: 105 }] : [];
          // What asks refuses some arguments of programs.
          await run(command, ...argument).then(undefined, (thrown: unknown) =>
            shown.push(`${command}: ${messageOf(thrown)}`),
          );
          assert.ok(shown.length > before, command);
        }
      } finally {
        Object.assign(vscode.window, { showInputBox, showQuickPick });
        // Nothing waits for this server any more when others are looked at.
        server.relent();
        await run('retryOutbox', {});
      }
      assert.ok(shown.some((text) => text.includes('Lorem ipsum')));
      for (const text of shown) {
        assert.doesNotMatch(text, HIDDEN);
        assert.doesNotMatch(text, /\$\((?:bug\) <b|flame\))/);
        assert.ok(text.length <= 1100, `${text.length} characters: ${text.slice(0, 80)}`);
      }
    });

    it('leaves the token in no file that it or VS Code writes for it', async () => {
      server.strike(/./, behaviours['repeats the token in its refusal']);
      await run('refresh');
      const data = process.env.VSCODE_AGENT_FOLDER;
      if (data === undefined) return;
      let files = 0;
      for (const entry of await readdir(data, { recursive: true, withFileTypes: true })) {
        if (!entry.isFile()) continue;
        files++;
        const bytes = await readFile(join(entry.parentPath, entry.name)).catch(() => Buffer.alloc(0));
        assert.ok(!bytes.includes(CANARY), join(entry.parentPath, entry.name));
      }
      assert.ok(files > 3, String(files));
    });
  });
});
