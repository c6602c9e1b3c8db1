import assert from 'node:assert/strict';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { elementText, type RunningService, runningService } from '../support/servers/runningService.ts';

const extensionPath = vscode.extensions.getExtension('story-tracker.story-tracker')?.extensionPath ?? '';
const run = (command: string, ...args: readonly unknown[]) =>
  vscode.commands.executeCommand(`storyTracker.${command}`, ...args);

describe('Commands about a story', () => {
  let server: RunningService;
  let storyId: number;

  before(async () => {
    server = await runningService(join(extensionPath, 'dist/service.js'));
    await run('signIn', { baseUrl: server.url, token: server.token });
    const story = await server.ask('POST', '/projects/1/stories', '<story><name>Bake &amp; sell</name></story>');
    storyId = Number(elementText(story, 'id'));
  });
  after(async () => {
    await run('signOut', { baseUrl: server.url });
    await server.stop();
  });

  async function assertCopied(command: string, expected: RegExp): Promise<void> {
    await vscode.env.clipboard.writeText('');
    await run(command, { storyId });
    assert.match(await vscode.env.clipboard.readText(), expected);
  }

  it('copy its id, link and marker', async () => {
    await assertCopied('copyId', new RegExp(`^${storyId}$`));
    await assertCopied('copyLink', new RegExp(`^http://127\\.0\\.0\\.1:\\d+/.*\\b${storyId}$`));
    await assertCopied('copyMarker', new RegExp(`^\\[fixes #${storyId}\\]$`));
  });

  it('find a story made elsewhere, also when told its project', async () => {
    await run('copyId', { storyId, projectId: 1 });
    await assert.rejects(
      async () => run('copyId', { storyId, projectId: 99 }),
      /Could not find story #\d+ in your projects/,
    );
  });

  it('reject with a sentence what names no story', async () => {
    await assert.rejects(async () => run('copyId', { storyId: 999_999 }), /Could not find story #999999/);
    await assert.rejects(async () => run('copyMarker', { storyId: 'twelve' }), /storyId/);
    await assert.rejects(async () => run('openInBrowser', {}), /storyId/);
  });

  it('refresh without an answer to give', async () => {
    assert.equal(await run('refresh'), undefined);
  });
});
