import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { eventually } from '../support/eventually.ts';
import { FixtureServer } from '../support/servers/fixtureServer.ts';
import { RecordedMessages } from '../support/windows/recordedMessages.ts';

const run = (command: string, ...args: readonly unknown[]) =>
  vscode.commands.executeCommand(`storyTracker.${command}`, ...args);

describe('Stories are written while the server is away', () => {
  let server: FixtureServer;
  let messages: RecordedMessages;

  beforeEach(async () => {
    server = await FixtureServer.start();
    await run('signIn', { baseUrl: server.url, token: server.token });
    messages = new RecordedMessages();
    // So that the stories of the project are known.
    await run('estimateStory', { storyId: 104, estimate: 1 });
  });
  afterEach(async () => {
    messages.restore();
    await run('signOut', { baseUrl: server.url });
    await server.stop();
  });

  const goAway = () => void server.reply(/^(POST|PUT|DELETE|GET) /, { status: 503, body: '' }, 1000);
  const comeBack = async () => {
    server.noMoreTrouble();
    await run('retryOutbox', {});
  };
  const elementsOf = (name: string) =>
    server.routes.stories
      .filter(({ elements }) => elements.get('name') === `<name>${name}</name>`)
      .map(({ id, tasks }) => ({ id, tasks: tasks.map(({ description, complete }) => `${description} ${complete}`) }));
  const nameOf = (id: number) => />(.*)</.exec(server.routes.story(id).elements.get('name') ?? '')?.[1] ?? '';

  it('tells that a new story waits, and makes it once', async () => {
    goAway();
    assert.deepEqual(await run('newStory', { projectId: 7, name: 'Bake rye', place: 'top' }), { waiting: true });
    await comeBack();
    await eventually(() => assert.equal(elementsOf('Bake rye').length, 1), 30_000);
  });

  it('copies a story with its tasks', async () => {
    server.routes.story(104).tasks.push({ id: 901, description: 'Heat', complete: true });
    await run('refresh');
    const name = `Copy of ${nameOf(104)}`;
    goAway();
    assert.deepEqual(await run('duplicateStory', { storyId: 104 }), { waiting: true });
    await comeBack();
    await eventually(() => {
      const [copy] = elementsOf(name);
      assert.deepEqual(copy?.tasks, ['Heat false']);
    }, 30_000);
    assert.equal(elementsOf(name).length, 1);
  });

  it('has a story that was deleted and taken back exactly once', async () => {
    const name = nameOf(104);
    goAway();
    await run('deleteStory', { storyId: 104, confirmed: true });
    await run('undoEdit', {});
    await comeBack();
    await eventually(async () => {
      await run('refresh');
      assert.equal(elementsOf(name).length, 1);
    }, 30_000);
    await run('retryOutbox', {});
    assert.equal(elementsOf(name).length, 1);
  });

  it('takes back what was done to a story that was made again while the server was away', async () => {
    const former = nameOf(104);
    server.routes.story(104).tasks.push({ id: 901, description: 'Heat', complete: false });
    await run('refresh');
    await run('completeTask', { storyId: 104, taskId: 901 });
    await run('editStory', { storyId: 104, name: 'Bake spelt' });
    await run('deleteStory', { storyId: 104, confirmed: true });
    goAway();
    await run('undoEdit', {});
    await assert.rejects(async () => run('undoEdit', {}), /no ID until it has been sent/);
    await comeBack();
    await eventually(() => assert.deepEqual(elementsOf('Bake spelt')[0]?.tasks, ['Heat true']), 30_000);
    await eventually(() => run('undoEdit', {}), 30_000);
    assert.equal(elementsOf(former).length, 1);
    await run('undoEdit', {});
    assert.deepEqual(elementsOf(former)[0]?.tasks, ['Heat false']);
  });

  it('restores a task ticked and where it stood, and takes back then what was done to it before', async () => {
    const tasks = ['Heat', 'Knead'].map((description, index) => ({ id: 901 + index, description, complete: false }));
    server.routes.story(104).tasks.push(...tasks);
    const described = () => server.routes.story(104).tasks.map((task) => `${task.description} ${task.complete}`);
    await run('refresh');
    await run('completeTask', { storyId: 104, taskId: 901 });
    await run('deleteTask', { storyId: 104, taskId: 901 });
    assert.deepEqual(described(), ['Knead false']);
    goAway();
    await run('undoEdit', {});
    await comeBack();
    await eventually(() => assert.deepEqual(described(), ['Heat true', 'Knead false']), 30_000);
    await run('refresh');
    await run('undoEdit', {});
    assert.deepEqual(described(), ['Heat false', 'Knead false']);
  });

  it('says of what was refused when the server was back that it was never made, and goes on', async () => {
    const former = nameOf(104);
    server.routes.story(104).tasks.push({ id: 901, description: 'Heat', complete: false });
    await run('refresh');
    await run('editStory', { storyId: 104, name: 'Bake spelt' });
    const refusedLater = async (deed: () => Thenable<unknown>) => {
      server.noMoreTrouble();
      goAway();
      await deed();
      server.noMoreTrouble();
      server.refuse(/^(POST|PUT|DELETE) /, ['Frozen.'], 1000);
      await assert.rejects(async () => run('retryOutbox', {}), /Frozen\./);
    };
    const before = server.routes.stories.length;
    for (const deed of [
      () => run('editStory', { storyId: 104, name: 'Bake rye' }),
      () => run('newStory', { projectId: 7, name: 'Bake rye', place: 'top' }),
    ]) {
      await refusedLater(deed);
      await assert.rejects(async () => run('undoEdit', {}), /nothing to undo.* never made/);
    }
    for (const deed of [
      () => run('deleteTask', { storyId: 104, taskId: 901 }),
      () => run('addTask', { storyId: 104, description: 'Rest' }),
      () => run('deleteStory', { storyId: 104, confirmed: true }),
    ]) {
      await refusedLater(deed);
      await run('undoEdit', {});
    }
    server.noMoreTrouble();
    await run('undoEdit', {});
    assert.deepEqual(
      [nameOf(104), server.routes.stories.length, elementsOf(former)[0]?.tasks],
      [former, before, ['Heat false']],
    );
  });

  it('shows a story that was refused to be deleted', async () => {
    server.refuse(/^DELETE .*\/104$/, ['Only owners delete.']);
    await assert.rejects(async () => run('deleteStory', { storyId: 104, confirmed: true }), /Only owners delete\./);
    await run('copyId', { storyId: 104 });
  });
});
