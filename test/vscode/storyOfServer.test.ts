import assert from 'node:assert/strict';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { Accounts } from '../../src/host/accounts/accounts.ts';
import { createBacklogs } from '../../src/host/app.ts';
import { Engine } from '../../src/host/engine/engine.ts';
import type { Backlogs } from '../../src/host/projects/backlogs.ts';
import { StoryArgument } from '../../src/host/story/storyArgument.ts';
import { storyHover } from '../../src/host/story/storyHover.ts';
import { type FoundStory, NamedStory } from '../../src/host/tree/nodes.ts';
import { StoriesViewHolder } from '../../src/host/tree/storiesView.ts';
import { aStory } from '../support/builders/builders.ts';
import { eventually } from '../support/eventually.ts';
import { FixtureServer } from '../support/servers/fixtureServer.ts';
import { silentLog } from '../support/silentLog.ts';
import { MemorySecrets } from '../support/windows/memorySecrets.ts';

const extensionPath = vscode.extensions.getExtension('story-tracker.story-tracker')?.extensionPath ?? '';
const ID = { storyId: 104, projectId: 7 };

describe('A story whose id two servers have', () => {
  let servers: readonly FixtureServer[];
  let engine: Engine;
  let accounts: Accounts;
  let backlogs: Backlogs;

  beforeEach(async () => {
    servers = [await FixtureServer.start(), await FixtureServer.start()];
    engine = new Engine(join(extensionPath, 'dist/worker.js'), silentLog);
    const access = () => Promise.reject(new Error('There is no built-in service here.'));
    accounts = new Accounts(new MemorySecrets(), engine, { access });
    backlogs = createBacklogs(accounts, silentLog);
    for (const [index, { url, token }] of servers.entries()) {
      await accounts.add({ id: `server ${index}`, label: `Server ${index}`, kind: 'server', baseUrl: url }, token);
    }
  });
  afterEach(async () => {
    backlogs.dispose();
    accounts.dispose();
    await engine.dispose();
    for (const server of servers) await server.stop();
  });

  for (const accountId of ['server 0', 'server 1']) {
    it(`is the one of ${accountId} when that is named, loaded or not`, async () => {
      const argument = new StoryArgument(backlogs, new StoriesViewHolder());
      const key = { accountId, projectId: ID.projectId };
      assert.deepEqual((await argument.of({ ...ID, accountId }, ''))?.key, key);
      assert.deepEqual((await argument.of(new NamedStory(key, ID.storyId), ''))?.key, key);
      await Promise.all((await backlogs.projects()).map((project) => backlogs.backlog(project.key)));
      assert.deepEqual((await argument.of({ ...ID, accountId }, ''))?.key, key);
      assert.deepEqual(backlogs.peekStory(ID.storyId, { accountId })?.key, key);
    });
  }

  it('is told apart by its server where a story is picked, the one that is worked on first', async () => {
    await eventually(async () => assert.equal((await backlogs.projects()).length, 4));
    const active = [{ accountId: 'server 1', ...ID }];
    const argument = new StoryArgument(backlogs, new StoriesViewHolder(), async () => ({ active }));
    const { showQuickPick } = vscode.window;
    let offered: readonly (vscode.QuickPickItem & { readonly found?: FoundStory })[] = [];
    const look = async (items: Promise<typeof offered>) => {
      offered = await items;
    };
    Object.assign(vscode.window, { showQuickPick: look });
    try {
      await argument.of(undefined, 'Which story?');
    } finally {
      Object.assign(vscode.window, { showQuickPick });
    }
    assert.deepEqual([offered[0]?.found?.key.accountId, offered[0]?.found?.story.id], ['server 1', ID.storyId]);
    const same = offered.filter(({ found }) => found?.story.id === ID.storyId);
    const places = servers.map(({ url }) => ['Café', new URL(url).host]);
    assert.deepEqual(same.map(({ detail }) => detail?.split(' · ')).toSorted(), places.toSorted());
    const server = backlogs.signInAmongSeveral({ accountId: 'server 0', projectId: 7 });
    assert.equal(server, new URL(servers[0]?.url ?? '').host);
    const shown = storyHover(aStory(), undefined, server).value.replaceAll('\\', '').split('\n');
    assert.equal(shown.at(-1), server);
    await accounts.remove('server 1');
    await backlogs.refresh();
    assert.equal(backlogs.signInAmongSeveral({ accountId: 'server 0', projectId: 7 }), undefined);
  });

  it('is found without a server being named', async () => {
    const argument = new StoryArgument(backlogs, new StoriesViewHolder());
    assert.equal((await argument.of(ID, ''))?.story.id, ID.storyId);
  });
});
