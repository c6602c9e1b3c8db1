import assert from 'node:assert/strict';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { NewStoryPanel } from '../../src/features/storyPanel/newStoryPanel.ts';
import { panelTexts } from '../../src/features/storyPanel/panelTexts.ts';
import { fieldTexts } from '../../src/features/storyPanel/storyFields.ts';
import { Accounts } from '../../src/host/accounts/accounts.ts';
import { createBacklogs } from '../../src/host/app.ts';
import { Engine } from '../../src/host/engine/engine.ts';
import { Messages } from '../../src/host/shell/messages.ts';
import { RestoredStories } from '../../src/host/story/restoredStories.ts';
import { UndoHistory } from '../../src/host/story/undoHistory.ts';
import { aStory } from '../support/builders/builders.ts';
import { eventually } from '../support/eventually.ts';
import { FixtureServer } from '../support/servers/fixtureServer.ts';
import { silentLog } from '../support/silentLog.ts';
import { KeptDrafts } from '../support/windows/keptDrafts.ts';
import { MemorySecrets } from '../support/windows/memorySecrets.ts';

const extensionPath = vscode.extensions.getExtension('story-tracker.story-tracker')?.extensionPath ?? '';

describe('The tab of a new story', () => {
  it('makes it once, though its page was another one in the meantime and was asked again', async () => {
    const server = await FixtureServer.start();
    const engine = new Engine(join(extensionPath, 'dist/worker.js'), silentLog);
    const nothing = { access: () => Promise.reject(new Error('There is no built-in service here.')) };
    const accounts = new Accounts(new MemorySecrets(), engine, nothing);
    await accounts.add({ id: 'a', label: 'A', kind: 'server', baseUrl: server.url }, server.token);
    const backlogs = createBacklogs(accounts, silentLog);
    const memory = new KeptDrafts();
    const say = new vscode.EventEmitter<unknown>();
    const made: number[] = [];
    try {
      await backlogs.all();
      const webview = { onDidReceiveMessage: say.event, postMessage: async () => true };
      const panel = new NewStoryPanel(
        {
          ...{ backlogs, log: silentLog, messages: new Messages(silentLog, () => undefined) },
          restoredStories: new RestoredStories(),
          storiesView: { reveal: async () => {} } as never,
          undoHistory: new UndoHistory((key) => backlogs.has(key)),
          drafts: memory.drafts,
          openDrafts: async () => memory.drafts,
        },
        { title: '', webview } as unknown as vscode.WebviewPanel,
        { accountId: 'a', projectId: 7 },
        panelTexts(vscode),
        ({ storyId }) => made.push(storyId),
      );
      const texts = { ...fieldTexts(aStory({ name: 'Rye' })), estimate: '', ownedBy: '', requestedBy: '' };
      const create = { type: 'createStory', texts };
      const letGo = server.hold(/^POST .*\/stories$/);
      say.fire(create);
      say.fire({ type: 'ready' });
      say.fire(create);
      letGo();
      await eventually(() => assert.ok(made.length > 0));
      await backlogs.refresh();
      const posted = server.requests.filter(({ method, path }) => method === 'POST' && /\/stories$/.test(path));
      assert.deepEqual([posted.length, made.length], [1, 1]);
      panel.dispose();
    } finally {
      for (const one of [say, backlogs, accounts, engine, memory]) await one.dispose();
      await server.stop();
    }
  });
});
