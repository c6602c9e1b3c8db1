import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { signIn, signOut } from '../../src/features/account/commands.ts';
import { Sessions } from '../../src/features/account/sessions.ts';
import { ShownStories } from '../../src/features/stories/tree/shownStories.ts';
import { StoryTree } from '../../src/features/stories/tree/storyTree.ts';
import { treeItem } from '../../src/features/stories/tree/treeItem.ts';
import { Accounts } from '../../src/host/accounts/accounts.ts';
import { ownNames } from '../../src/host/accounts/ownNames.ts';
import { createBacklogs } from '../../src/host/app.ts';
import { Engine } from '../../src/host/engine/engine.ts';
import type { Backlogs } from '../../src/host/projects/backlogs.ts';
import { Messages } from '../../src/host/shell/messages.ts';
import { linkText } from '../../src/host/story/storyLink.ts';
import { tellWaiting } from '../../src/host/story/submitIntents.ts';
import { aStory } from '../support/builders/builders.ts';
import { type Colleague, colleague } from '../support/servers/colleague.ts';
import { elementText, type RunningService, runningService } from '../support/servers/runningService.ts';
import { silentLog } from '../support/silentLog.ts';
import { MemorySecrets } from '../support/windows/memorySecrets.ts';
import { WorkspaceMemory } from '../support/windows/workspaceMemory.ts';

const extensionPath = vscode.extensions.getExtension('story-tracker.story-tracker')?.extensionPath ?? '';
const script = join(extensionPath, 'dist/service.js');

describe('Two people on one server', () => {
  let folder: string;
  let server: RunningService;
  let ben: Colleague;
  let host: string;
  let engine: Engine;
  let accounts: Accounts;
  let backlogs: Backlogs;
  let secrets: MemorySecrets;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'story-tracker-two-'));
    const dataFolder = join(folder, 'data');
    server = await runningService(script, dataFolder);
    ben = await colleague(script, { service: server, dataFolder, name: 'Ben Bread' });
    host = new URL(server.url).host;
  });
  beforeEach(() => {
    secrets = new MemorySecrets();
    engine = new Engine(
      join(extensionPath, 'dist/worker.js'),
      silentLog,
      join(folder, `${crypto.randomUUID()}.sqlite`),
    );
    const access = () => Promise.reject(new Error('There is no built-in service here.'));
    accounts = new Accounts(secrets, engine, { access });
    backlogs = createBacklogs(accounts, silentLog);
  });
  afterEach(async () => {
    for (const one of [backlogs, accounts]) one.dispose();
    await engine.dispose();
  });
  after(async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  const needs = () => ({
    accounts,
    engine,
    messages: new Messages(silentLog, () => undefined),
    service: { addDemoProject: () => Promise.reject(new Error('There is no built-in service here.')) },
  });
  const enter = (token: string) => signIn(needs(), { baseUrl: server.url, token });
  const labels = async () => (await accounts.list()).map(({ label }) => label);

  it('have an account each, called by their names from the second on', async () => {
    await enter(server.token);
    assert.deepEqual(await labels(), [host]);
    await enter(ben.token);
    const [demo = '', second] = await labels();
    assert.match(demo, new RegExp(`^${host} \\(.+\\)$`));
    assert.equal(second, `${host} (Ben Bread)`);
    const sessions = new Sessions(
      accounts,
      async () => undefined,
      async () => undefined,
    );
    const shown = await sessions.getSessions([]);
    assert.deepEqual(
      shown.map(({ account, accessToken }) => [account.label, accessToken]),
      [
        [demo, server.token],
        [second, ben.token],
      ],
    );
    sessions.dispose();
  });

  it('keep their account when they sign in again, in whatever order', async () => {
    for (const token of [server.token, ben.token, ben.token, server.token]) await enter(token);
    const ids = (await accounts.list()).map(({ id }) => id);
    assert.deepEqual(ids, [server.url, `ben.bread@bakery.example ${server.url}`]);
    assert.deepEqual(await Promise.all(ids.map(async (id) => (await accounts.access(id)).token)), [
      server.token,
      ben.token,
    ]);
  });

  it('read and write as themselves, each from a copy of their own', async () => {
    await enter(server.token);
    await enter(ben.token);
    await backlogs.refresh();
    const projects = await backlogs.projects();
    assert.equal(projects.length, 2);
    const story = await server.ask('POST', '/projects/1/stories', '<story><name>Shared</name></story>');
    const storyId = Number(elementText(story, 'id'));
    await backlogs.all();
    for (const { key, account } of projects) {
      await backlogs.submit(key, [{ kind: 'comment', storyId, text: `from ${account.label}` }]);
    }
    const notes = await server.ask('GET', `/projects/1/stories/${storyId}/notes`);
    const said = [...notes.matchAll(/<text>from .+ \((.+)\)<\/text>\s*<author>(.+)<\/author>/g)];
    assert.equal(said.length, 2, notes);
    for (const [, label, author] of said) assert.equal(label, author);
    assert.deepEqual(new Set(projects.map(({ key }) => backlogs.signInOf(key))), new Set(await labels()));
    for (const { key } of projects) assert.equal(backlogs.hostOf(key), host);
  });

  it('are told apart where a change waits for one of them', async () => {
    await enter(server.token);
    await enter(ben.token);
    await backlogs.refresh();
    const told: string[] = [];
    const messages = { status: (text: string) => told.push(text) } as unknown as Messages;
    for (const { key } of await backlogs.projects())
      tellWaiting({ backlogs, messages }, key, { waiting: { kind: 'unauthorized', message: 'Not signed in.' } });
    assert.deepEqual(
      told,
      (await labels()).map((label) => `Saved. It will be sent when you sign in to ${label} again.`),
    );
  });

  it('are told apart in the rows of a project that both have', async () => {
    await enter(server.token);
    const tree = new StoryTree(
      {
        projects: () => backlogs.projects(),
        backlog: (key) => backlogs.some(key),
        peek: (key) => backlogs.peekSome(key),
      },
      {
        sentenceOf: String,
        nothingFits: '',
        noProjectFits: '',
        hiddenProjects: String,
        signedOut: String,
        noStories: '',
      },
    );
    const painted = async () =>
      (await tree.childrenOf(undefined)).map((row) => {
        tree.noticePainted(row);
        const { description, accessibilityInformation } = treeItem(row, tree);
        return [description, accessibilityInformation?.label];
      });
    const [[before] = []] = await painted();
    assert.equal(before, '');
    await enter(ben.token);
    await backlogs.refresh();
    assert.equal(await tree.changesInProjects(), 'all');
    const rows = await painted();
    assert.deepEqual(
      rows.map(([description]) => description),
      await labels(),
    );
    for (const [description, spoken] of rows) assert.ok(String(spoken).includes(String(description)), String(spoken));
  });

  it('are each `me` in their own projects, and whoever signs in next is no longer the one before', async () => {
    await enter(server.token);
    await enter(ben.token);
    await backlogs.refresh();
    const workspaceMemory = new WorkspaceMemory() as unknown as vscode.Memento;
    const nameNeeds = { accounts, backlogs, log: silentLog, workspaceMemory };
    const shown = new ShownStories(nameNeeds);
    await shown.filter('owner:me');
    const [first, second] = await backlogs.projects();
    assert.ok(first && second);
    const demo = (await ownNames(nameNeeds))[first.key.accountId] ?? '';
    const stories = [aStory({ ownedBy: demo }), aStory({ ownedBy: 'Ben Bread' })];
    const mine = async ({ key }: typeof first) => {
      const { filter } = await shown.current();
      return stories.map((story) => filter?.passes(key, story));
    };
    assert.deepEqual(await mine(first), [true, false]);
    assert.deepEqual((await shown.current()).filter?.passes(second.key, aStory({ ownedBy: 'Ben Bread' })), true);

    for (const { id } of await accounts.list()) await accounts.remove(id);
    await enter(ben.token);
    assert.equal((await accounts.list())[0]?.id, first.key.accountId);
    await backlogs.refresh();
    await ownNames(nameNeeds);
    assert.deepEqual(await mine(first), [false, true]);
    shown.dispose();
  });

  it('are told apart in links to a story that both have', async () => {
    await enter(server.token);
    await enter(ben.token);
    await backlogs.refresh();
    const story = aStory({ id: 1 });
    const found = (await backlogs.projects()).map(({ key }) => ({ key, story }));
    assert.equal(linkText(backlogs, found, false), `Open Story on ${(await labels()).join(' / ')}…`);
  });

  it('sign out one by one', async () => {
    await enter(server.token);
    await enter(ben.token);
    await signOut({ ...needs(), backlogs }, { baseUrl: server.url, user: 'Ben Bread' });
    assert.deepEqual(
      (await accounts.list()).map(({ id }) => id),
      [server.url],
    );
    assert.equal((await accounts.access(server.url)).token, server.token);
    assert.equal((await backlogs.projects()).length, 1);
  });
});
