import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { FoundStories, StoryDetails, StoryTrackerExtension } from '../../api/story-tracker.d.ts';
import { eventually } from '../support/eventually.ts';
import { FixtureServer } from '../support/servers/fixtureServer.ts';

const run = (command: string, ...args: readonly unknown[]) =>
  vscode.commands.executeCommand(`storyTracker.${command}`, ...args);
/** Has the extension of `test/neighbour` call the API. */
const call = <T>(name: string, ...given: readonly unknown[]) =>
  Promise.resolve(vscode.commands.executeCommand<T>('neighbour.call', name, ...given));
const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';

describe('The API for other extensions', () => {
  let server: FixtureServer;

  before(async () => {
    server = await FixtureServer.start();
    await run('signIn', { baseUrl: server.url, token: server.token });
  });
  after(async () => {
    await run('signOut', { baseUrl: server.url });
    await server.stop();
  });

  it('is given in version 1, and in no other', async () => {
    assert.equal(await call('version'), 1);
    const extension = vscode.extensions.getExtension<StoryTrackerExtension>('story-tracker.story-tracker');
    // @ts-expect-error There is no version 2.
    assert.throws(() => extension?.exports.getAPI(2), /version 1 of its API, not 2/);
    assert.equal(extension?.exports.getAPI(1), extension?.exports.getAPI(1));
  });

  it('refuses in a sentence whatever else it is passed', async () => {
    const exports = vscode.extensions.getExtension('story-tracker.story-tracker')?.exports;
    assert.ok(Object.isFrozen(exports));
    for (const version of [Object.create(null), [1], '1', null])
      assert.throws(() => exports.getAPI(version), /version 1 of its API, not (?:an object|1)\./);
    const api = exports.getAPI(1);
    for (const options of [null, 5, 'x'])
      for (const refused of [api.findStories('', options), api.markerFor([1], options), api.insertMarker([1], options)])
        await assert.rejects(refused, /^TrackerError: Pass the options as an object\.$/);
    for (const token of [null, 5, {}]) await assert.rejects(api.findStories('', { token }), /as a CancellationToken\./);
    for (const ids of [Array(2), [1, Array(1)[0]], [0.5], ['1'], 1])
      await assert.rejects(api.markerFor(ids), /as a list of their IDs\./);
    const stories = [{ storyId: 104 }];
    for (const repository of [null, 5, folder])
      await assert.rejects(api.insertMarker(stories, { repository }), /as the Uri of its root\./);
  });

  it('finds stories, as frozen values of its own', async () => {
    const { stories, total, isComplete } = await call<FoundStories>('find', 'bake', 1);
    assert.deepEqual([total, isComplete], [2, true]);
    const [story] = stories;
    assert.deepEqual(
      { ...story, projectName: '' },
      {
        storyId: 104,
        projectId: 7,
        server: server.url,
        projectName: '',
        name: 'Bake bread',
        type: 'feature',
        state: 'unstarted',
        labels: [],
      },
    );
    assert.ok(Object.isFrozen(stories) && Object.isFrozen(story) && Object.isFrozen(story?.labels));
    await assert.rejects(call('find', 'owned:me'), /Unknown filter key/);
    await assert.rejects(call('find', 'bake', 1_001), /from 1 to 1000/);
  });

  it('reads a story with its tasks and comments, and says that there is none', async () => {
    const story = await call<StoryDetails>('get', 101);
    assert.deepEqual([story.points, story.owner, story.labels], [3, 'Ana Example', ['api', 'café']]);
    assert.deepEqual(story.tasks, [{ taskId: 11, description: 'wipe the tables', isComplete: true }]);
    assert.deepEqual(
      story.comments.map(({ text, author }) => [text, author]),
      [['Bon appétit', 'Ana Example']],
    );
    assert.deepEqual(await call('getOf', { storyId: 101, projectId: 7, server: server.url }), story);
    await assert.rejects(call('getOf', { storyId: 101, server: 'https://elsewhere.example' }), /Could not find story/);
    await assert.rejects(call('get', 999), /Could not find story #999/);
    await assert.rejects(call('get', '101'), /Pass the story as \{ storyId: number/);
  });

  it('tells the active story, and of changes of stories', async () => {
    type Told = { readonly active: readonly unknown[]; readonly changes: readonly { readonly project?: unknown }[] };
    await run('setActiveStory', { storyId: 104 });
    await eventually(async () => assert.equal(await call('activeStory'), 104));
    await run('stopStory', {});
    await eventually(async () => assert.equal(await call('activeStory'), undefined));
    const reference = { storyId: 104, projectId: 7, server: server.url };
    assert.deepEqual((await call<Told>('told')).active.slice(-2), [reference, undefined]);
    const before = (await call<Told>('told')).changes.length;
    await run('addComment', { storyId: 105, text: 'Merci' });
    await eventually(async () => {
      const changes = (await call<Told>('told')).changes.slice(before);
      assert.ok(
        changes.some(({ project }) => JSON.stringify(project) === JSON.stringify({ projectId: 7, server: server.url })),
      );
    });
  });

  it('writes markers, and puts them into the commit message', async () => {
    assert.equal(await call('marker', [12, 34]), '[delivers #12 #34]');
    await assert.rejects(call('marker', []), /list of their IDs/);
    await call('insert', 104, folder);
    await run('removeMarker', { repository: folder });
    await assert.rejects(call('insert', 104, '/nowhere'), /No open Git repository/);
  });
});
