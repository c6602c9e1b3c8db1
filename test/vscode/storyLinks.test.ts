import assert from 'node:assert/strict';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { showLinkedStory } from '../../src/features/stories/commands.ts';
import { Accounts } from '../../src/host/accounts/accounts.ts';
import { createBacklogs } from '../../src/host/app.ts';
import { Engine } from '../../src/host/engine/engine.ts';
import type { Backlogs } from '../../src/host/projects/backlogs.ts';
import { Messages } from '../../src/host/shell/messages.ts';
import { StoriesViewHolder } from '../../src/host/tree/storiesView.ts';
import { FixtureServer } from '../support/servers/fixtureServer.ts';
import { silentLog } from '../support/silentLog.ts';
import { MemorySecrets } from '../support/windows/memorySecrets.ts';
import { RecordedMessages } from '../support/windows/recordedMessages.ts';

const extensionPath = vscode.extensions.getExtension('story-tracker.story-tracker')?.extensionPath ?? '';
const OURS = 'vscode://story-tracker.story-tracker';

describe('A link to a story', () => {
  let server: FixtureServer;
  let engine: Engine;
  let accounts: Accounts;
  let backlogs: Backlogs;
  let recorded: RecordedMessages;
  /** The commands that a link ran, with what it gave them, and the rows that it showed. */
  let done: unknown[];
  const execute = vscode.commands.executeCommand;

  const signIn = () => accounts.add({ id: 'a', label: 'A', kind: 'server', baseUrl: server.url }, server.token);
  const follow = (link: string) => {
    const storiesView = new StoriesViewHolder();
    storiesView.attach({ selection: () => [], reveal: async (...row) => void done.push(['reveal', ...row]) });
    const messages = new Messages(silentLog, () => undefined);
    return showLinkedStory({ accounts, backlogs, messages, storiesView }, vscode.Uri.parse(link, true));
  };

  beforeEach(async () => {
    server = await FixtureServer.start();
    engine = new Engine(join(extensionPath, 'dist/worker.js'), silentLog);
    const access = () => Promise.reject(new Error('There is no built-in service here.'));
    accounts = new Accounts(new MemorySecrets(), engine, { access });
    backlogs = createBacklogs(accounts, silentLog);
    recorded = new RecordedMessages();
    done = [];
    Object.assign(vscode.commands, {
      executeCommand: async (command: string, ...args: readonly unknown[]) => {
        if (!command.startsWith('storyTracker.')) return execute(command, ...args);
        done.push([command, ...args]);
        if (command === 'storyTracker.signIn') await signIn();
        return undefined;
      },
    });
  });
  afterEach(async () => {
    Object.assign(vscode.commands, { executeCommand: execute });
    recorded.restore();
    backlogs.dispose();
    accounts.dispose();
    await engine.dispose();
    await server.stop();
  });

  const opened = [
    ['storyTracker.openStory', { storyId: 104, accountId: 'a', projectId: 7 }],
    ['reveal', 104, 7, { accountId: 'a' }],
  ];

  it('opens the story and shows its row', async () => {
    await signIn();
    await follow(`${OURS}/story/104`);
    assert.deepEqual(done, opened);
    assert.deepEqual(recorded.texts, []);
  });

  it('asks as whom to open it where two people are signed in to its server', async () => {
    await signIn();
    await accounts.add({ id: 'b', label: 'B', kind: 'server', baseUrl: server.url }, server.token);
    const { showQuickPick } = vscode.window;
    let answer: string | undefined = 'B';
    Object.assign(vscode.window, {
      showQuickPick: async (items: readonly { readonly description?: string }[]) =>
        items.find(({ description }) => description === answer),
    });
    try {
      await follow(`${OURS}/story/104`);
      assert.deepEqual(done[0], ['storyTracker.openStory', { storyId: 104, accountId: 'b', projectId: 7 }]);
      answer = undefined;
      await follow(`${OURS}/story/104`);
      assert.equal(done.length, 2);
    } finally {
      Object.assign(vscode.window, { showQuickPick });
    }
    assert.deepEqual(recorded.texts, []);
  });

  it('asks who is not signed in to do so, and opens the story then', async () => {
    recorded.press('Sign In…');
    await follow(`${OURS}/story/104`);
    assert.deepEqual(recorded.texts, ['Sign in to open story #104.']);
    assert.deepEqual(done, [['storyTracker.signIn'], ...opened]);
  });

  it('does nothing when who is not signed in turns away', async () => {
    await follow(`${OURS}/story/104`);
    assert.deepEqual(done, []);
    assert.equal(recorded.shown.length, 1);
  });

  it('says that a story is not there', async () => {
    await signIn();
    await follow(`${OURS}/story/4711`);
    assert.deepEqual(recorded.texts, ['Could not find story #4711 in your projects.']);
    assert.deepEqual(done, []);
  });

  it('does nothing but say so when it is no plain link to a story', async () => {
    await signIn();
    const hostile = [
      ...['/story/0', '/story/-5', '/story/1e9', '/story/99999999999999999999', '/story/12abc', '/story/104/..%2f1'],
      ...['/story/104?server=https://attacker.example', '/story/104?token=secret', '/story/104#x', '/story/%31%30%34x'],
      ...['/signIn?baseUrl=https://attacker.example&token=x', '/https://attacker.example/story/104', '/', ''],
      ...['/story/[words](command:workbench.action.quit)', '/story/104%0d%0aX: y'],
    ];
    for (const path of hostile) await follow(OURS + path);
    assert.deepEqual(done, []);
    assert.deepEqual(new Set(recorded.texts), new Set(['This link does not point to a story.']));
    assert.equal(recorded.texts.length, hostile.length);
    assert.deepEqual(server.requests, []);
  });
});
