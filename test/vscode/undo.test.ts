import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { eventually } from '../support/eventually.ts';
import { FixtureServer } from '../support/servers/fixtureServer.ts';
import { RecordedMessages } from '../support/windows/recordedMessages.ts';

const run = (command: string, ...args: readonly unknown[]) =>
  vscode.commands.executeCommand(`storyTracker.${command}`, ...args);

describe('The one undo', () => {
  let server: FixtureServer;
  let messages: RecordedMessages;
  const fieldOf = (id: number, name: string) =>
    />(.*)</.exec(server.routes.story(id).elements.get(name) ?? '')?.[1] ?? '';
  const shown = () => [server.order.slice(1, 8), fieldOf(106, 'owned_by'), fieldOf(106, 'current_state')];
  const ORDER = [101, 102, 103, 104, 105, 106, 107];
  const MOVED = [101, 102, 103, 106, 104, 105, 107];

  const up = () => run('moveStory', { storyId: 106, place: 'before', targetId: 104 });
  const assign = () => run('assignStory', { storyId: 106, owner: 'Ana Example' });

  beforeEach(async () => {
    server = await FixtureServer.start();
    await run('signIn', { baseUrl: server.url, token: server.token });
    messages = new RecordedMessages();
  });
  afterEach(async () => {
    messages.restore();
    await run('signOut', { baseUrl: server.url });
    await server.stop();
  });

  for (const [what, ...changes] of [
    ['an edit and then a move', assign, up],
    ['a move and then an edit', up, assign],
  ] as const) {
    it(`takes ${what} of one story back, the latest first, and makes them again`, async () => {
      const states = [shown()];
      for (const change of changes) {
        await change();
        states.push(shown());
      }
      assert.deepEqual(states.at(-1), [MOVED, 'Ana Example', fieldOf(106, 'current_state')]);
      for (const before of states.slice(0, -1).toReversed()) {
        await run('undo', {});
        assert.deepEqual(shown(), before);
      }
      await run('undo', {});
      for (const after of states.slice(1)) {
        await run('redo', {});
        assert.deepEqual(shown(), after);
      }
      await run('redo', {});
      assert.deepEqual(shown(), states.at(-1));
      assert.deepEqual(messages.shown, []);
    });
  }

  it('leaves what a command for moves or edits alone takes back, and the other way round', async () => {
    await up();
    await assign();
    await run('undoMove', {});
    assert.deepEqual(shown().slice(0, 2), [ORDER, 'Ana Example']);
    await run('undo', {});
    assert.deepEqual(shown().slice(0, 2), [ORDER, '']);
    await run('redoMove', {});
    await run('redoEdit', {});
    assert.deepEqual(shown().slice(0, 2), [MOVED, 'Ana Example']);
    await run('undoEdit', {});
    await run('undo', {});
    assert.deepEqual(shown().slice(0, 2), [ORDER, '']);
  });

  it('keeps what can be made again when a new change is refused, and not when it is made', async () => {
    await up();
    await run('undo', {});
    server.refuse(/^PUT .*\/104$/, ['Nobody estimates on Fridays.']);
    await assert.rejects(async () => run('estimateStory', { storyId: 104, estimate: 3 }), /on Fridays/);
    await run('redo', {});
    assert.deepEqual(shown()[0], MOVED);
    await run('undo', {});
    await run('estimateStory', { storyId: 104, estimate: 3 });
    await run('redo', {});
    assert.deepEqual(shown()[0], ORDER);
  });

  it('takes back an edit that is still on its way, once the server has answered', async () => {
    const letGo = server.hold(/^PUT .*\/106$/);
    const assigned = assign();
    await eventually(() => assert.ok(server.requests.some(({ method }) => method === 'PUT')));
    const undone = run('undo', {});
    letGo();
    await Promise.all([assigned, undone]);
    assert.deepEqual(shown().slice(0, 2), [ORDER, '']);
  });
});
