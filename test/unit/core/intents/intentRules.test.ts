import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { fieldNames } from '../../../../src/core/fieldNames.ts';
import type { Intent, IntentKind } from '../../../../src/core/intents/intent.ts';
import {
  conflictWith,
  isAsLeft,
  isOrderKept,
  isRepeatable,
  meansPendingStory,
  reversedIntent,
  showsPlace,
  withIntent,
} from '../../../../src/core/intents/intentRules.ts';
import { aBacklog, aDate, aStory, aTask } from '../../../support/builders/builders.ts';
import { oneIntentOfEach } from '../../../support/builders/intents.ts';

/** One of each kind. A new kind does not compile until it is here, and the tests below then ask for its rules. */

/**
 * Written a second time on purpose: what is sent again without having been looked for, and what is not. Whoever adds a kind
 * has to decide it here too.
 */
const MAY_BE_REPEATED: { readonly [K in IntentKind]: boolean } = {
  edit: true,
  move: true,
  comment: false,
  labels: true,
  task: true,
  newTask: false,
  editTask: true,
  moveTask: true,
  deleteTask: true,
  newStory: false,
  deleteStory: true,
  moveToProject: true,
  link: false,
};

// @ts-expect-error A record over the kinds that lacks one does not compile: that is how a new kind lists its holes.
const _INCOMPLETE: { readonly [K in IntentKind]: boolean } = { edit: true };

const tasks = [aTask({ id: 4, position: 1, description: 'Paint' }), aTask({ id: 5, position: 2 })];
const story = aStory({ id: 1, state: 'unscheduled', labels: ['b'], tasks });
const backlog = aBacklog({ iterations: [], icebox: [story, aStory({ id: 2, state: 'unscheduled' })] });

describe('the rules of each kind of intent', () => {
  for (const kind of fieldNames(oneIntentOfEach)) {
    const intent: Intent = oneIntentOfEach[kind];

    it(`${kind} ${MAY_BE_REPEATED[kind] ? 'may' : 'must not'} be sent again blindly`, () => {
      assert.equal(isRepeatable(intent), MAY_BE_REPEATED[kind]);
    });

    it(`${kind} touches something`, () => assert.equal(isOrderKept(intent, intent), true));

    it(`${kind} applied twice is as applied once`, () => {
      const once = withIntent(backlog, intent, 3);
      assert.deepEqual(withIntent(once, intent, 3), once);
    });

    it(`${kind} ${kind === 'newStory' ? 'makes its story' : 'waits until a server has its story'}`, () => {
      assert.equal(meansPendingStory(intent), false);
      const stories = [{ projectId: 1, storyId: -5 }];
      const ofPending: Intent = kind === 'link' ? { ...oneIntentOfEach.link, stories } : { ...intent, storyId: -5 };
      assert.equal(meansPendingStory(ofPending), kind !== 'newStory');
    });

    // Where a commit stands in the outbox is shown with its state, outside of these rules (`withUnsentIntents.ts`).
    if (kind !== 'link') {
      it(`${kind} ${showsPlace(intent) ? 'shows' : 'does not show'} its place in the outbox`, () => {
        const [one, other] = [withIntent(backlog, intent, 3), withIntent(backlog, intent, 4)];
        assert.equal(!isDeepStrictEqual(one, other), showsPlace(intent));
      });
    }

    it(`${kind} leaves a backlog without its story alone`, () => {
      const empty = aBacklog({ iterations: [], icebox: [] });
      if (kind !== 'newStory') assert.equal(withIntent(empty, intent), empty);
    });

    it(`${kind} is as it was once taken back, where it can be`, () => {
      const reversed = reversedIntent(story, intent);
      if (!reversed) return;
      const after = withIntent(backlog, intent).icebox[0];
      assert.ok(after && isAsLeft(after, intent) && !isAsLeft(story, intent));
      assert.deepEqual(withIntent(withIntent(backlog, intent), reversed).icebox[0], story);
    });
  }

  it('lets no story be moved next to one that no server has', () => {
    assert.equal(meansPendingStory({ ...oneIntentOfEach.move, targetId: -5 }), true);
  });
});

describe('What an unsent change would overwrite', () => {
  const story = aStory({
    name: 'Theirs',
    estimate: -1,
    labels: ['a', 'b'],
    deadline: aDate('2026-12-24'),
    description: 'Same',
  });

  it('is told field by field, as people write it', () => {
    const edit = { name: 'Mine', estimate: 3, labels: [], deadline: null, description: 'Same', ownedBy: 'Bo' };
    const conflict = conflictWith(story, { kind: 'edit', storyId: 12, edit });
    assert.deepEqual(conflict?.texts, [
      { what: 'name', mine: 'Mine', theirs: 'Theirs' },
      { what: 'estimate', mine: '3', theirs: '' },
      { what: 'labels', mine: '', theirs: 'a, b' },
      { what: 'deadline', mine: '', theirs: 'Dec 24, 2026' },
      { what: 'owner', mine: 'Bo', theirs: '' },
    ]);
    const known = {
      name: 'Theirs',
      estimate: null,
      labels: ['a', 'b'],
      deadline: aDate('2026-12-24'),
      description: 'Same',
      ownedBy: null,
    };
    assert.deepEqual(conflict.keepMine, { kind: 'edit', storyId: 12, edit, known });
  });

  it('is told of a task, and one that is gone is made anew', () => {
    const intent = { ...oneIntentOfEach.editTask, storyId: 12 };
    const task = aTask({ id: intent.taskId, description: 'Theirs' });
    assert.deepEqual(conflictWith({ ...story, tasks: [task] }, intent), {
      texts: [{ what: 'task', mine: 'Draw', theirs: 'Theirs' }],
      keepMine: { ...intent, known: 'Theirs' },
    });
    assert.deepEqual(conflictWith(story, intent), {
      texts: [{ what: 'task', mine: 'Draw' }],
      keepMine: { kind: 'newTask', storyId: 12, description: 'Draw' },
    });
  });

  it('is nothing where both have come to the same, and for what overwrites nothing', () => {
    assert.deepEqual(conflictWith(story, { kind: 'edit', storyId: 12, edit: { name: 'Theirs' } })?.texts, []);
    for (const kind of ['comment', 'move', 'labels', 'deleteStory', 'moveTask'] as const) {
      assert.equal(conflictWith(story, oneIntentOfEach[kind]), undefined, kind);
    }
  });
});
