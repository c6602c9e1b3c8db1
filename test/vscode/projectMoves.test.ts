import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { type Backlog, orderOf, withStories } from '../../src/core/backlog/backlog.ts';
import { withMove } from '../../src/core/backlog/ordering.ts';
import { TrackerError } from '../../src/core/errors.ts';
import type { Intent } from '../../src/core/intents/intent.ts';
import { withIntent } from '../../src/core/intents/intentRules.ts';
import { formerPositions } from '../../src/core/moves/formerPositions.ts';
import type { Outcome, Submission } from '../../src/core/outbox/outbox.ts';
import type { ProjectKey } from '../../src/core/story/projectKey.ts';
import type { Story } from '../../src/core/story/story.ts';
import { ProjectMoves } from '../../src/features/work/projectMoves.ts';
import type { App } from '../../src/host/app.ts';
import { RestoredStories } from '../../src/host/story/restoredStories.ts';
import { StoriesViewHolder } from '../../src/host/tree/storiesView.ts';
import { aStory } from '../support/builders/builders.ts';
import { sketchedBacklog } from '../support/builders/sketchedBacklog.ts';
import { silentLog } from '../support/silentLog.ts';

const from = { accountId: 'a', projectId: 1 };
const to = { accountId: 'a', projectId: 2 };
const stories = [12, 13, 14].map((id) => aStory({ id }));

describe('Stories of which some are moved to another project', () => {
  const backlog = sketchedBacklog([[11, 12, 13, 14]]);

  /** Moves two stories, of which the other project refuses the second, and takes that back; tells the order then, and what was said. */
  async function takenBack(meanwhile: (known: Backlog) => Backlog = (known) => known) {
    let known = backlog;
    const told: string[] = [];
    const backlogs = {
      async submit({ projectId }: ProjectKey, intents: readonly Intent[]): Promise<Submission> {
        const refused = new TrackerError('refused', 'Not on its scale.');
        for (const intent of intents) {
          if (intent.kind === 'moveToProject' && intent.storyId === 13)
            return { entryIds: [], sent: 0, repeated: 0, refused };
          if (projectId === from.projectId) known = withIntent(known, intent);
          else known = withStories(known, (all) => (isLast(all, known) ? [...all, aStory({ id: 12 })] : all));
        }
        return { entryIds: [], sent: 1, repeated: 0 };
      },
      areUnmade: async () => false,
      withdraw: async () => false,
      peek: () => known,
      reload: async () => undefined,
    };
    const messages = { status: (text: string) => told.push(text) };
    const storiesView = new StoriesViewHolder();
    const needs = { backlogs, log: silentLog, messages, restoredStories: new RestoredStories(), storiesView };
    const moves = new ProjectMoves(needs as unknown as Pick<App, keyof typeof needs>, from, to);
    const chosen = [12, 13].map((id) => aStory({ id }));
    const { done, problem } = await moves.there({ stories: chosen, places: formerPositions(backlog, [12, 13]) });
    assert.match(String(problem), /Not on its scale/);
    assert.deepEqual(orderOf(known), [11, 13, 14]);
    known = meanwhile(known);
    await moves.back(done ?? assert.fail(), 'undo');
    return { order: orderOf(known), told };
  }

  it('are put back beside those that stayed', async () => {
    assert.deepEqual(await takenBack(), { order: [11, 12, 13, 14], told: ['Moved story #12 back.'] });
  });

  it('are told where others stand where they stood', async () => {
    const { order, told } = await takenBack((known) => withMove(known, 11, 'after', 14));
    assert.deepEqual(order, [13, 14, 11, 12]);
    assert.deepEqual(told, ['Moved story #12 back. Others have been moved to the former position of #12.']);
  });
});

function isLast(stories: readonly Story[], { iterations }: Backlog): boolean {
  return stories === iterations.at(-1)?.stories;
}

describe('Stories of which some wait to be moved to another project', () => {
  let sent: (readonly [projectId: number, storyId: number])[];
  let withdrawn: string[];
  let isOnline: (storyId: number) => boolean;
  let moves: ProjectMoves;

  beforeEach(() => {
    sent = [];
    withdrawn = [];
    isOnline = (storyId) => storyId === 12;
    const backlogs = {
      async submit({ projectId }: ProjectKey, intents: readonly Intent[]): Promise<Submission> {
        for (const { storyId } of intents) sent.push([projectId, storyId]);
        const [{ storyId } = { storyId: 0 }] = intents;
        const settled = { entryIds: [`move of ${storyId}`], sent: 0, repeated: 0 };
        return isOnline(storyId) ? settled : { ...settled, waiting: { kind: 'unreachable', message: 'Away.' } };
      },
      areUnmade: async () => false,
      withdraw: async (ids: readonly string[]) => ids.every((id) => withdrawn.push(id) > 0 && id !== 'move of 14'),
      peek: () => undefined,
      reload: async () => undefined,
    };
    const messages = { status: () => undefined };
    const storiesView = new StoriesViewHolder();
    const needs = { backlogs, log: silentLog, messages, restoredStories: new RestoredStories(), storiesView };
    moves = new ProjectMoves(needs as unknown as Pick<App, keyof typeof needs>, from, to);
  });

  it('are moved back where they went, and stay where they did not', async () => {
    const { done } = await moves.there({ stories, places: [] });
    assert.ok(done);
    sent = [];
    isOnline = () => true;
    const undone = await moves.back(done, 'undo');
    assert.deepEqual(withdrawn, ['move of 13', 'move of 14']);
    const ofTarget = [12, 14].map((id) => [to.projectId, id]);
    assert.deepEqual(sent, ofTarget, 'the server may have heard of the last');
    assert.deepEqual(undone.done?.stories.map(({ id }) => id).toSorted(), [12, 13, 14]);
    assert.equal(undone.problem, undefined);
  });
});

describe('Stories that are moved back from another project while the server is away', () => {
  const before = sketchedBacklog([[11, 12, 13, 14]]);
  const chosen = [12, 13].map((id) => aStory({ id, ticket: { prefix: '', externalId: `t${id}` } }));
  let known: Backlog;
  let isAway: boolean;
  let told: string[];
  let waits: Map<string, PromiseWithResolvers<Outcome>>;
  let linked: number[];
  let moves: ProjectMoves;

  beforeEach(() => {
    known = before;
    isAway = false;
    told = [];
    linked = [];
    waits = new Map();
    const backlogs = {
      async submit({ projectId }: ProjectKey, intents: readonly Intent[]): Promise<Submission> {
        const name = `${intents.map(({ kind, storyId }) => `${kind} ${storyId}`).join()} in ${projectId}`;
        const settled = { entryIds: [name], sent: 0, repeated: 0 };
        if (isAway) {
          waits.set(name, Promise.withResolvers());
          return { ...settled, waiting: { kind: 'unreachable', message: 'Away.' } };
        }
        for (const intent of intents) {
          if (intent.kind === 'edit') linked.push(intent.storyId);
          else known = withIntent(known, intent);
        }
        return settled;
      },
      areUnmade: async () => false,
      withdraw: async (ids: readonly string[]) => {
        for (const id of ids) waits.get(id)?.resolve({ kind: 'discarded' });
        return ids.every((id) => waits.delete(id));
      },
      whenGone: (id: string) => waits.get(id)?.promise ?? assert.fail(id),
      signInOf: () => 'tracker.example',
      peek: () => known,
      reload: async () => undefined,
    };
    const messages = { status: (text: string) => told.push(text) };
    const storiesView = new StoriesViewHolder();
    const needs = { backlogs, log: silentLog, messages, restoredStories: new RestoredStories(), storiesView };
    moves = new ProjectMoves(needs as unknown as Pick<App, keyof typeof needs>, from, to);
  });

  /** The server takes what waits for a story, which comes to the end. */
  async function comeBack(storyId: number): Promise<void> {
    isAway = false;
    known = withStories(known, (all) => (isLast(all, known) ? [...all, aStory({ id: storyId })] : all));
    waits.get(`moveToProject ${storyId} in 2`)?.resolve({ kind: 'sent' });
    for (let times = 0; times < 3; times++) await setImmediate();
  }

  it('are put back once it has them, in whatever order, and until then are said to wait', async () => {
    for (const order of [
      [12, 13],
      [13, 12],
    ]) {
      known = before;
      linked = [];
      const { done } = await moves.there({ stories: chosen, places: formerPositions(before, [12, 13]) });
      isAway = true;
      await moves.back(done ?? assert.fail(), 'undo');
      assert.match(told.at(-1) ?? '', /will be sent when tracker\.example is reachable/);
      assert.deepEqual([orderOf(known), linked], [[11, 14], []]);
      for (const storyId of order) await comeBack(storyId);
      assert.deepEqual([orderOf(known), linked], [[11, 12, 13, 14], order]);
    }
  });

  it('stay in the other project when that is made again in time', async () => {
    const { done } = await moves.there({ stories: chosen, places: formerPositions(before, [12, 13]) });
    isAway = true;
    const back = await moves.back(done ?? assert.fail(), 'undo');
    const again = await moves.there(back.done ?? assert.fail(), 'redo');
    assert.deepEqual([...waits.keys()], []);
    assert.deepEqual(again.done?.stories, chosen);
    assert.equal(told.at(-1), 'Moved 2 stories to the other project again.');
  });
});
