import assert from 'node:assert/strict';
import type { Intent } from '../../src/core/intents/intent.ts';
import type { Submission } from '../../src/core/outbox/outbox.ts';
import type { ProjectKey } from '../../src/core/story/projectKey.ts';
import { ProjectMoves } from '../../src/features/work/projectMoves.ts';
import type { App } from '../../src/host/app.ts';
import { RestoredStories } from '../../src/host/story/restoredStories.ts';
import { aStory } from '../support/builders/builders.ts';
import { silentLog } from '../support/silentLog.ts';

const from = { accountId: 'a', projectId: 1 };
const to = { accountId: 'a', projectId: 2 };
const stories = [12, 13, 14].map((id) => aStory({ id }));

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
