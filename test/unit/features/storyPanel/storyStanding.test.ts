import assert from 'node:assert/strict';
import type { Backlog } from '../../../../src/core/backlog/backlog.ts';
import { findStory } from '../../../../src/core/backlog/backlog.ts';
import { StoryStanding } from '../../../../src/features/storyPanel/storyStanding.ts';
import type { RemovalKind } from '../../../../src/host/projects/unsentChanges.ts';
import { RestoredStories } from '../../../../src/host/story/restoredStories.ts';
import { aBacklog, aProject, aStory, someStories } from '../../../support/builders/builders.ts';
import { englishTexts } from './englishTexts.ts';

const accountId = 'bakery';
const here = { accountId, projectId: 1 };

describe('Where the story of a tab stands', () => {
  let backlogs: Map<number, Backlog>;
  let removing: RemovalKind | undefined;
  let restored: RestoredStories;
  let standing: StoryStanding;

  beforeEach(() => {
    backlogs = new Map();
    removing = undefined;
    restored = new RestoredStories();
    standing = standingOf(7);
  });

  const standingOf = (storyId: number) =>
    new StoryStanding(
      {
        restoredStories: restored,
        backlogs: {
          peek: ({ projectId }) => backlogs.get(projectId),
          peekStory: (id) => {
            for (const [projectId, backlog] of backlogs) {
              const story = findStory(backlog, id);
              if (story) return { key: { accountId, projectId }, story };
            }
            return undefined;
          },
          removalOf: () => removing,
        },
      },
      { ...here, storyId },
      englishTexts,
    );
  const list = (projectId: number, ...ids: readonly number[]) =>
    backlogs.set(
      projectId,
      aBacklog({ project: aProject({ name: `Shop ${projectId}` }), icebox: someStories(...ids) }),
    );
  const text = () => {
    const [writable, problem] = standing.messages;
    assert.ok(writable?.type === 'writable' && problem?.type === 'problem');
    assert.equal(writable.isWritable, problem.text === '');
    return problem.text;
  };

  it('is in its project, and missing once when it is there no more', () => {
    assert.equal(standing.look().is, 'unknown');
    list(1, 7);
    assert.equal(standing.look().is, 'listed');
    list(1);
    assert.deepEqual([standing.look().is, standing.look().is], ['missing', 'unknown']);
  });

  it('is on its way out while a change takes it off its project', () => {
    list(1, 7);
    standing.look();
    list(1);
    removing = 'moveToProject';
    assert.deepEqual(standing.look(), { is: 'leaving', removal: 'moveToProject' });
    removing = undefined;
    assert.equal(standing.look().is, 'missing');
  });

  it('is in the project that has it by now, but not while its own has it too, or was not read', () => {
    list(2, 7);
    assert.equal(standing.movedTo, undefined);
    list(1);
    assert.deepEqual(standing.movedTo, { accountId, projectId: 2, storyId: 7 });
    list(1, 7);
    assert.equal(standing.movedTo, undefined);
  });

  it('is told in words, with what is known of why it went', () => {
    const { gone, signedOut } = englishTexts;
    assert.deepEqual([text(), standing.title('Bake')], ['', 'Bake']);
    standing.isSignedOut = true;
    assert.equal(text(), signedOut);
    standing.go('unknown');
    assert.deepEqual([text(), standing.title('Bake')], [gone.deletedOrMoved, gone.deletedTitle('Bake')]);
    standing.go('deleteStory');
    standing.go('unknown');
    assert.equal(text(), gone.deleted);
    restored.addRestored(here, 7, 9);
    assert.equal(text(), gone.restored(9));
    standing.go('moveToProject');
    list(2, 7);
    restored.addRemoved(here, 9);
    assert.deepEqual([text(), standing.title('Bake')], [gone.movedTo('Shop 2'), gone.movedTitle('Bake')]);
    standing.stay();
    standing.isSignedOut = false;
    assert.deepEqual([text(), standing.isGone], ['', false]);
  });

  it('is deleted at once where no server has it yet', () => {
    standing = standingOf(-3);
    list(1);
    assert.equal(standing.look().is, 'unnumbered');
    restored.addRemoved(here, -3);
    assert.deepEqual(standing.look(), { is: 'leaving', removal: 'deleteStory' });
  });

  it('is listed with what the backlog holds of it', () => {
    const story = aStory({ id: 7, name: 'Bake' });
    backlogs.set(1, aBacklog({ icebox: [story] }));
    assert.deepEqual(standing.look(), { is: 'listed', story });
  });
});
