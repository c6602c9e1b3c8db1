import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import type { Intent } from '../../../../src/core/intents/intent.ts';
import { OutboxWorld, type Step, type Wish } from '../../../support/replica/outboxWorld.ts';
import { OutboxServer } from '../../../support/trackers/outboxServer.ts';

const RUNS = Number(process.env.OUTBOX_RUNS ?? 20);

const intentsOf = (projectId: number): fc.Arbitrary<Intent> => {
  const storyId = fc.integer({ min: 1, max: 4 }).map((index) => projectId * 10 + index);
  return fc.oneof(
    fc.record({ kind: fc.constant('comment' as const), storyId, text: fc.constantFrom('+1', 'Looks right', 'No') }),
    fc.record({ kind: fc.constant('newTask' as const), storyId, description: fc.constantFrom('Heat', 'Bake') }),
    fc.record({
      ...{ kind: fc.constant('newStory' as const), storyId: fc.integer({ min: -99, max: -1 }) },
      story: fc.record({ name: fc.constantFrom('Rye', 'Wheat'), type: fc.constantFrom('bug', 'feature') }),
    }),
    fc.record({
      ...{ kind: fc.constant('edit' as const), storyId },
      edit: fc.record({ name: fc.constantFrom('One', 'Two'), estimate: fc.integer({ min: 0, max: 3 }) }),
    }),
    fc
      .record({ storyId, targetId: storyId, place: fc.constantFrom('before' as const, 'after' as const) })
      .filter((move) => move.storyId !== move.targetId)
      .map((move) => ({ kind: 'move' as const, ...move })),
    fc.record({ storyId, hash: fc.constantFrom('a1b2', 'c3d4') }).map((link) => ({
      ...{ kind: 'link' as const, storyId: link.storyId, stories: [{ projectId, storyId: link.storyId }] },
      commit: { commitId: link.hash, message: `[#${link.storyId}]`, author: 'Ada' },
    })),
  );
};

const window = fc.constantFrom(0, 1);
const adds: fc.Arbitrary<Step> = fc.constantFrom(1, 2).chain((projectId) =>
  fc.record({
    ...{ kind: fc.constant('add' as const), projectId: fc.constant(projectId), window },
    intents: fc.array(intentsOf(projectId), { minLength: 1, maxLength: 3 }),
  }),
);
const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: adds },
    {
      weight: 4,
      arbitrary: fc.record({ kind: fc.constant('pass' as const), milliseconds: fc.integer({ min: 0, max: 30_000 }) }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('kill' as const), window }) },
  ),
  { minLength: 3, maxLength: 14 },
);

/** A server of which everything was wanted once, in order, and nothing got lost. */
function model(wishes: readonly Wish[]): OutboxServer {
  const server = new OutboxServer();
  for (const { projectId, intent } of wishes) {
    const ref = { projectId, storyId: intent.storyId };
    if (intent.kind === 'edit') server.updateStory(ref, intent.edit);
    else if (intent.kind === 'comment') server.addNote(ref, intent.text);
    else if (intent.kind === 'move') server.moveStory(ref, intent.place, intent.targetId);
    else if (intent.kind === 'newTask') server.addTask(ref, intent.description);
    else if (intent.kind === 'newStory') server.createStory(projectId, intent.story);
    else if (intent.kind === 'link') {
      const isThere = server.texts(intent.storyId).some((text) => text.includes(intent.commit.commitId));
      if (!isThere) server.postSourceCommit(intent.commit);
    }
  }
  return server;
}

/** All that the server has, but for the ids it gave. */
function state(server: OutboxServer): unknown {
  const { orders } = server;
  const stories = Object.values(orders).flatMap((ids) => ids.toSorted((one, other) => one - other));
  return {
    orders,
    stories: stories.map((id) => ({
      ...server.story(id),
      notes: server.texts(id),
      tasks: server.story(id).tasks.map(({ description }) => description),
    })),
    created: [1, 2].map((projectId) => server.listStories(projectId).map(({ name, type }) => `${type} ${name}`)),
  };
}

describe('The outbox of two windows that are killed at will, on a network that loses and delays', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'story-tracker-outbox-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it('leaves the server as if each wish had reached it once and in order', async function () {
    this.timeout(60_000 + RUNS * 1000);
    await fc.assert(
      fc.asyncProperty(fc.nat(), steps, async (seed, taken) => {
        const world = await OutboxWorld.open(seed, folder);
        try {
          for (const step of taken) await world.take(step);
          await world.heal();
          assert.deepEqual(state(world.server), state(model(world.wishes)));
        } finally {
          world.close();
        }
      }),
      { numRuns: RUNS },
    );
  });
});
