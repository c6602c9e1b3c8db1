import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { FixtureServer } from '../support/servers/fixtureServer.ts';
import { RecordedMessages } from '../support/windows/recordedMessages.ts';

const run = (command: string, ...args: readonly unknown[]) =>
  vscode.commands.executeCommand(`storyTracker.${command}`, ...args);
const signedIn = async () => (await vscode.authentication.getAccounts('storyTracker')).length > 0;

describe('Signing out with unsent changes', () => {
  let server: FixtureServer;
  let messages: RecordedMessages;
  const signIn = async () => run('signIn', { baseUrl: server.url, token: server.token });
  const nameOf = (id: number) => server.routes.story(id).elements.get('name') ?? '';

  beforeEach(async () => {
    server = await FixtureServer.start();
    await signIn();
    messages = new RecordedMessages();
  });
  afterEach(async () => {
    messages.restore();
    server.noMoreTrouble();
    if (await signedIn()) await run('signOut', { baseUrl: server.url });
    await server.stop();
  });

  /** Two changes wait for the server, which is busy. */
  async function changeTwo(): Promise<void> {
    server.reply(/^PUT /, { status: 503, body: '' }, 1000);
    for (const storyId of [101, 102]) {
      await run('editStory', { storyId, name: `Renamed ${storyId}` }).then(undefined, () => undefined);
    }
    assert.deepEqual(messages.shown, []);
  }

  const host = () => new URL(server.url).host;

  it('asks what becomes of them, and stays signed in when the person turns away', async () => {
    await changeTwo();
    await run('signOut');
    assert.deepEqual(messages.shown, [
      {
        kind: 'warning',
        text: `2 changes have not been sent to ${host()} yet.`,
        buttons: ['Keep and Sign Out', 'Discard and Sign Out'],
        detail: `If you keep them, they will be sent when you sign in to ${host()} again.`,
      },
    ]);
    assert.equal(await signedIn(), true);
  });

  it('keeps them until one signs in again, and has nothing to undo until then', async () => {
    await changeTwo();
    messages.press('Keep and Sign Out');
    await run('signOut');
    assert.equal(await signedIn(), false);
    await run('undo');
    await run('undoEdit');
    assert.equal(messages.shown.length, 1, 'nothing is hidden that an undo could fail on');
    server.noMoreTrouble();
    await signIn();
    await run('retryOutbox', {});
    assert.match(nameOf(101), /Renamed 101/);
    assert.match(nameOf(102), /Renamed 102/);
  });

  it('discards them when that is chosen', async () => {
    await changeTwo();
    messages.press('Discard and Sign Out');
    await run('signOut');
    assert.equal(await signedIn(), false);
    server.noMoreTrouble();
    await signIn();
    await run('retryOutbox', {});
    assert.doesNotMatch(nameOf(101) + nameOf(102), /Renamed/);
  });

  it('asks nothing where all is sent, or a program signs out', async () => {
    await run('signOut');
    assert.equal(await signedIn(), false);
    await signIn();
    await changeTwo();
    await run('signOut', { baseUrl: server.url });
    assert.deepEqual([await signedIn(), messages.shown], [false, []]);
    server.noMoreTrouble();
    await signIn();
    await run('retryOutbox', {});
  });
});
