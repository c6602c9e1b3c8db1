import assert from 'node:assert/strict';
import type { ToldActivity } from '../../../../src/core/replica/replica.ts';
import { OlderRow, rowsOf, StoryActivityRow } from '../../../../src/features/activity/threads.ts';
import { aChange, aTold, project } from '../../../support/builders/activities.ts';

/** Each row with its story and what it tells of, newest first. */
function threads(told: readonly ToldActivity[]) {
  return rowsOf(told).map((row) => {
    assert.ok(!(row instanceof OlderRow));
    const isOfStory = row instanceof StoryActivityRow;
    return {
      id: row.id,
      storyId: isOfStory ? row.storyId : undefined,
      told: isOfStory ? [row.latest, ...row.before] : [row.latest],
    };
  });
}

describe('The rows of activities', () => {
  function assertThreads(told: readonly ToldActivity[], expected: readonly (readonly (number | undefined)[])[]): void {
    const rows = threads(told);
    assert.deepEqual(
      rows.map(({ storyId, told }) => [storyId, ...told.map(({ activity }) => activity.version)]),
      expected,
    );
    assert.equal(new Set(rows.map(({ id }) => id)).size, rows.length, 'no id twice');
  }
  const of = (minute: number, ...stories: readonly number[]) =>
    aTold(minute, { stories: stories.map((id) => aChange(id)) });

  it('puts the activities of a story together where its latest is', () => {
    assertThreads(
      [of(5, 12), of(4, 13), of(3, 12), of(2, 12), of(1, 13)],
      [
        [12, 5, 3, 2],
        [13, 4, 1],
      ],
    );
  });

  it('leaves alone what is of no story or of several', () => {
    assertThreads(
      [of(5), of(4, 12, 13), of(3), of(2, 12)],
      [
        [undefined, 5],
        [undefined, 4],
        [undefined, 3],
        [12, 2],
      ],
    );
  });

  it('takes a story that an activity names twice for one', () => {
    assertThreads([of(5, 12, 12), of(4, 12)], [[12, 5, 4]]);
  });

  it('keeps stories of one number apart that are of other projects or accounts', () => {
    const elsewhere = { ...of(3, 12), project: { ...project, projectId: 2 } };
    const others = { ...of(2, 12), project: { ...project, accountId: 'shop' } };
    assertThreads(
      [of(4, 12), elsewhere, others],
      [
        [12, 4],
        [12, 3],
        [12, 2],
      ],
    );
  });

  it('names a row by its story, so that a row stays when more happens', () => {
    const [before] = threads([of(1, 12)]);
    const [after] = threads([of(2, 12), of(1, 12)]);
    assert.equal(after?.id, before?.id);
  });

  it('tells an id that a new server gave again from the old one', () => {
    assertThreads(
      [aTold(2, { id: 81 }), aTold(1, { id: 81 })],
      [
        [undefined, 2],
        [undefined, 1],
      ],
    );
  });
});
