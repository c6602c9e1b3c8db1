import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { FixtureServer } from '../support/servers/fixtureServer.ts';
import { RecordedMessages } from '../support/windows/recordedMessages.ts';

const run = (command: string, ...args: readonly unknown[]) =>
  vscode.commands.executeCommand(`storyTracker.${command}`, ...args);

describe('Tasks of a story', () => {
  let server: FixtureServer;
  let messages: RecordedMessages;
  const tasks = () => server.routes.story(104).tasks;
  const shown = () => tasks().map(({ description, complete }) => `${complete ? 'x' : '-'} ${description}`);
  const task = (taskId: number, more: object = {}) => ({ storyId: 104, taskId, ...more });

  beforeEach(async () => {
    server = await FixtureServer.start();
    tasks().push(
      { id: 91, description: 'Knead', complete: false },
      { id: 92, description: 'Rest', complete: true },
      { id: 93, description: 'Bake', complete: false },
    );
    await run('signIn', { baseUrl: server.url, token: server.token });
    messages = new RecordedMessages();
  });
  afterEach(async () => {
    messages.restore();
    await run('signOut', { baseUrl: server.url });
    await server.stop();
  });

  const BEFORE = ['- Knead', 'x Rest', '- Bake'];
  for (const [what, change, after] of [
    ['edited', () => run('editTask', task(91, { description: 'Knead well' })), ['- Knead well', 'x Rest', '- Bake']],
    ['moved down', () => run('moveTask', task(91, { position: 3 })), ['x Rest', '- Bake', '- Knead']],
    ['moved up', () => run('moveTask', task(93, { position: 1 })), ['- Bake', '- Knead', 'x Rest']],
    ['completed', () => run('completeTask', task(91)), ['x Knead', 'x Rest', '- Bake']],
    ['deleted', () => run('deleteTask', task(92)), ['- Knead', '- Bake']],
  ] as const) {
    it(`are ${what}, and the one undo takes it back and does it again`, async () => {
      await change();
      assert.deepEqual(shown(), after);
      await run('undo', {});
      assert.deepEqual(shown(), BEFORE);
      await run('redo', {});
      assert.deepEqual(shown(), after);
      await run('undo', {});
      assert.deepEqual(shown(), BEFORE);
      assert.deepEqual(messages.shown, []);
    });
  }

  it('that are added again are new ones', async () => {
    await run('deleteTask', task(92));
    await run('undo', {});
    assert.ok(!tasks().some(({ id }) => id === 92));
  });

  it('are taken back step by step, past the deletion of one that was changed before', async () => {
    await run('completeTask', task(91));
    await run('editTask', task(91, { description: 'Knead well' }));
    await run('addTask', { storyId: 104, description: 'Eat' });
    const added = tasks().at(-1)?.id ?? 0;
    await run('deleteTask', task(added));
    await run('deleteTask', task(91));
    const after = ['x Rest', '- Bake'];
    assert.deepEqual(shown(), after);
    for (const _ of [1, 2, 3, 4, 5]) await run('undo', {});
    assert.deepEqual(shown(), BEFORE);
    for (const _ of [1, 2, 3, 4, 5]) await run('redo', {});
    assert.deepEqual(shown(), after);
    assert.deepEqual(messages.shown, []);
  });

  it('are not deleted where the server refuses, and there is nothing to undo', async () => {
    server.refuse(/^DELETE /, ['Not today.']);
    await assert.rejects(async () => run('deleteTask', task(92)), /Not today\./);
    assert.deepEqual(shown(), BEFORE);
    await run('undo', {});
    assert.deepEqual(shown(), BEFORE);
  });

  it('that someone else has changed are not overwritten', async () => {
    const [first] = tasks();
    if (first) first.description = 'Knead twice';
    const edit = task(91, { description: 'Knead well', known: 'Knead' });
    await assert.rejects(async () => run('editTask', edit), /It is “Knead twice” now\./);
    assert.deepEqual(shown(), ['- Knead twice', 'x Rest', '- Bake']);
  });

  it('are named by what the story has', async () => {
    await assert.rejects(async () => run('editTask', task(77, { description: 'x' })), /has no task 77/);
    await assert.rejects(async () => run('editTask', task(91, { description: ' ' })), /\{ description: string \}/);
    await assert.rejects(async () => run('moveTask', task(91, { position: 0 })), /\{ position: number \}/);
  });
});
