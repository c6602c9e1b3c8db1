import assert from 'node:assert/strict';
import { createTracker, type HttpTracker } from '../../src/client/tracker/httpTracker.ts';
import { sendIntent } from '../../src/client/tracker/intentRequest.ts';
import { isEstimatable, isStarted, statesOf, storyTypes } from '../../src/core/backlog/workflow.ts';
import { kindOf } from '../../src/core/errors.ts';
import type { Intent } from '../../src/core/intents/intent.ts';
import { isAsLeft, reversedIntent } from '../../src/core/intents/intentRules.ts';
import type { NewStory, Story, StoryEdit } from '../../src/core/story/story.ts';
import { aDate } from '../support/builders/builders.ts';
import { silentLog } from '../support/silentLog.ts';
import { newProject } from './support/project.ts';
import { startTestService, type TestService } from './support/testService.ts';

const RULES = { bugsAndChoresAreEstimatable: true };
const kinds = storyTypes.flatMap((type) => statesOf(type).map((state) => ({ type, state })));

/** A story that has all that its type and state can have. */
function wholeStory({ type, state }: (typeof kinds)[number]): NewStory {
  return {
    ...{ name: `A ${type}, ${state}`, type, state, description: 'Long.', labels: ['b', 'a'], ownedBy: 'Ada' },
    ...(isEstimatable(type, RULES) && { estimate: 2 }),
    ...(type === 'release' && { deadline: aDate('2027-03-28T12:00:00Z') }),
    ...(state === 'accepted' && { acceptedAt: aDate('2026-01-15T10:11:12Z') }),
  };
}

describe('An edit of the state or the type that is undone on the service', function () {
  this.timeout(60_000);
  let service: TestService;
  let tracker: HttpTracker;
  let projectId: number;

  before(async () => {
    service = await startTestService();
    const ada = await service.user('Ada');
    tracker = createTracker({ baseUrl: service.url, token: async () => ada.token, log: silentLog });
    projectId = await newProject(
      ada,
      'Apollo',
      `<bugs_and_chores_are_estimatable>true</bugs_and_chores_are_estimatable>`,
    );
  });
  after(async () => {
    await tracker?.close();
    await service.stop();
  });

  async function assertUndone(story: Story, edit: StoryEdit): Promise<void> {
    const intent: Intent<'edit'> = { kind: 'edit', storyId: story.id, edit };
    const what = `${story.name}, to ${JSON.stringify(edit)}`;
    const read = async () => tracker.getStory({ projectId, storyId: story.id });
    await sendIntent(tracker, projectId, intent, {});
    assert.ok(isAsLeft(await read(), intent), what);
    const back = reversedIntent(story, intent);
    assert.ok(back);
    await sendIntent(tracker, projectId, back, {});
    assert.deepEqual(told(await read()), told(story), what);
  }

  /** Where it stands is put back by moves. */
  function told({ updatedAt: _, rank: __, ...story }: Story) {
    return story;
  }

  for (const kind of kinds) {
    it(`gives back all that a ${kind.type} has that is ${kind.state}`, async () => {
      const story = await tracker.createStory(projectId, wholeStory(kind));
      const states = statesOf(kind.type).filter((state) => state !== kind.state);
      for (const state of states) await assertUndone(story, { state });
      const types = storyTypes.filter((type) => type !== kind.type && statesOf(type).includes(kind.state));
      for (const type of types) {
        const needsPoints = isStarted(kind.state) && isEstimatable(type, RULES) && story.estimate === undefined;
        await assertUndone(story, { type, ...(needsPoints && { estimate: 1 }) });
      }
    });
  }

  it('changes nothing where it is refused', async () => {
    const story = await tracker.createStory(projectId, wholeStory({ type: 'feature', state: 'finished' }));
    for (const edit of [{ type: 'chore' }, { state: 'gone' }, { estimate: null }] satisfies readonly StoryEdit[]) {
      const sent = sendIntent(tracker, projectId, { kind: 'edit', storyId: story.id, edit }, {});
      await assert.rejects(sent, (thrown) => kindOf(thrown) === 'refused');
    }
    assert.deepEqual(await tracker.getStory({ projectId, storyId: story.id }), story);
  });
});
