import assert from 'node:assert/strict';
import { TrackerError } from '../../../../src/core/errors.ts';
import type { Intent } from '../../../../src/core/intents/intent.ts';
import type { Story, StoryEdit, Task } from '../../../../src/core/story/story.ts';
import { aBacklog, aDate, aStory } from '../../../support/builders/builders.ts';
import { OutboxMachine } from '../../../support/replica/outboxMachine.ts';
import { account, type OutboxWindow, project } from '../../../support/replica/outboxWindow.ts';
import type { SteppedClock } from '../../../support/replica/steppedClock.ts';
import type { Fate, OutboxServer } from '../../../support/trackers/outboxServer.ts';

const lost: Fate = { kind: 'lostBefore' };
const unheard: Fate = { kind: 'lostAfter' };
const answered: Fate = { kind: 'answered' };
const isRead = (method: string) => /^(get|list|current)/.test(method);
const MINUTES = 60_000;

const tasks: readonly Task[] = ['Heat', 'Knead', 'Bake'].map((description, index) => {
  return { id: 71 + index, description, complete: false, position: index + 1 };
});

describe('The outbox, with edits and deletions of stories and tasks', () => {
  let machine: OutboxMachine;
  let server: OutboxServer;
  let clock: SteppedClock;

  beforeEach(async () => {
    machine = await OutboxMachine.start();
    ({ server, clock } = machine);
    server.put({ ...server.story(11), tasks });
  });
  afterEach(() => machine.remove());

  const open = () => machine.open();
  const submit = (window: OutboxWindow, ...intents: readonly Intent[]) => machine.submit(window, ...intents);
  /** The fate of writes one after the other; what follows, and every read, is answered. */
  const fates = (...writes: readonly Fate[]) => {
    const rest = [...writes];
    server.fate = (method) => (isRead(method) ? answered : (rest.shift() ?? answered));
  };
  const failures = async ({ outbox }: OutboxWindow) =>
    (await outbox.entries()).map(({ state, problem }) => [state, problem?.kind, problem?.message]);
  const described = () => server.story(11).tasks.map(({ description }) => description);
  const edit = (known: StoryEdit, wanted: StoryEdit): Intent => ({ kind: 'edit', storyId: 11, edit: wanted, known });

  /** A machine that has read the project, with these stories in its backlog. */
  async function known(window: OutboxWindow, stories: readonly Story[]): Promise<void> {
    const { key } = await window.replica.placeFor(account);
    window.file.change((database) => {
      const lists = {
        iterations: [{ id: 1, number: 1, storyIds: stories.map(({ id }) => id) }],
        icebox: [],
        done: [],
      };
      const backlog = `INSERT INTO backlog (account, id, value, listsRevision, readAt, wholeReadAt, stamp) VALUES (?, 1, ?, 1, 1, 1, 1)`;
      database.prepare(backlog).run(key, JSON.stringify(aBacklog().project));
      database.prepare('INSERT INTO lists (account, project, value) VALUES (?, 1, ?)').run(key, JSON.stringify(lists));
      const insert = database.prepare(
        'INSERT INTO story (account, project, id, value, revision) VALUES (?, 1, ?, ?, 1)',
      );
      for (const story of stories) insert.run(key, story.id, JSON.stringify(story));
    });
  }

  const every: readonly (readonly [Intent, done: string])[] = [
    [edit({ name: 'Story 11' }, { name: 'New' }), 'edit 11 {"name":"New"}'],
    [{ kind: 'editTask', storyId: 11, taskId: 72, description: 'Fold', known: 'Knead' }, 'change 11 72 Fold'],
    [{ kind: 'moveTask', storyId: 11, taskId: 73, position: 1 }, 'change 11 73 to 1'],
    [{ kind: 'deleteTask', storyId: 11, taskId: 72 }, 'delete task 11 72'],
    [{ kind: 'deleteStory', storyId: 11 }, 'delete 11'],
    [{ kind: 'moveToProject', storyId: 11, targetProjectId: 2 }, 'move 11 to 2'],
  ];

  for (const [intent, done] of every) {
    const isDoneTwice = intent.kind === 'moveTask';
    it(`makes ${intent.kind} once, whether the request or its answer is lost, or the window killed`, async () => {
      server.put({ ...server.story(11), name: 'Story 11' });
      fates(lost);
      const window = await open();
      assert.equal((await submit(window, intent))[0]?.kind, 'waiting');
      window.kill();
      const next = await open();
      await clock.advance(MINUTES);
      assert.deepEqual([server.done, await failures(next)], [[done], []]);
    });

    it(`takes ${intent.kind} for done that was never answered`, async () => {
      server.put({ ...server.story(11), name: 'Story 11' });
      fates(unheard);
      const window = await open();
      assert.equal((await submit(window, intent))[0]?.kind, 'waiting');
      window.kill();
      const next = await open();
      await clock.advance(MINUTES);
      assert.deepEqual([server.done, await failures(next)], [isDoneTwice ? [done, done] : [done], []]);
    });

    it(`says what is missing where ${intent.kind} finds no story any more`, async () => {
      server.remove(11);
      const window = await open();
      const [outcome] = await submit(window, intent);
      if (intent.kind === 'deleteStory') return assert.deepEqual(outcome, { kind: 'sent', isRepeated: true });
      const message = 'Story #11 has been deleted or moved to another project.';
      assert.deepEqual(outcome, { kind: 'failed', problem: { kind: 'notFound', message } });
    });

    it(`does not take ${intent.kind} for done where something else answers in the server’s place`, async () => {
      const window = await open();
      server.isPutAway = true;
      const [outcome] = await submit(window, intent);
      assert.equal(outcome?.kind === 'failed' && outcome.problem.kind, 'notFound');
      assert.deepEqual(server.done, []);
    });
  }

  const notFound = new TrackerError('notFound', 'tracker.example does not have this.', { status: 404 });
  const unoffered: readonly Intent[] = [
    { kind: 'comment', storyId: 11, text: 'Yes' },
    { kind: 'labels', storyId: 11, change: { add: ['a'], remove: [] }, known: [] },
    { kind: 'move', storyId: 11, place: 'after', targetId: 12 },
    { kind: 'newTask', storyId: 11, description: 'Fold' },
    { kind: 'task', storyId: 11, taskId: 72, complete: true },
    ...every.map(([intent]) => intent).filter(({ kind }) => kind !== 'deleteStory'),
  ];
  for (const intent of unoffered) {
    it(`says of ${intent.kind} that the server does not offer it, not that the story is gone`, async () => {
      server.put({ ...server.story(11), name: 'Story 11' });
      server.fate = (method) => (isRead(method) ? answered : { kind: 'throws', error: notFound });
      const [outcome] = await submit(await open(), intent);
      const message = 'The server does not offer this change of story #11.';
      assert.deepEqual(outcome, { kind: 'failed', problem: { kind: 'notFound', message } });
    });
  }

  it('says which story is missing where one is moved next to another that is gone', async () => {
    server.remove(12);
    server.fate = (method) => (isRead(method) ? answered : { kind: 'throws', error: notFound });
    const [outcome] = await submit(await open(), { kind: 'move', storyId: 11, place: 'after', targetId: 12 });
    const message = 'Story #12 has been deleted or moved to another project.';
    assert.deepEqual(outcome, { kind: 'failed', problem: { kind: 'notFound', message } });
  });

  it('gives a server nothing where someone else has written since, and says what is there now', async () => {
    const was = { ...server.story(11), ownedBy: 'Ada Fenn', estimate: -1 };
    server.put({ ...was, name: 'Theirs', labels: ['b', 'c'], deadline: aDate('2026-12-24') });
    const window = await open();
    const said = async (wanted: StoryEdit, seen: StoryEdit) => {
      const [outcome] = await submit(window, edit(seen, wanted));
      return outcome?.kind === 'failed' && outcome.problem.kind === 'conflict' ? outcome.problem.message : outcome;
    };
    const start = (what: string) => `The ${what} of story #11 was changed elsewhere.`;
    assert.equal(await said({ name: 'Mine' }, { name: 'Was' }), `${start('name')} It is “Theirs” now.`);
    assert.equal(
      await said({ labels: ['d'] }, { labels: ['a'] }),
      `The labels of story #11 were changed elsewhere. They are “b, c” now.`,
    );
    assert.equal(
      await said({ deadline: aDate('2027-01-01') }, { deadline: aDate('2026-11-30') }),
      `${start('deadline')} It is “Dec 24, 2026” now.`,
    );
    assert.equal(await said({ estimate: 3 }, { estimate: 1 }), `${start('estimate')} There is none now.`);
    assert.equal(
      await said({ description: 'Mine' }, { description: 'Was' }),
      `${start('description')} It is empty now.`,
    );
    assert.deepEqual(server.done, []);
    assert.deepEqual(await said({ ownedBy: 'Bo' }, { ownedBy: 'ada fenn' }), { kind: 'sent' }, 'a name is a name');
    assert.deepEqual(await said({ name: 'Theirs' }, { name: 'Was' }), { kind: 'sent' }, 'both wanted the same');
    assert.equal(server.done.length, 1);
  });

  it('says what the server made of an edit, where that is not what it was given', async () => {
    const window = await open();
    server.put({ ...server.story(11), name: 'Was' });
    server.stores = () => ({ name: 'Mi' });
    const outcomes = await submit(window, edit({ name: 'Was' }, { name: 'Mine' }));
    assert.deepEqual(outcomes, [{ kind: 'sent', answer: server.story(11) }]);
    assert.equal(server.story(11).name, 'Mi');
  });

  it('overwrites nobody who writes between its looking and its writing, and is not kept by other fields', async () => {
    const window = await open();
    server.put({ ...server.story(11), name: 'Was' });
    let times = 0;
    server.fate = (method) => {
      if (method !== 'updateStory' || times > 0) return answered;
      times += 1;
      server.put({ ...server.story(11), labels: ['theirs'] });
      return answered;
    };
    assert.deepEqual(await submit(window, edit({ name: 'Was' }, { name: 'Mine' })), [{ kind: 'sent' }]);
    assert.deepEqual([server.story(11).name, server.story(11).labels], ['Mine', ['theirs']]);
    times = 0;
    server.fate = (method) => {
      if (method === 'updateStory') server.put({ ...server.story(11), name: 'Theirs' });
      if (method === 'updateTask')
        server.put({ ...server.story(11), tasks: [{ id: 72, description: 'Theirs', complete: false }] });
      return answered;
    };
    const [one] = await submit(window, edit({ name: 'Mine' }, { name: 'Mine again' }));
    const [other] = await submit(window, {
      kind: 'editTask',
      storyId: 11,
      taskId: 72,
      description: 'Mine',
      known: 'Knead',
    });
    assert.equal(one?.kind === 'failed' && one.problem.kind, 'conflict');
    assert.equal(other?.kind === 'failed' && other.problem.kind, 'conflict');
    assert.deepEqual([server.story(11).name, described()], ['Theirs', ['Theirs']]);
  });

  it('keeps the labels that someone puts on while it writes its own', async () => {
    const window = await open();
    let times = 0;
    server.fate = (method) => {
      if (method === 'updateStory' && times++ === 0) server.put({ ...server.story(11), labels: ['theirs'] });
      return answered;
    };
    const change = { add: ['ours'], remove: [] };
    assert.deepEqual(await submit(window, { kind: 'labels', storyId: 11, change, known: [] }), [{ kind: 'sent' }]);
    assert.deepEqual(server.story(11).labels, ['theirs', 'ours']);
  });

  for (const tags of ['none', 'rewritten'] as const) {
    it(`edits all the same where tags are ${tags}`, async () => {
      server.tags = tags;
      server.put({ ...server.story(11), name: 'Was' });
      const window = await open();
      const intents = [edit({ name: 'Was' }, { name: 'Mine' }), every[1]?.[0] ?? edit({}, {})];
      assert.deepEqual(await submit(window, ...intents), [{ kind: 'sent' }, { kind: 'sent' }]);
      assert.deepEqual([server.story(11).name, described()[1]], ['Mine', 'Fold']);
    });
  }

  it('sends blanks at the beginning of a text, once, and again only where a server that keeps them has none', async () => {
    const window = await open();
    const writes = () => server.done.filter((one) => one.startsWith('edit')).length;
    server.put({ ...server.story(11), description: 'make' });
    await submit(window, edit({ description: 'make' }, { description: '    make' }));
    assert.deepEqual([server.story(11).description, writes()], ['    make', 1]);
    await submit(window, edit({ description: 'make' }, { description: '    make' }));
    await submit(window, edit({ description: 'other' }, { description: '    make\n' }));
    assert.deepEqual([server.story(11).description, writes()], ['    make', 1]);
    await submit(window, edit({ description: '    make' }, { description: 'make' }));
    assert.deepEqual([server.story(11).description, writes()], ['make', 2]);
  });

  it('waits, and lets those behind it go on waiting, where others are always quicker', async () => {
    const window = await open();
    let count = 0;
    const busy = () => server.put({ ...server.story(11), notes: [{ id: 900 + count++, text: 'Look' }] });
    server.put({ ...server.story(11), name: 'Was' });
    server.fate = (method) => {
      if (method === 'updateStory' && count < 7) busy();
      return answered;
    };
    const [outcome] = await submit(window, edit({ name: 'Was' }, { name: 'Mine' }));
    assert.equal(outcome?.kind === 'waiting' && outcome.problem.kind, 'busy');
    await clock.advance(MINUTES);
    assert.deepEqual([server.story(11).name, await failures(window)], ['Mine', []]);
  });

  it('tells of a task that someone else changed or deleted', async () => {
    const window = await open();
    server.put({ ...server.story(11), tasks: tasks.slice(1).map((one) => ({ ...one, description: 'Theirs' })) });
    const change = (taskId: number, wanted: string): Intent => {
      return { kind: 'editTask', storyId: 11, taskId, description: wanted, known: 'Was' };
    };
    await submit(window, change(72, 'Mine'));
    await submit(window, change(71, 'Mine'));
    await submit(window, { kind: 'moveTask', storyId: 11, taskId: 71, position: 2 });
    await submit(window, { kind: 'deleteTask', storyId: 11, taskId: 71 });
    assert.deepEqual(await failures(window), [
      ['failed', 'conflict', 'This task of story #11 was changed elsewhere. It is “Theirs” now.'],
      ['failed', 'notFound', 'This task of story #11 has been deleted.'],
      ['failed', 'notFound', 'This task of story #11 has been deleted.'],
    ]);
  });

  it('says of changes that wait behind a deletion what became of their story', async () => {
    server.fate = () => lost;
    const window = await open();
    await submit(window, { kind: 'deleteStory', storyId: 11 });
    await submit(window, { kind: 'comment', storyId: 11, text: 'Typed' });
    await submit(window, { kind: 'labels', storyId: 11, change: { add: ['a'], remove: [] }, known: [] });
    server.fate = () => answered;
    await clock.advance(15 * MINUTES);
    assert.deepEqual(server.done, ['delete 11']);
    const message = 'Story #11 has been deleted or moved to another project.';
    assert.deepEqual(await failures(window), [
      ['failed', 'notFound', message],
      ['failed', 'notFound', message],
    ]);
  });

  it('has no window show a story again that was deleted, nor a task, and the rest in the order that they have', async () => {
    const window = await open();
    await known(window, [server.story(11), server.story(12), server.story(13)]);
    const shown = async () => (await window.replica.backlog(project, {})) ?? { stories: [], lists: undefined };
    await submit(window, { kind: 'moveTask', storyId: 11, taskId: 73, position: 1 });
    await submit(window, { kind: 'deleteTask', storyId: 11, taskId: 71 });
    const story = (await shown()).stories.find(({ id }) => id === 11);
    assert.deepEqual(
      story?.tasks.map(({ description, position }) => [description, position]),
      [
        ['Bake', 1],
        ['Knead', 2],
      ],
    );
    await submit(window, { kind: 'deleteStory', storyId: 11 });
    await submit(window, { kind: 'moveToProject', storyId: 13, targetProjectId: 2 });
    const { stories, lists } = await shown();
    assert.deepEqual([stories.map(({ id }) => id), lists?.iterations.map(({ storyIds }) => storyIds)], [[12], [[12]]]);
  });

  it('says so where a server leaves a story in the project where it was', async () => {
    server.movesToProjects = false;
    const window = await open();
    const [outcome] = await submit(window, { kind: 'moveToProject', storyId: 11, targetProjectId: 2 });
    const message = 'The server does not move stories to other projects.';
    assert.deepEqual(outcome, { kind: 'failed', problem: { kind: 'refused', message } });
  });

  it('takes a story for moved that is in the other project already', async () => {
    server.moveToProject({ projectId: 1, storyId: 11 }, 2);
    const window = await open();
    const outcome = await submit(window, { kind: 'moveToProject', storyId: 11, targetProjectId: 2 });
    assert.deepEqual(outcome, [{ kind: 'sent', isRepeated: true }]);
  });

  describe('and a new story beside another', () => {
    const beside = (storyId: number, name: string, targetId: number): Intent => {
      return { kind: 'newStory', storyId, story: { name }, beside: { place: 'before', targetId } };
    };
    beforeEach(() => {
      const create = server.createStory.bind(server);
      server.createStory = (projectId, story) => {
        const created = create(projectId, story);
        server.orders[projectId] = [...(server.orders[projectId] ?? []), created.id];
        return created;
      };
    });
    const order = () => (server.orders[1] ?? []).map((id) => (id > 1000 ? server.story(id).name : id));

    for (const [what, fate] of [
      ['is lost', lost],
      ['has no answer', unheard],
    ] as const) {
      for (const method of ['createStory', 'moveStory']) {
        it(`is made once and placed, where ${method} ${what} and the window is killed`, async () => {
          let times = 0;
          server.fate = (asked) => (asked === method && times++ === 0 ? fate : answered);
          const window = await open();
          const [outcome] = await submit(window, beside(-1, 'New', 12));
          assert.equal(outcome?.kind, 'waiting');
          window.kill();
          const next = await open();
          await clock.advance(MINUTES);
          assert.deepEqual([order(), await failures(next)], [[11, 'New', 12, 13, 14], []]);
          assert.equal(server.done.filter((what) => what.startsWith('create')).length, 1);
        });
      }
    }

    it('is not made again where someone else renames it before it is placed', async () => {
      server.fate = (method) => (method === 'moveStory' ? lost : answered);
      const window = await open();
      await submit(window, beside(-1, 'New', 12));
      const [id = 0] = (server.orders[1] ?? []).slice(-1);
      server.put({ ...server.story(id), name: 'Renamed' });
      server.fate = () => answered;
      window.kill();
      const next = await open();
      await clock.advance(15 * MINUTES);
      assert.deepEqual([order(), await failures(next)], [[11, 'Renamed', 12, 13, 14], []]);
    });

    it('stays at the end where its neighbour is gone, and is no more where someone deletes it first', async () => {
      const window = await open();
      assert.equal((await submit(window, beside(-1, 'New', 99)))[0]?.kind, 'sent');
      assert.deepEqual(order(), [11, 12, 13, 14, 'New']);
      server.fate = (method) => (method === 'moveStory' ? lost : answered);
      await submit(window, beside(-2, 'Other', 11));
      server.remove((server.orders[1] ?? []).at(-1) ?? 0);
      server.fate = () => answered;
      await clock.advance(15 * MINUTES);
      assert.deepEqual([order(), await failures(window)], [[11, 12, 13, 14, 'New'], []]);
    });

    it('stands beside another new one, by the number that it is given', async () => {
      server.fate = () => lost;
      const window = await open();
      await submit(window, beside(-1, 'One', 13));
      await submit(window, beside(-2, 'Two', -1), beside(-3, 'Three', -2));
      await submit(window, beside(-4, 'Four', -77));
      server.fate = () => answered;
      await clock.advance(15 * MINUTES);
      assert.deepEqual([order(), await failures(window)], [[11, 12, 'Three', 'Two', 'One', 13, 14, 'Four'], []]);
    });
  });

  it('keeps what goes to one account from another of the same server', async () => {
    const window = await open();
    const other = { accountId: 'bo', address: account.address };
    await window.outbox.add({ ...other, projectId: 1 }, [{ kind: 'deleteStory', storyId: 11 }]);
    await clock.advance(MINUTES);
    assert.deepEqual(server.done, []);
    await window.outbox.attend([other]);
    await clock.advance(MINUTES);
    assert.deepEqual(server.done, ['delete 11']);
  });

  it('asks again where it may not delete', async () => {
    const forbidden = new TrackerError('forbidden', 'You are a Viewer.', { status: 403 });
    fates({ kind: 'throws', error: forbidden });
    const window = await open();
    await known(window, [aStory({ id: 11 })]);
    const [outcome] = await submit(window, { kind: 'deleteStory', storyId: 11 });
    assert.equal(outcome?.kind === 'failed' && outcome.problem.message, 'You are a Viewer.');
    assert.equal((await window.replica.backlog(project, {}))?.stories.length, 1);
  });
});
