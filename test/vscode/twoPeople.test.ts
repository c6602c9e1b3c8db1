import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { signIn, signOut } from '../../src/features/account/commands.ts';
import { Sessions } from '../../src/features/account/sessions.ts';
import { StoryTree } from '../../src/features/stories/tree/storyTree.ts';
import { treeItem } from '../../src/features/stories/tree/treeItem.ts';
import { Accounts } from '../../src/host/accounts/accounts.ts';
import { createBacklogs } from '../../src/host/app.ts';
import { Engine } from '../../src/host/engine/engine.ts';
import type { Backlogs } from '../../src/host/projects/backlogs.ts';
import { Messages } from '../../src/host/shell/messages.ts';
import { type Colleague, colleague } from '../support/servers/colleague.ts';
import { elementText, type RunningService, runningService } from '../support/servers/runningService.ts';
import { silentLog } from '../support/silentLog.ts';
import { MemorySecrets } from '../support/windows/memorySecrets.ts';

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

  const needs = () => ({ accounts, engine, messages: new Messages(silentLog, () => undefined) });
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

  it('are told apart in the rows of a project that both have', async () => {
    await enter(server.token);
    const tree = new StoryTree(
      {
        projects: () => backlogs.projects(),
        backlog: (key) => backlogs.some(key),
        peek: (key) => backlogs.peekSome(key),
      },
      { sentenceOf: String, nothingFits: '', noProjectFits: '', hiddenProjects: String },
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
