import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTracker, type HttpTracker } from '../../src/client/tracker/httpTracker.ts';
import { TrackerError } from '../../src/core/errors.ts';
import type { Intent } from '../../src/core/intents/intent.ts';
import type { OutboxEntry, Outcome } from '../../src/core/outbox/outbox.ts';
import type { Tracker } from '../../src/core/ports/tracker.ts';
import { ReplicaFile } from '../../src/sync/file/replicaFile.ts';
import { OutboxSender } from '../../src/sync/outbox/outboxSender.ts';
import { silentLog } from '../support/silentLog.ts';
import { newBacklog, newProject, storyNames } from './support/project.ts';
import { assertNotFound, idOf, textOf, texts } from './support/request.ts';
import { startTestService, type TestService, type TestUser, temporaryFolder } from './support/testService.ts';

/** What comes between a window and the service: an answer that is lost, or someone who is quicker. */
type Disturb = (method: string) => Promise<'lost' | undefined>;

describe('An outbox that edits, moves and deletes on the service', () => {
  let service: TestService;
  let ada: TestUser;
  let tracker: HttpTracker;
  let folder: string;
  let projectId: number;
  let ids: number[];
  let disturb: Disturb;
  let outbox: OutboxSender;
  let file: ReplicaFile;
  let count = 0;

  before(async () => {
    service = await startTestService();
    folder = await temporaryFolder();
    ada = await service.user('Ada');
    tracker = createTracker({ baseUrl: service.url, token: async () => ada.token, log: silentLog });
  });
  after(async () => {
    await tracker?.close();
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  });

  beforeEach(async () => {
    projectId = await newProject(ada);
    ids = await newBacklog(ada, projectId, ['One', 'Two', 'Three']);
    disturb = async () => undefined;
    file = new ReplicaFile({ path: join(folder, `${++count}.sqlite`), log: silentLog });
    outbox = new OutboxSender({
      ...{ file, log: silentLog, now: Date.now, random: () => Math.random() / 1000, tracker: () => disturbed(tracker) },
      wait: (milliseconds, signal) => sleep(Math.min(milliseconds, 10), undefined, { signal }).catch(() => undefined),
    });
    await outbox.attend([account()]);
  });
  afterEach(() => {
    outbox.close();
    file.close();
  });

  const account = () => ({ accountId: 'ada', address: service.url });
  const at = (index: number) => ids[index] ?? 0;
  const path = (index: number, of = projectId) => `/projects/${of}/stories/${at(index)}`;

  /** The service as a window has it. */
  function disturbed(inner: HttpTracker): Tracker {
    return new Proxy<Tracker>(inner, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== 'function' || /^(get|list|current)/.test(String(name))) {
          return typeof value === 'function' ? value.bind(target) : value;
        }
        return async (...args: readonly unknown[]) => {
          const fate = await disturb(String(name));
          const answer: unknown = await Reflect.apply(value, target, args);
          if (fate === 'lost') throw new TrackerError('timeout', 'No answer came.');
          return answer;
        };
      },
    });
  }

  /** What became of them in the end. */
  async function sent(...intents: readonly Intent[]): Promise<readonly Outcome[]> {
    const entries = await outbox.add({ ...account(), projectId }, intents);
    const waits = async () => (await outbox.entries()).some(({ state }: OutboxEntry) => state !== 'failed');
    for (let times = 0; (await waits()) && times < 3000; times++) await sleep(10);
    return Promise.all(entries.map(({ id }) => outbox.outcome(id)));
  }

  /** Loses the first answer to each kind of write. */
  function losingAnswers(): string[] {
    const lost: string[] = [];
    disturb = async (method) => {
      if (lost.includes(method)) return undefined;
      lost.push(method);
      return 'lost';
    };
    return lost;
  }

  const task = async (index: number, description: string) =>
    idOf(await ada.post(`${path(index)}/tasks`, `<task><description>${description}</description></task>`));

  it('does each once whose answer is lost', async () => {
    const lost = losingAnswers();
    const [a, b, c] = [await task(0, 'A'), await task(0, 'B'), await task(0, 'C')];
    const storyId = at(0);
    const outcomes = await sent(
      { kind: 'edit', storyId, edit: { name: 'Uno', labels: ['x'] }, known: { name: 'One', labels: [] } },
      { kind: 'editTask', storyId, taskId: a, description: 'Alpha', known: 'A' },
      { kind: 'moveTask', storyId, taskId: c, position: 1 },
      { kind: 'deleteTask', storyId, taskId: b },
      { kind: 'deleteStory', storyId: at(1) },
      { kind: 'newStory', storyId: -1, story: { name: 'New' }, beside: { place: 'before', targetId: storyId } },
      { kind: 'newStory', storyId: -2, story: { name: 'Newer' }, beside: { place: 'before', targetId: -1 } },
    );
    assert.deepEqual(new Set(outcomes.map(({ kind }) => kind)), new Set(['sent']));
    assert.deepEqual(lost.toSorted(), [
      'createStory',
      'deleteStory',
      'moveStory',
      'removeTask',
      'updateStory',
      'updateTask',
    ]);
    assert.deepEqual(await storyNames(ada, projectId), ['Newer', 'New', 'Uno', 'Three']);
    assert.deepEqual(texts(await ada.get(`${path(0)}/tasks`), 'description'), ['C', 'Alpha']);
    const told = texts(await ada.get(`/projects/${projectId}/activities?limit=100`), 'event_type');
    assert.equal(told.filter((what) => what === 'task_edit').length, 2);
    assert.equal(told.filter((what) => what === 'story_delete').length, 1);
  });

  it('takes a story to another project once, and says what came too late for it', async () => {
    losingAnswers();
    const target = await newProject(ada, 'Gemini');
    const storyId = at(0);
    const [moved] = await sent({ kind: 'moveToProject', storyId, targetProjectId: target });
    const [late] = await sent({ kind: 'edit', storyId, edit: { name: 'x' }, known: { name: 'One' } });
    assert.equal(moved?.kind, 'sent');
    assert.deepEqual(late?.kind === 'failed' && [late.problem.kind, late.problem.message], [
      'notFound',
      `Story #${storyId} has been deleted or moved to another project.`,
    ]);
    assertNotFound(await ada.get(path(0)));
    assert.equal(textOf(await ada.get(path(0, target)), 'name'), 'One');
    const [refused] = await sent({ kind: 'moveToProject', storyId: at(1), targetProjectId: 2 ** 31 });
    assert.match(
      refused?.kind === 'failed' ? refused.problem.message : '',
      /no project 2147483648, or you are not a member/,
    );
  });

  it('overwrites nobody who is quicker by a moment, and is kept by nothing else that they write', async () => {
    const [storyId, taskId] = [at(0), await task(0, 'Was')];
    let isFirst = true;
    const once = (work: (method: string) => Promise<unknown>): void => {
      isFirst = true;
      disturb = async (method) => {
        if (isFirst) await work(method);
        isFirst = false;
        return undefined;
      };
    };
    once(() => ada.post(`${path(0)}/notes`, '<note><text>Look</text></note>'));
    const edit: Intent = { kind: 'edit', storyId, edit: { description: 'Mine' }, known: { description: '' } };
    assert.deepEqual(await sent(edit), [{ kind: 'sent' }]);
    once(() => ada.put(path(0), '<story><description>Theirs</description></story>'));
    const [told] = await sent({ ...edit, edit: { description: 'Mine again' }, known: { description: 'Mine' } });
    const sentence = `The description of story #${storyId} was changed elsewhere. It is “Theirs” now.`;
    assert.equal(told?.kind === 'failed' && told.problem.message, sentence);
    once(() => ada.put(`${path(0)}/tasks/${taskId}`, '<task><description>Theirs</description></task>'));
    const [ofTask] = await sent({ kind: 'editTask', storyId, taskId, description: 'Mine', known: 'Was' });
    assert.equal(ofTask?.kind === 'failed' && ofTask.problem.kind, 'conflict');
    once(() => ada.put(path(0), '<story><labels>theirs</labels></story>'));
    await sent({ kind: 'labels', storyId, change: { add: ['ours'], remove: [] }, known: [] });
    const story = await ada.get(path(0));
    assert.deepEqual(texts(story, 'description'), ['Theirs', 'Theirs']);
    assert.deepEqual(textOf(story, 'labels').split(',').toSorted(), ['ours', 'theirs']);
  });

  it('takes what is gone for deleted where the project is there, and not for who was sent away', async () => {
    await ada.delete(path(0));
    assert.deepEqual(await sent({ kind: 'deleteStory', storyId: at(0) }), [{ kind: 'sent', isRepeated: true }]);
    const mine = projectId;
    projectId = await newProject(await service.user(`Bo ${count}`));
    const [told] = await sent({ kind: 'deleteStory', storyId: at(1) });
    assert.equal(told?.kind === 'failed' && told.problem.kind, 'notFound');
    assert.deepEqual(await storyNames(ada, mine), ['Two', 'Three']);
  });
});
