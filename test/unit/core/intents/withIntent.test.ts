import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type Backlog, findStory } from '../../../../src/core/backlog/backlog.ts';
import { isPendingNote } from '../../../../src/core/intents/comment.ts';
import { withUnsent } from '../../../../src/core/intents/edit.ts';
import type { Intent } from '../../../../src/core/intents/intent.ts';
import { withIntent } from '../../../../src/core/intents/intentRules.ts';
import { type Story, type StoryEdit, UNESTIMATED } from '../../../../src/core/story/story.ts';
import { aBacklog, aDate, aNote, anIteration, aStory, someStories } from '../../../support/builders/builders.ts';

const known = aBacklog({
  iterations: [
    anIteration({ number: 3, stories: someStories(1, 2) }),
    anIteration({ number: 4, stories: someStories(3, 4) }),
  ],
  icebox: [aStory({ id: 8, state: 'unscheduled' }), aStory({ id: 9, state: 'unscheduled' })],
});

/** The ids of each iteration and of the icebox. */
function shape({ iterations, icebox }: Backlog): readonly (readonly number[])[] {
  return [...iterations.map(({ stories }) => stories), icebox].map((stories) => stories.map(({ id }) => id));
}

describe('A backlog with what a person wants', () => {
  const assertShape = (intents: readonly Intent[], expected: readonly (readonly number[])[]) =>
    assert.deepEqual(shape(intents.reduce((backlog, intent) => withIntent(backlog, intent), known)), expected);

  it('has a moved story in its new place, across iterations too', () => {
    assertShape([{ kind: 'move', storyId: 4, place: 'before', targetId: 2 }], [[1, 4, 2], [3], [8, 9]]);
    assertShape(
      [{ kind: 'move', storyId: 4, place: 'after', targetId: 77 }],
      [
        [1, 2],
        [3, 4],
        [8, 9],
      ],
    );
  });

  it('has a story on the side of the icebox that its new state belongs to', () => {
    assertShape([{ kind: 'edit', storyId: 8, edit: { state: 'unstarted' } }], [[1, 2], [3, 4, 8], [9]]);
    assertShape([{ kind: 'edit', storyId: 8, edit: { state: 'started' } }], [[1, 2, 8], [3, 4], [9]]);
    assertShape([{ kind: 'edit', storyId: 1, edit: { state: 'unscheduled' } }], [[2], [3, 4], [8, 9, 1]]);
    assertShape(
      [{ kind: 'edit', storyId: 2, edit: { state: 'started' } }],
      [
        [1, 2],
        [3, 4],
        [8, 9],
      ],
    );
    const out: Intent = { kind: 'edit', storyId: 9, edit: { state: 'unstarted' } };
    assertShape([out, { kind: 'move', storyId: 9, place: 'before', targetId: 2 }], [[1, 9, 2], [3, 4], [8]]);
  });

  it('has a story of another type without what only the former one has, as servers answer it', () => {
    const become = (story: Partial<Story>, edit: StoryEdit) => {
      const backlog = aBacklog({ icebox: [aStory({ id: 1, ...story })] });
      const after = findStory(withIntent(backlog, { kind: 'edit', storyId: 1, edit }), 1);
      return { estimate: after?.estimate, deadline: after?.deadline?.text };
    };
    const deadline = aDate('2026/03/04');
    const [none, unestimated] = [
      { estimate: undefined, deadline: undefined },
      { estimate: -1, deadline: undefined },
    ];
    assert.deepEqual(become({ type: 'feature', estimate: 3 }, { type: 'chore' }), none);
    assert.deepEqual(become({ type: 'feature', estimate: 3 }, { type: 'chore', estimate: null }), none);
    const release: Partial<Story> = { type: 'release', estimate: UNESTIMATED, deadline };
    assert.deepEqual(become(release, { type: 'feature' }), unestimated);
    assert.deepEqual(become(release, { type: 'feature', estimate: 2 }), { ...none, estimate: 2 });
    assert.deepEqual(become({ type: 'feature' }, { type: 'release', deadline }), { ...none, deadline: deadline.text });
    assert.deepEqual(become({ type: 'feature', estimate: 3 }, { estimate: null }), unestimated);
    assert.deepEqual(become({ type: 'feature', estimate: 3 }, { name: 'Rye' }), { ...none, estimate: 3 });
  });

  it('has a new story where its server will put it, and once only', () => {
    const create = (state: string): Intent => ({ kind: 'newStory', storyId: -3, story: { name: 'Rye', state } });
    assertShape(
      [create('unscheduled'), create('unscheduled')],
      [
        [1, 2],
        [3, 4],
        [-3, 8, 9],
      ],
    );
    assertShape(
      [create('unstarted')],
      [
        [1, 2],
        [3, 4, -3],
        [8, 9],
      ],
    );
    assert.equal(findStory(withIntent(known, create('unstarted')), -3)?.name, 'Rye');
  });

  it('has tasks ticked and added, each once', () => {
    const task = { id: 5, description: 'Heat', complete: false };
    const backlog = aBacklog({ icebox: [aStory({ id: 1, tasks: [task] })] });
    const intents: readonly Intent[] = [
      { kind: 'task', storyId: 1, taskId: 5, complete: true },
      { kind: 'newTask', storyId: 1, description: 'Bake' },
    ];
    const once = intents.reduce((shown, intent) => withIntent(shown, intent, 4), backlog);
    const twice = intents.reduce((shown, intent) => withIntent(shown, intent, 4), once);
    assert.deepEqual(findStory(twice, 1)?.tasks, [
      { ...task, complete: true },
      { id: -5, description: 'Bake', complete: false },
    ]);
  });

  it('show a new task ticked and where it is wanted', () => {
    const rest = { id: 9, description: 'Rest', complete: false };
    const backlog = aBacklog({ icebox: [aStory({ id: 1, tasks: [rest] })] });
    const first: Intent = { kind: 'newTask', storyId: 1, description: 'Bake', complete: true, position: 1 };
    const once = withIntent(backlog, first, 4);
    const bake = { id: -5, description: 'Bake', complete: true };
    assert.deepEqual(findStory(once, 1)?.tasks, [bake, rest]);
    assert.deepEqual(findStory(withIntent(once, first, 4), 1)?.tasks, [bake, rest]);
  });

  it('has labels put on and taken off, capital letters making no other label', () => {
    const backlog = aBacklog({ icebox: [aStory({ id: 1, labels: ['Oven', 'shop'] })] });
    const change = { add: ['SHOP', 'rye'], remove: ['oven'] };
    const after = withIntent(backlog, { kind: 'labels', storyId: 1, change, known: [] });
    assert.deepEqual(findStory(after, 1)?.labels, ['shop', 'rye']);
  });

  it('has edited fields, and no longer those that were cleared', () => {
    const edit = { name: 'New', estimate: null, labels: ['a'], ticket: { prefix: 'jira', externalId: 'B-1' } };
    const story = findStory(withIntent(known, { kind: 'edit', storyId: 1, edit }), 1);
    assert.deepEqual(
      { name: story?.name, labels: story?.labels, ticket: story?.ticket, estimate: story?.estimate },
      { name: 'New', labels: ['a'], ticket: { prefix: 'jira', externalId: 'B-1' }, estimate: UNESTIMATED },
    );
  });

  it('has each comment once, told from those a server has, and from an equal one', () => {
    const comment: Intent = { kind: 'comment', storyId: 1, text: 'Looks right' };
    const noted = withIntent(known, { kind: 'edit', storyId: 1, edit: {} });
    const twice = [5, 6, 5].reduce((backlog, place) => withIntent(backlog, comment, place), noted);
    const notes = findStory(twice, 1)?.notes ?? [];
    assert.deepEqual(
      notes.map((note) => [note.text, isPendingNote(note)]),
      [
        ['Looks right', true],
        ['Looks right', true],
      ],
    );
    assert.equal(isPendingNote(aNote()), false);
  });

  it('has a story marked that waits for its server', () => {
    const marked = withUnsent(known, 3);
    assert.deepEqual(findStory(marked, 3), { ...aStory({ id: 3 }), isUnsent: true });
    assert.equal(withUnsent(marked, 3), marked);
    assert.equal(withUnsent(known, 77), known);
  });

  it('is as it was where the story is not in it or a commit is linked', () => {
    assert.equal(withIntent(known, { kind: 'comment', storyId: 77, text: 'Hello' }), known);
    const commit = { commitId: 'abc', message: '[#1]', author: 'Ada' };
    assert.equal(
      withIntent(known, { kind: 'link', storyId: 1, stories: [{ projectId: 1, storyId: 1 }], commit }),
      known,
    );
  });

  it('is the same however often an intent is applied', () => {
    const id = fc.constantFrom(1, 2, 3, 4, 8, 9, 77);
    const state = fc.constantFrom('unscheduled', 'unstarted', 'started', 'accepted');
    const intent: fc.Arbitrary<Intent> = fc.oneof(
      fc.record({ kind: fc.constant('edit' as const), storyId: id, edit: fc.record({ state }) }),
      fc.record({
        ...{ kind: fc.constant('move' as const), storyId: id, targetId: id },
        place: fc.constantFrom('before' as const, 'after' as const),
      }),
      fc.record({ kind: fc.constant('comment' as const), storyId: id, text: fc.string() }),
    );
    fc.assert(
      fc.property(fc.array(intent, { maxLength: 6 }), intent, (before, last) => {
        const base = before.reduce((backlog, one) => withIntent(backlog, one), known);
        const once = withIntent(base, last);
        assert.deepEqual(withIntent(once, last), once);
      }),
    );
  });
});
