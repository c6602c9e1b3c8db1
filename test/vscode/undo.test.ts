import assert from 'node:assert/strict';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { retrace } from '../../src/features/undo/commands.ts';
import { BY_KEY, IterationNode, StoryNode } from '../../src/host/tree/nodes.ts';
import { anIteration, aStory } from '../support/builders/builders.ts';
import { eventually } from '../support/eventually.ts';
import { FixtureServer } from '../support/servers/fixtureServer.ts';
import { elementText, type RunningService, runningService } from '../support/servers/runningService.ts';
import { RecordedMessages } from '../support/windows/recordedMessages.ts';

const extensionPath = vscode.extensions.getExtension('story-tracker.story-tracker')?.extensionPath ?? '';
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

  it('puts a story back where it stood in the icebox that was started from there', async () => {
    await run('estimateStory', { storyId: 111, estimate: 1 });
    for (const storyId of [111, 112]) {
      const { order } = server;
      await run('changeState', { storyId, state: 'started' });
      assert.equal(fieldOf(storyId, 'current_state'), 'started');
      await run('moveStoryToTop', { storyId });
      for (const _ of [1, 2]) await run('undo', {});
      assert.deepEqual([server.order, fieldOf(storyId, 'current_state')], [order, 'unscheduled']);
    }
  });

  it('forgets what was done in a project that is no longer there', async () => {
    await assign();
    await run('signOut', { baseUrl: server.url });
    const count = server.requests.length;
    await run('undo', {});
    assert.equal(server.requests.length, count);
    await run('signIn', { baseUrl: server.url, token: server.token });
    await run('undo', {});
    assert.equal(fieldOf(106, 'owned_by'), 'Ana Example');
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

describe('The one undo with a service of ours', () => {
  let service: RunningService;
  let projectId: number;

  before(async () => {
    service = await runningService(join(extensionPath, 'dist/service.js'));
    await run('signIn', { baseUrl: service.url, token: service.token });
    projectId = Number(elementText(await service.ask('GET', '/projects'), 'id'));
  });
  after(async () => {
    await run('signOut', { baseUrl: service.url });
    await service.stop();
  });

  /** Each story's id and state, in priority order. */
  async function stories(): Promise<readonly (readonly [number, string])[]> {
    const xml = await service.ask('GET', `/projects/${projectId}/stories`);
    return xml.split('<story>').flatMap((text) => {
      const state = elementText(text, 'current_state');
      return state === undefined ? [] : [[Number(elementText(text, 'id')), state] as const];
    });
  }

  for (const state of ['unscheduled', 'unstarted']) {
    it(`puts a story that was ${state} back where it stood when it was started and moved`, async () => {
      const looks = [await stories()];
      const [storyId = 0] = looks[0]?.filter((story) => story[1] === state).at(2) ?? [];
      await run('changeState', { storyId, state: 'started', estimate: 1 });
      looks.push(await stories());
      await run('moveStoryToTop', { storyId });
      looks.push(await stories());
      assert.equal(new Set(looks.map((look) => JSON.stringify(look))).size, 3);
      for (const _ of [1, 2]) await run('undo', {});
      assert.deepEqual(await stories(), looks[0]);
      await run('redo', {});
      assert.deepEqual(await stories(), looks[1]);
      await run('redo', {});
      assert.deepEqual(await stories(), looks[2]);
      for (const _ of [1, 2]) await run('undo', {});
      assert.deepEqual(await stories(), looks[0]);
    });
  }
});

describe('The one undo by a key of the tree', () => {
  const row = (storyId: number, projectId: number) => {
    const key = { accountId: 'own', projectId };
    return new StoryNode(key, aStory({ id: storyId }), new IterationNode(key, 'current', anIteration(), []));
  };

  it('leaves the focus on the row that it selected, though VS Code says for a moment that none is', async () => {
    const [before, after] = [row(7, 2), row(7, 1)];
    const told = [[before], [], [], [after]];
    const revealed: unknown[] = [];
    const storiesView = {
      selection: () => (told.length > 1 ? told.shift() : told[0]),
      reveal: async (...args: readonly unknown[]) => void revealed.push(args.slice(0, 2)),
    };
    const undoHistory = { retrace: async () => true };
    await retrace({ storiesView, undoHistory } as never, 'undo', undefined, BY_KEY);
    assert.deepEqual(revealed, [[7, 1]]);
  });

  it('leaves the focus where it is when no other row is selected by it', async () => {
    const before = row(7, 1);
    const storiesView = { selection: () => [before], reveal: async () => assert.fail('It was moved.') };
    await retrace({ storiesView, undoHistory: { retrace: async () => true } } as never, 'undo', undefined, BY_KEY);
  });
});
