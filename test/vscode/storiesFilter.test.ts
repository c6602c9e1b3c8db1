import assert from 'node:assert/strict';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { type RunningService, runningService } from '../support/servers/runningService.ts';

const extensionPath = vscode.extensions.getExtension('story-tracker.story-tracker')?.extensionPath ?? '';
const run = (command: string, ...args: readonly unknown[]) =>
  vscode.commands.executeCommand(`storyTracker.${command}`, ...args);

describe('Filtering stories', () => {
  let server: RunningService;

  before(async () => {
    server = await runningService(join(extensionPath, 'dist/service.js'));
    await run('signIn', { baseUrl: server.url, token: server.token });
  });
  after(async () => {
    await run('clearFilter');
    await run('signOut', { baseUrl: server.url });
    await server.stop();
  });

  it('takes a filter from a program, and ends', async () => {
    await run('filterStories', { filter: 'type:bug owner:me' });
    await run('filterStories', { filter: '' });
    await run('clearFilter');
  });

  it('rejects with the sentence a person would read', async () => {
    await assert.rejects(async () => run('filterStories', { filter: 'colour:red' }), /Unknown filter key “colour:”/);
    await assert.rejects(async () => run('filterStories', { filter: 12 }), /\{ filter: string \}/);
  });

  it('groups as a program says', async () => {
    for (const by of ['state', 'owner', 'label', 'type', 'iteration']) await run('groupBy', { by });
    await assert.rejects(async () => run('groupBy', { by: 'colour' }), /iteration, state, owner, label, type/);
  });
});
