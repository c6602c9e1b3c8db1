import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { TrackerError } from '../../src/core/errors.ts';
import { UNESTIMATED } from '../../src/core/story/story.ts';
import { planInDirection } from '../../src/features/reorder/commands.ts';
import { alreadyThereText, madeSlips, refusedSteps } from '../../src/features/reorder/moveTexts.ts';
import { aBacklog, anIteration, aStory } from '../support/builders/builders.ts';
import { eventually } from '../support/eventually.ts';
import { FixtureServer } from '../support/servers/fixtureServer.ts';
import { withQuickPick } from '../support/windows/fakeQuickPick.ts';
import { RecordedMessages } from '../support/windows/recordedMessages.ts';

const run = (command: string, ...args: readonly unknown[]) =>
  vscode.commands.executeCommand(`storyTracker.${command}`, ...args);

describe('Putting stories in order', () => {
  let server: FixtureServer;
  let messages: RecordedMessages;
  const moves = () => server.requests.filter(({ path }) => path.endsWith('/moves'));
  const backlog = () => server.order.slice(1, 8);
  const rejects = (work: Thenable<unknown>, sentence: RegExp) => assert.rejects(async () => work, sentence);

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

  it('moves a story before and after another and resolves when the server has answered', async () => {
    await run('moveStory', { storyId: 106, place: 'before', targetId: 104 });
    assert.deepEqual(backlog(), [101, 102, 103, 106, 104, 105, 107]);
    await run('moveStory', { storyId: 104, projectId: 7, place: 'after', targetId: 107 });
    assert.deepEqual(backlog(), [101, 102, 103, 106, 105, 107, 104]);
    assert.deepEqual(messages.shown, []);
  });

  it('asks before or after which story, and changes between the two', async () => {
    const offered: string[][] = [];
    await withQuickPick(
      () => run('moveStoryAfter', { storyId: 104 }),
      (asked) => {
        offered.push([asked.title, ...asked.items.map(({ description }) => description?.split(' ')[0] ?? '')]);
        asked.choose('Sweep the floor');
      },
    );
    assert.deepEqual(backlog(), [101, 102, 103, 105, 106, 104, 107]);
    const [[title = '', ...targets] = []] = offered;
    assert.match(title, /^Move “.+” after…$/);
    const others = server.order.filter((id) => id !== 100 && id !== 104);
    assert.deepEqual(targets.toSorted(), others.map((id) => `#${id}`).toSorted(), 'neither itself nor what is done');
    await withQuickPick(
      () => run('moveStoryAfter', { storyId: 104 }),
      (asked) => {
        asked.press(asked.buttons[0]);
        assert.match(asked.title, /^Move “.+” before…$/);
        asked.choose('Sweep the floor');
      },
    );
    assert.deepEqual(backlog(), [101, 102, 103, 105, 104, 106, 107]);
  });

  it('moves nothing when the question next to which story is turned away', async () => {
    await withQuickPick(
      () => run('moveStoryBefore', { storyId: 106 }),
      (asked) => asked.turnAway(),
    );
    assert.deepEqual(moves(), []);
  });

  it('moves one place up and down and to the ends, over the border of an iteration', async () => {
    await run('moveStoryUp', { storyId: 104 });
    assert.deepEqual(backlog(), [101, 102, 104, 103, 105, 106, 107]);
    await run('moveStoryDown', { storyId: 104 });
    assert.deepEqual(backlog(), [101, 102, 103, 104, 105, 106, 107]);
    await run('moveStoryToTop', { storyId: 106 });
    assert.deepEqual(backlog(), [106, 101, 102, 103, 104, 105, 107]);
    await run('moveStoryToBottom', { storyId: 101 });
    assert.deepEqual(backlog(), [106, 102, 103, 104, 105, 107, 101]);
  });

  it('asks nothing of the server where nothing changes', async () => {
    await run('moveStoryUp', { storyId: 101 });
    await run('moveStoryDown', { storyId: 107 });
    await run('moveStory', { storyId: 105, place: 'after', targetId: 104 });
    assert.deepEqual(moves(), []);
  });

  it('sends several moves one after the other, each from what the one before made, and none that need not be', async () => {
    const downs = ['105', '106', '107'];
    await Promise.all(downs.map(() => run('moveStoryDown', { storyId: 104 })));
    await eventually(() => assert.deepEqual(backlog(), [101, 102, 103, 105, 106, 107, 104]));
    const targets = moves().map(({ query }) => query.get('move[target]') ?? '');
    assert.deepEqual(
      targets,
      downs.filter((target) => targets.includes(target)),
    );
    assert.equal(targets.at(-1), '107');
  });

  it('takes a story out of the icebox and puts one in', async () => {
    await run('moveStory', { storyId: 112, place: 'before', targetId: 105 });
    assert.match(server.routes.story(112).elements.get('current_state') ?? '', />unstarted</);
    assert.deepEqual(backlog(), [101, 102, 103, 104, 112, 105, 106]);
    await run('moveStory', { storyId: 104, place: 'after', targetId: 111 });
    assert.match(server.routes.story(104).elements.get('current_state') ?? '', />unscheduled</);
    assert.deepEqual(server.order, [100, 101, 102, 103, 112, 105, 106, 107, 111, 104]);
  });

  it('quotes a server that refuses, and moves on from what the server has', async () => {
    server.refuse(/\/moves$/, ['The backlog is frozen until Friday.']);
    await rejects(
      run('moveStory', { storyId: 106, place: 'before', targetId: 104 }),
      /^TrackerError: Could not move “Sweep the floor”: The backlog is frozen until Friday\.$/,
    );
    assert.deepEqual(backlog(), [101, 102, 103, 104, 105, 106, 107]);
    await run('moveStoryUp', { storyId: 106 });
    assert.deepEqual(backlog(), [101, 102, 103, 104, 106, 105, 107], 'up from where it was put back');
  });

  it('says what a story has become that could cross the border but not find its place', async () => {
    server.refuse(/\/moves$/, ['The backlog is frozen until Friday.']);
    await rejects(
      run('moveStory', { storyId: 112, place: 'before', targetId: 105 }),
      /^TrackerError: “true” is now unstarted, but could not be moved into place: The backlog is frozen until Friday\.$/,
    );
  });

  it('says how many of several stories were moved before one was refused', () => {
    const spot = { place: 'after', targetId: 107 } as const;
    const shown = aBacklog({ iterations: [anIteration({ stories: [aStory({ id: 105, name: 'Bake rolls' })] })] });
    const steps = [104, 105, 106].map((storyId) => ({ storyId, spot }));
    const refused = new TrackerError('refused', 'The backlog is frozen until Friday.');
    assert.equal(
      String(refusedSteps(shown, { steps, storyIds: [104, 105, 106] }, { sent: 1 }, refused)),
      'TrackerError: Moved 1 of 3 stories. Could not move “Bake rolls”: The backlog is frozen until Friday.',
    );
  });

  it('says why stories stay where they are planned, whichever iteration they are put into', () => {
    const backlog = aBacklog({
      iterations: [
        anIteration({
          number: 5,
          stories: [aStory({ id: 1, state: 'started' }), aStory({ id: 2 }), aStory({ id: 3 })],
        }),
        anIteration({
          number: 6,
          stories: [
            aStory({ id: 4, estimate: UNESTIMATED }),
            aStory({ id: 5, estimate: 8 }),
            aStory({ id: 6, estimate: 1 }),
          ],
        }),
      ],
    });
    const textOf = (iteration: number | undefined, ...storyIds: readonly number[]) =>
      alreadyThereText(backlog, { storyIds, steps: [], ...(iteration !== undefined && { iteration }) });
    assert.equal(textOf(6, 3), '#3 still fits in iteration 5, so it is planned there.');
    assert.equal(textOf(6, 1), '#1 has been started, so it stays in iteration 5.');
    assert.equal(textOf(6, 2, 3, 4), '2 of 3 stories fit in an earlier iteration.');
    assert.equal(textOf(5, 4), '#4 does not fit in iteration 5.');
    assert.equal(textOf(5, 6), '#6 stays in iteration 6: 1 point does not fit in iteration 5.');
    assert.equal(textOf(5, 5), '#5 stays in iteration 6: 8 points do not fit in iteration 5.');
    assert.equal(textOf(6, 4), 'Already there.');
    assert.equal(textOf(5, 2), 'Already there.');
    assert.equal(textOf(undefined, 2), 'Already there.');
  });

  it('says why a row that was moved by key stands where it stood: what is in progress stays in the current iteration', () => {
    const started = aStory({ id: 1, state: 'started', estimate: 5 });
    const large = aStory({ id: 2, estimate: 8 });
    const backlog = aBacklog({
      iterations: [anIteration({ number: 5, stories: [started] }), anIteration({ number: 6, stories: [large] })],
    });
    const textOf = (direction: 'up' | 'down', storyId: number) => {
      const plan = planInDirection(backlog, [storyId], direction);
      assert.ok(plan && 'steps' in plan && plan.steps.length > 0);
      return madeSlips(backlog, backlog, plan);
    };
    assert.equal(textOf('up', 2), '#2 stays in iteration 6: 8 points do not fit in iteration 5.');
    assert.equal(textOf('down', 1), '#1 has been started, so it stays in iteration 5.');
  });

  it('says what cannot be moved', async () => {
    const before = { place: 'before', targetId: 104 };
    await rejects(run('moveStory', { storyId: 100, ...before }), /Story #100 is done\. Done stories cannot be moved/);
    await rejects(run('moveStoryUp', { storyId: 100 }), /Story #100 is done/);
    await rejects(
      run('moveStory', { storyId: 104, place: 'before', targetId: 100 }),
      /Stories cannot be moved before or after/,
    );
    await rejects(run('moveStory', { storyId: 101, place: 'after', targetId: 111 }), /#101 has been started/);
    await rejects(run('moveStory', { storyId: 4711, ...before }), /Could not find story #4711/);
    await rejects(run('moveStory', { storyId: 104, place: 'after', targetId: 4711 }), /Could not find story #4711/);
    await rejects(run('moveStory', { storyId: 104, place: 'below', targetId: 105 }), /Pass the move as/);
    await rejects(run('moveStory', { place: 'before', targetId: 105 }), /Pass the story as/);
    assert.deepEqual(moves(), []);
  });

  it('holds no undo up while it asks which story to move, and moves none for a question that is turned away', async () => {
    await run('moveStory', { storyId: 106, place: 'before', targetId: 104 });
    const { showQuickPick } = vscode.window;
    const asked = Promise.withResolvers<void>();
    const answered = Promise.withResolvers<undefined>();
    const pick = () => {
      asked.resolve();
      return answered.promise;
    };
    Object.assign(vscode.window, { showQuickPick: pick });
    try {
      const moved = run('moveStoryUp');
      await asked.promise;
      const undone = run('undo', {});
      await eventually(() => assert.deepEqual(backlog(), [101, 102, 103, 104, 105, 106, 107]));
      const count = moves().length;
      answered.resolve(undefined);
      await Promise.all([moved, undone]);
      assert.equal(moves().length, count);
    } finally {
      answered.resolve(undefined);
      Object.assign(vscode.window, { showQuickPick });
    }
  });

  it('undoes moves, the latest first', async () => {
    await run('moveStory', { storyId: 106, place: 'before', targetId: 104 });
    await run('moveStoryToBottom', { storyId: 103 });
    await run('undoMove');
    assert.deepEqual(backlog(), [101, 102, 103, 106, 104, 105, 107]);
    await run('undoMove');
    assert.deepEqual(backlog(), [101, 102, 103, 104, 105, 106, 107]);
    const count = moves().length;
    await run('undoMove');
    assert.equal(moves().length, count, 'there is no more to undo');
    assert.deepEqual(messages.shown, []);
  });

  it('makes moves again that were undone, until there is a new one', async () => {
    const moved = [101, 102, 106, 104, 105, 107, 103];
    await run('moveStory', { storyId: 106, place: 'before', targetId: 104 });
    await run('moveStoryToBottom', { storyId: 103 });
    assert.deepEqual(backlog(), moved);
    for (const _ of [1, 2]) await run('undoMove');
    for (const _ of [1, 2]) await run('redoMove');
    assert.deepEqual(backlog(), moved);
    await run('undoMove');
    assert.deepEqual(backlog(), [101, 102, 103, 106, 104, 105, 107], 'what was made again can be undone again');
    await run('moveStoryUp', { storyId: 107 });
    const count = moves().length;
    await run('redoMove');
    assert.equal(moves().length, count);
    assert.deepEqual(messages.shown, []);
  });

  it('does not make a move again where someone else has moved the story since', async () => {
    await run('moveStory', { storyId: 106, place: 'before', targetId: 104 });
    await run('undoMove');
    server.moveForeign(106, 'before', 102);
    await rejects(run('redoMove', {}), /Could not redo because “Sweep the floor” has been moved or changed since/);
    assert.deepEqual(backlog(), [101, 106, 102, 103, 104, 105, 107]);
  });

  it('makes a move again that was taken out of the outbox', async () => {
    server.cut(/\/moves$/, 0, 1000);
    await run('moveStoryToTop', { storyId: 107 });
    await run('undoMove', {});
    await run('redoMove', {});
    server.noMoreTrouble();
    await run('retryOutbox', {});
    await eventually(() => assert.deepEqual(backlog(), [107, 101, 102, 103, 104, 105, 106]));
  });

  it('undoes what crossed the border of the icebox, with its state', async () => {
    const { order } = server;
    await run('moveStory', { storyId: 112, place: 'before', targetId: 105 });
    await run('moveStory', { storyId: 104, place: 'after', targetId: 111 });
    await run('undoMove', {});
    assert.match(server.routes.story(104).elements.get('current_state') ?? '', />unstarted</);
    await run('undoMove', {});
    assert.match(server.routes.story(112).elements.get('current_state') ?? '', />unscheduled</);
    assert.deepEqual(server.order, order);
    await run('redoMove', {});
    assert.match(server.routes.story(112).elements.get('current_state') ?? '', />unstarted</);
  });

  it('does not undo what someone else has moved since, says so once, and shows the true order', async () => {
    await run('moveStory', { storyId: 106, place: 'before', targetId: 104 });
    server.moveForeign(106, 'before', 102);
    const { order } = server;
    await run('undoMove');
    assert.deepEqual(server.order, order);
    assert.deepEqual(messages.texts, [
      'Could not undo because “Sweep the floor” has been moved or changed since. The order has been refreshed.',
    ]);
    await run('moveStoryUp', { storyId: 106 });
    assert.deepEqual(backlog(), [106, 101, 102, 103, 104, 105, 107], 'up from where the other put it');
  });

  it('does not undo a move to where others stand now', async () => {
    await run('moveStory', { storyId: 106, place: 'before', targetId: 104 });
    server.moveForeign(107, 'before', 102);
    await rejects(
      run('undoMove', {}),
      /Could not undo because the stories around the former position of “Sweep the floor” have been moved/,
    );
    assert.deepEqual(backlog(), [101, 107, 102, 103, 106, 104, 105]);
  });

  it('takes a move that waits back out of the outbox', async () => {
    await run('moveStoryUp', { storyId: 106 });
    server.cut(/\/moves$/, 0, 1000);
    await run('moveStoryUp', { storyId: 106 });
    await run('moveStoryToTop', { storyId: 107 });
    await run('undoMove', {});
    server.noMoreTrouble();
    await run('retryOutbox', {});
    await eventually(() => assert.deepEqual(backlog(), [101, 102, 103, 106, 104, 105, 107]));
    assert.ok(moves().every(({ path }) => !path.includes('/107/')));
  });

  it('undoes nothing for a move that was refused', async () => {
    server.refuse(/\/moves$/, ['The backlog is frozen until Friday.']);
    await rejects(run('moveStoryUp', { storyId: 106 }), /frozen/);
    const sent = moves().length;
    await run('undoMove', {});
    assert.equal(moves().length, sent);
  });

  it('undoes a move that is still on its way, behind it', async () => {
    const letGo = server.hold(/\/moves$/);
    const moved = run('moveStoryUp', { storyId: 106 });
    await eventually(() => assert.equal(moves().length, 1));
    const undone = run('undoMove', {});
    letGo();
    await Promise.all([moved, undone]);
    await eventually(() => assert.deepEqual(backlog(), [101, 102, 103, 104, 105, 106, 107]));
  });

  it('says once when the story that another was put next to had been moved by someone else', async () => {
    await run('moveStoryUp', { storyId: 107 });
    server.moveForeign(104, 'before', 102);
    await run('moveStory', { storyId: 106, place: 'before', targetId: 104 });
    assert.deepEqual(backlog(), [101, 106, 104, 102, 103, 105, 107]);
    await eventually(() =>
      assert.deepEqual(messages.texts, [
        '“Bake bread” was moved by another change, and your stories moved with it. The order has been refreshed.',
      ]),
    );
  });

  it('says once, in the words of the server, when the story to be put next to is gone', async () => {
    await run('moveStoryUp', { storyId: 107 });
    server.routes.stories.splice(server.order.indexOf(104), 1);
    await rejects(run('moveStory', { storyId: 106, place: 'before', targetId: 104 }), /Target story is missing/);
    await rejects(
      run('moveStory', { storyId: 106, place: 'before', targetId: 104 }),
      /Could not find story #104 in this project/,
    );
  });

  it('lets a move wait that the service could not be given, and sends it', async () => {
    await run('moveStoryUp', { storyId: 106 });
    server.cut(/\/moves$/);
    await run('moveStoryUp', { storyId: 106 });
    await eventually(() => assert.deepEqual(backlog(), [101, 102, 103, 106, 104, 105, 107]));
    assert.deepEqual(messages.shown, []);
  });

  it('does not repeat a move whose answer got lost', async () => {
    server.loseAnswer(/\/moves$/);
    await run('moveStory', { storyId: 106, place: 'before', targetId: 104 });
    await run('retryOutbox', {});
    await eventually(() =>
      assert.equal(server.requests.filter(({ path }) => path.endsWith('current_backlog')).length > 1, true),
    );
    assert.equal(moves().length, 1);
    assert.deepEqual(backlog(), [101, 102, 103, 106, 104, 105, 107]);
  });
});
