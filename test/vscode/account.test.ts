import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { type RunningService, runningService } from '../support/servers/runningService.ts';

const extension = vscode.extensions.getExtension('story-tracker.story-tracker');
const run = (command: string, ...args: readonly unknown[]) =>
  vscode.commands.executeCommand(`storyTracker.${command}`, ...args);

async function signedIn(): Promise<readonly string[]> {
  return (await vscode.authentication.getAccounts('storyTracker')).map(({ label }) => label);
}

describe('Signing in', () => {
  const settings = () => vscode.workspace.getConfiguration('storyTracker');
  let server: RunningService;
  let folder: string;

  before(async () => {
    assert.ok(extension);
    await extension.activate();
    server = await runningService(join(extension.extensionPath, 'dist/service.js'));
    folder = await mkdtemp(join(tmpdir(), 'story-tracker-built-in-'));
    await settings().update('builtIn.dataFolder', folder, vscode.ConfigurationTarget.Global);
    await settings().update('builtIn.demoProject', true, vscode.ConfigurationTarget.Global);
  });
  after(async () => {
    await server.stop();
    await settings().update('builtIn.dataFolder', undefined, vscode.ConfigurationTarget.Global);
    await settings().update('builtIn.demoProject', undefined, vscode.ConfigurationTarget.Global);
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  it('has nobody signed in at first', async () => {
    assert.deepEqual(await signedIn(), []);
  });

  it('refuses a wrong token with a sentence and keeps nothing', async () => {
    const signingIn = run('signIn', { baseUrl: server.url, token: 'wrong' });
    await assert.rejects(async () => signingIn, /The server does not accept this token/);
    assert.deepEqual(await signedIn(), []);
  });

  it('refuses an address where nobody answers, and one that is none', async () => {
    await assert.rejects(async () => run('signIn', { baseUrl: 'http://127.0.0.1:9', token: 'x' }), /127\.0\.0\.1:9/);
    await assert.rejects(async () => run('signIn', { baseUrl: 'file:///etc', token: 'x' }), /baseUrl/);
    await assert.rejects(async () => run('signIn', {}), /builtIn/);
    assert.deepEqual(await signedIn(), []);
  });

  it('signs in to a server and to the built-in service, side by side', async () => {
    await run('signIn', { baseUrl: `${server.url}/services/v3/`, token: server.token });
    await run('signIn', { builtIn: true });
    assert.deepEqual(await signedIn(), [new URL(server.url).host, 'Built-in Service']);
  });

  it('replaces an account when one signs in to it again', async () => {
    await run('signIn', { baseUrl: server.url, token: server.token });
    assert.deepEqual((await signedIn()).toSorted(), [new URL(server.url).host, 'Built-in Service'].toSorted());
  });

  it('signs out of one and of the other', async () => {
    await run('signOut', { baseUrl: server.url });
    assert.deepEqual(await signedIn(), ['Built-in Service']);
    await run('signOut');
    assert.deepEqual(await signedIn(), []);
    await assert.rejects(async () => run('signOut', { builtIn: true }), /You are not signed in/);
  });
});
