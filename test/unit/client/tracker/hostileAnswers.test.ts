import assert from 'node:assert/strict';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { HttpTracker } from '../../../../src/client/tracker/httpTracker.ts';
import { TrackerError } from '../../../../src/core/errors.ts';
import { MAX_COMMENTS_OF_STORY, MAX_TASKS_OF_STORY } from '../../../../src/core/limits.ts';
import { longActivities } from '../../../../src/v3/activity.ts';
import { attachmentElement } from '../../../../src/v3/attachment.ts';
import type { Element } from '../../../../src/v3/element.ts';
import { type EndpointName, endpoints } from '../../../../src/v3/endpoints.ts';
import { importedIdsElement, importProgressElement, renumberedElement } from '../../../../src/v3/importReport.ts';
import { membershipsElement } from '../../../../src/v3/membership.ts';
import { notesElement } from '../../../../src/v3/note.ts';
import { longProjects, projectElement } from '../../../../src/v3/project.ts';
import { projectSettingsElement } from '../../../../src/v3/projectSettings.ts';
import { readText } from '../../../../src/v3/read.ts';
import { storyElement } from '../../../../src/v3/story.ts';
import { taskElement, tasksElement } from '../../../../src/v3/task.ts';
import { tokenElement } from '../../../../src/v3/token.ts';
import { writeDocument } from '../../../../src/v3/write.ts';
import {
  aDate,
  aNote,
  anActivity,
  anAttachment,
  anIteration,
  aProject,
  aStory,
  aTask,
} from '../../../support/builders/builders.ts';
import { assertGivesWay } from '../../../support/measures/longestHold.ts';
import { trackerFor } from '../../../support/servers/testServer.ts';
import { iterationsElement, storiesElement, wholeDocument } from '../../../support/v3/lists.ts';
import type { Answer } from './hostileAnswers.ts';

const KINDS = {
  digits: '7',
  'combining marks': '\u0301',
  separators: ',',
  brackets: '[',
  'white space': ' ',
} as const;
/** Characters: a text that is usual for nobody, one that is just taken, and one that is not. */
const LENGTHS = [100_000, 1024 * 1024 - 8, 1024 * 1024 + 8] as const;
/** `HOSTILE_ANSWERS=long` gives every element texts of every kind and length, and more of each; else they take turns. */
const IS_LONG = process.env.HOSTILE_ANSWERS === 'long';
const MOST_BYTES = IS_LONG ? 8_000_000 : 600_000;
const STORY = { projectId: 7, storyId: 12 };

type Sample = readonly [Element, (tracker: HttpTracker) => Promise<unknown>];

const story = aStory({
  ...{ description: 'Told', ownedBy: 'Bo', requestedBy: 'Ada', labels: ['a', 'b'], rank: 'a1', url: 'https://x.test/' },
  ...{ createdAt: aDate('2026-03-02T09:00:00Z'), updatedAt: aDate('2026-03-02T09:00:00Z') },
  ...{ acceptedAt: aDate('2026-03-02T09:00:00Z'), deadline: aDate('2026-03-02T09:00:00Z') },
  ticket: { prefix: 'other', externalId: '1', url: 'https://x.test/1', integrationId: 3 },
  notes: [aNote({ author: 'Bo', notedAt: aDate('2026-03-02T09:00:00Z') })],
  tasks: [aTask({ position: 1, createdAt: aDate('2026-03-02T09:00:00Z') })],
  attachments: [anAttachment({ description: 'Told', uploadedBy: 'Bo', uploadedAt: aDate('2026-03-02T09:00:00Z') })],
});
const iterations = iterationsElement([anIteration({ stories: [story] })]);
const project = aProject({ labels: ['a', 'b'] });
const membership = { id: 1, person: { name: 'Bo', email: 'bo@x.test', initials: 'B' }, role: 'Owner' };
const settings = {
  ...{ id: 7, name: 'Bakery', pointScale: [0, 1], iterationLength: 1, weekStartDay: 'Monday', role: 'Owner' },
  ...{ webHookUrl: 'https://x.test/', isWebHookSigned: true, velocityScheme: 'Average of 3 iterations' },
  ...{ initialVelocity: 10, numberOfDoneIterationsToShow: 4, startDate: aDate('2026-03-02T09:00:00Z'), account: 'A' },
  strengths: [{ number: 3, teamStrength: 0.5, length: 2 }],
  members: [{ ...membership, ownedStories: 2 }],
  keptNames: [{ name: 'Ben', stories: 2 }],
  integrations: [
    {
      ...{ id: 3, type: 'Other', name: 'A', fieldName: 'other_id', fieldLabel: 'A' },
      active: true,
      baseUrl: '',
      storyCount: 1,
    },
  ],
};
const activities = readText(wholeDocument(longActivities([anActivity()], (one) => one)));
const projects = readText(wholeDocument(longProjects([project])));

/** Each read of the endpoint table, with an answer that has all that readers know. */
const reads = {
  listProjects: [projects, (tracker) => tracker.listProjects()],
  getProject: [projectElement(project), (tracker) => tracker.getProject(7)],
  getProjectSettings: [projectSettingsElement(settings), (tracker) => tracker.getProjectSettings(7)],
  listMyMemberships: [membershipsElement([membership]), (tracker) => tracker.listMyMemberships()],
  listMemberships: [membershipsElement([membership]), (tracker) => tracker.listMemberships(7)],
  listIterations: [iterations, (tracker) => tracker.listIterations(7, undefined, {})],
  doneIterations: [iterations, (tracker) => tracker.listIterations(7, 'done', {})],
  currentIteration: [iterations, (tracker) => tracker.listIterations(7, 'current', {})],
  backlogIterations: [iterations, (tracker) => tracker.listIterations(7, 'backlog', {})],
  currentBacklog: [iterations, (tracker) => tracker.currentBacklog(7)],
  listStories: [storiesElement([story]), (tracker) => tracker.listStories(7, {})],
  getStory: [storyElement(story), (tracker) => tracker.getStory(STORY)],
  listNotes: [notesElement(story.notes), (tracker) => tracker.listNotes(STORY)],
  listTasks: [tasksElement(story.tasks), (tracker) => tracker.listTasks(STORY)],
  getTask: [taskElement(aTask()), (tracker) => tracker.getTaggedTask(STORY, 61)],
  getAttachment: [attachmentElement(anAttachment()), (tracker) => tracker.getAttachment(STORY, 1)],
  listActivities: [activities, (tracker) => tracker.listActivities({})],
  projectActivities: [activities, (tracker) => tracker.listActivities({ projectId: 7 })],
  importProgress: [importProgressElement(1, { part: 0.5, stories: 2 }), (tracker) => tracker.importProgress(1)],
  importedStories: [importedIdsElement([{ externalId: 'a', storyId: 1 }]), (tracker) => tracker.importedIds(7, ['a'])],
  renumberedStories: [
    renumberedElement([{ formerId: 12, storyId: 45, projectId: 7 }]),
    (tracker) => tracker.renumberedStories(),
  ],
  getActiveToken: [
    tokenElement({ guid: 'a', id: 1 }),
    (tracker) => tracker.activeToken({ username: 'a', password: 'b' }),
  ],
} satisfies Partial<Record<EndpointName, Sample>>;
type Read = keyof typeof reads;
/** Those that the extension does not ask. */
const UNREAD: readonly EndpointName[] = ['getMembership', 'exportProject'];

/** A way to each element of a document without children, and to each that has some. */
function* ways(element: Element, way: readonly number[] = []): Generator<readonly number[]> {
  yield way;
  for (const [at, child] of element.children.entries()) yield* ways(child, [...way, at]);
}

function at(element: Element, way: readonly number[]): Element {
  return way.reduce((inside, index) => inside.children[index] ?? inside, element);
}

function changed(element: Element, [index, ...way]: readonly number[], change: (it: Element) => Element[]): Element {
  const children = element.children.flatMap((child, place) => {
    if (place !== index) return [child];
    return way.length === 0 ? change(child) : [changed(child, way, change)];
  });
  return { ...element, children };
}

/** All of them, or those whose turn it is. */
function textsOf(turn: number): readonly (readonly [string, string, number])[] {
  const kinds = Object.entries(KINDS);
  const all = kinds.flatMap(([kind, unit]) => LENGTHS.map((length) => [kind, unit, length] as const));
  return IS_LONG ? all : all.filter((_, at) => at === (turn * 4) % all.length);
}

const HOLE = 'hole-hole-hole';

describe('What a hostile server answers', () => {
  let server: Worker;
  let url: string;
  let tracker: HttpTracker;

  before(async () => {
    server = new Worker(fileURLToPath(new URL('./hostileAnswers.ts', import.meta.url)));
    [url] = await once(server, 'message');
    tracker = trackerFor(url, { timeouts: { total: 60_000 } }).tracker;
  });
  after(async () => {
    await tracker.close();
    await server.terminate();
  });

  async function answersWith(answer: Answer): Promise<void> {
    const taken = once(server, 'message');
    server.postMessage(answer);
    await taken;
  }

  /** Reads it, and gives what came of it. */
  async function read(name: Read, answer: Answer): Promise<unknown> {
    await answersWith(answer);
    const [, ask] = reads[name];
    let outcome: unknown;
    const work = async () => {
      outcome = await ask(tracker).catch((thrown: unknown) => thrown);
    };
    await assertGivesWay(work, JSON.stringify(answer).slice(0, 200));
    if (!(outcome instanceof Error)) return outcome;
    assert.ok(outcome instanceof TrackerError, String(outcome));
    assert.equal(outcome.kind, 'protocol', outcome.message);
    assert.ok(outcome.message.includes(new URL(url).host) && outcome.message.length < 700, outcome.message);
    return outcome;
  }

  it('is generated for each read of the endpoint table', () => {
    const asked = Object.entries(endpoints).filter(([, { method }]) => method === 'GET');
    assert.deepEqual(asked.map(([name]) => name).toSorted(), [...Object.keys(reads), ...UNREAD].toSorted());
  });

  let turn = 0;
  for (const [name, [sample]] of Object.entries(reads) as [Read, (typeof reads)[Read]][]) {
    it(`holds nobody up: ${name}, with texts of every kind in every element`, async () => {
      for (const way of ways(sample)) {
        if (way.length === 0 || at(sample, way).children.length > 0) continue;
        const text = writeDocument(changed(sample, way, (it) => [{ ...it, text: HOLE }]));
        const [head = '', tail = ''] = text.split(HOLE);
        for (const [kind, unit, length] of textsOf(turn++)) {
          const outcome = await read(name, { head, unit, times: length, tail });
          if (length > 1024 * 1024) assert.ok(outcome instanceof TrackerError, `${head.slice(-40)}: ${kind}`);
        }
      }
    }).timeout(300_000);

    it(`holds nobody up: ${name}, with very many of each element`, async () => {
      for (const way of ways(sample)) {
        if (way.length === 0) continue;
        const one = writeDocument(at(sample, way)).replace(/^<\?.*?\?>\s*/, '');
        const text = writeDocument(changed(sample, way, (it) => [{ ...it, text: HOLE, children: [] }]));
        const [head = '', tail = ''] = text.split(new RegExp(`<[^<>]*>${HOLE}</[^<>]*>`));
        await read(name, { head, unit: one, times: Math.min(100_000, Math.floor(MOST_BYTES / one.length)), tail });
      }
    }).timeout(300_000);

    it(`holds nobody up: ${name}, a byte a chunk, nested without end, and with ids and numbers without end`, async () => {
      const text = writeDocument(sample);
      const whole = await read(name, { head: text, unit: '', times: 0, tail: '', chunk: 1 });
      assert.ok(!(whole instanceof Error), String(whole));
      const root = `<${sample.name}>`;
      assert.ok((await read(name, { head: root, unit: '<a>', times: 100_000, tail: '' })) instanceof TrackerError);
      assert.ok(
        (await read(name, { head: root, unit: ' ', times: 100_000, tail: '', chunk: 1 })) instanceof TrackerError,
      );
    }).timeout(300_000);
  }

  it('is a story of which the newest are kept, and how many there were', async () => {
    const many = (unit: string, times: number) => unit.repeat(times);
    const last = '<note><id>9</id><text>Last</text></note>';
    const notes = `${many('<note><id>1</id><text>Said</text></note>', 99_000)}${last}`;
    const tasks = many('<task><id>1</id><description>Do</description><complete>false</complete></task>', 50_000);
    const head = `<story><id>12</id><notes type="array">${notes}</notes><tasks type="array">${tasks}</tasks></story>`;
    const kept = (await read('getStory', { head, unit: '', times: 0, tail: '' })) as Awaited<
      ReturnType<HttpTracker['getStory']>
    >;
    assert.deepEqual([kept.notes.length, kept.notes.at(-1)?.text], [MAX_COMMENTS_OF_STORY, 'Last']);
    assert.equal(kept.tasks.length, MAX_TASKS_OF_STORY);
    assert.deepEqual('older' in kept && kept.older, { attachments: 0, notes: 98_001, tasks: 49_000 });
  }).timeout(60_000);

  it('is a story whose texts are kept up to what a story may hold', async () => {
    const note = (id: number) => `<note><id>${id}</id><text>${'x'.repeat(400_000)}</text></note>`;
    const head = `<story><id>12</id><notes type="array">${[1, 2, 3, 4, 5].map(note).join('')}</notes></story>`;
    const kept = await read('getStory', { head, unit: '', times: 0, tail: '' });
    assert.deepEqual(
      (kept as Awaited<ReturnType<HttpTracker['getStory']>>).notes.map(({ id }) => id),
      [4, 5],
    );
  }).timeout(60_000);

  it('leaves the memory that it came to when it is gone', async () => {
    globalThis.gc?.();
    const before = process.memoryUsage().rss;
    let most = 0;
    const timer = setInterval(() => {
      most = Math.max(most, process.memoryUsage().rss - before);
    }, 20);
    const head = '<story><id>12</id><notes type="array">';
    const unit = '<note><id>1</id><text>Said</text></note>';
    await read('getStory', { head, unit, times: 1_500_000, tail: '</notes></story>' });
    await read('listProjects', { head: '<projects>', unit: ' ', times: 2_000_000, tail: '</projects>', chunk: 1 });
    clearInterval(timer);
    assert.ok(most < 200 * 1024 * 1024, `${Math.round(most / 1024 / 1024)} MiB`);
  }).timeout(120_000);
});
