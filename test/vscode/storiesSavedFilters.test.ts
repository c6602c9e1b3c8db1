import assert from 'node:assert/strict';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { eventually } from '../support/eventually.ts';
import { type RunningService, runningService } from '../support/servers/runningService.ts';
import { RecordedMessages } from '../support/windows/recordedMessages.ts';

const extensionPath = vscode.extensions.getExtension('story-tracker.story-tracker')?.extensionPath ?? '';
const run = (command: string, ...args: readonly unknown[]) =>
  vscode.commands.executeCommand(`storyTracker.${command}`, ...args);
const settings = () => vscode.workspace.getConfiguration('storyTracker');
const saved = () => settings().get<unknown>('savedFilters');

describe('Saved filters', () => {
  let server: RunningService;
  let messages: RecordedMessages;

  before(async () => {
    server = await runningService(join(extensionPath, 'dist/service.js'));
    await run('signIn', { baseUrl: server.url, token: server.token });
  });
  after(async () => {
    await run('signOut', { baseUrl: server.url });
    await server.stop();
  });
  beforeEach(() => {
    messages = new RecordedMessages();
  });
  afterEach(async () => {
    messages.restore();
    await settings().update('savedFilters', undefined, vscode.ConfigurationTarget.Global);
    await settings().update('savedFilters', undefined, vscode.ConfigurationTarget.Workspace);
  });

  /** Answers the next box as a person would. */
  async function answering<T>(method: 'showInputBox' | 'showQuickPick', answer: unknown, act: () => Thenable<T>) {
    const before = vscode.window[method];
    try {
      Object.assign(vscode.window, { [method]: async () => answer });
      return await act();
    } finally {
      Object.assign(vscode.window, { [method]: before });
    }
  }

  it('go into the settings of the person, each name once', async () => {
    await run('saveFilter', { name: 'Bugs', filter: 'type:bug' });
    await run('saveFilter', { name: ' Mine ', filter: 'owner:me' });
    await run('saveFilter', { name: 'Bugs', filter: 'type:bug state:started' });
    assert.deepEqual(saved(), [
      { name: 'Bugs', filter: 'type:bug state:started' },
      { name: 'Mine', filter: 'owner:me' },
    ]);
    assert.notEqual(settings().inspect('savedFilters')?.globalValue, undefined);
  });

  it('stay in those of the workspace where it has some', async () => {
    const { Workspace } = vscode.ConfigurationTarget;
    await settings().update('savedFilters', [{ name: 'Team', filter: 'label:team' }], Workspace);
    await run('saveFilter', { name: 'Bugs', filter: 'type:bug' });
    assert.equal(settings().inspect('savedFilters')?.globalValue, undefined);
    assert.deepEqual(saved(), [
      { name: 'Team', filter: 'label:team' },
      { name: 'Bugs', filter: 'type:bug' },
    ]);
  });

  it('keep what else someone wrote there', async () => {
    await settings().update('savedFilters', [{ note: 'ours' }, 'x'], vscode.ConfigurationTarget.Global);
    await run('saveFilter', { name: 'Bugs', filter: 'type:bug' });
    await run('removeFilter', { name: 'Bugs' });
    assert.deepEqual(saved(), [{ note: 'ours' }, 'x']);
  });

  it('are refused with a sentence when they are no filter, or have no name', async () => {
    await assert.rejects(
      async () => run('saveFilter', { name: 'Red', filter: 'colour:red' }),
      /Unknown filter key “colour:”/,
    );
    await assert.rejects(async () => run('saveFilter', { name: ' ', filter: 'type:bug' }), /\{ name: string, filter/);
    await assert.rejects(async () => run('saveFilter', { name: 'Bugs' }), /\{ name: string, filter/);
    await assert.rejects(async () => run('removeFilter', { name: 'Nobody' }), /No saved filter is named “Nobody”/);
    assert.deepEqual(saved(), []);
  });

  it('take the name that a person types, of the filter that is shown', async () => {
    await run('filterStories', { filter: 'type:chore' });
    await answering('showInputBox', 'Chores', () => run('saveFilter'));
    await run('clearFilter');
    assert.deepEqual(saved(), [{ name: 'Chores', filter: 'type:chore' }]);
  });

  it('are renamed in their place', async () => {
    await run('saveFilter', { name: 'Bugs', filter: 'type:bug' });
    await run('saveFilter', { name: 'Mine', filter: 'owner:me' });
    await answering('showInputBox', 'Insects', () => run('renameFilter', { name: 'Bugs' }));
    assert.deepEqual(saved(), [
      { name: 'Insects', filter: 'type:bug' },
      { name: 'Mine', filter: 'owner:me' },
    ]);
  });

  it('are removed at once, and there again when that is undone', async () => {
    await run('saveFilter', { name: 'Bugs', filter: 'type:bug' });
    const [only] = [{ name: 'Bugs', filter: 'type:bug' }];
    messages.press('Undo');
    await answering('showQuickPick', { saved: only }, () => run('removeFilter'));
    await eventually(() => assert.deepEqual(saved(), [only]));
    assert.match(messages.texts.join(), /Removed the filter “Bugs”/);
  });
});
