import assert from 'node:assert/strict';
import { type Backlog, orderOf, withStories } from '../../src/core/backlog/backlog.ts';
import { withMove } from '../../src/core/backlog/ordering.ts';
import { TrackerError } from '../../src/core/errors.ts';
import type { Intent } from '../../src/core/intents/intent.ts';
import { withIntent } from '../../src/core/intents/intentRules.ts';
import { formerPositions } from '../../src/core/moves/formerPositions.ts';
import type { Submission } from '../../src/core/outbox/outbox.ts';
import type { ProjectKey } from '../../src/core/story/projectKey.ts';
import type { Story } from '../../src/core/story/story.ts';
import { ProjectMoves } from '../../src/features/work/projectMoves.ts';
import type { App } from '../../src/host/app.ts';
import { RestoredStories } from '../../src/host/story/restoredStories.ts';
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
      withdraw: async () => false,
      peek: () => known,
      reload: async () => undefined,
    };
    const messages = { status: (text: string) => told.push(text) };
    const needs = { backlogs, log: silentLog, messages, restoredStories: new RestoredStories() };
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
      withdraw: async (ids: readonly string[]) => ids.every((id) => withdrawn.push(id) > 0 && id !== 'move of 14'),
      peek: () => undefined,
      reload: async () => undefined,
    };
    const messages = { status: () => undefined };
    const needs = { backlogs, log: silentLog, messages, restoredStories: new RestoredStories() };
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
