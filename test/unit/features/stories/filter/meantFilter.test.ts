import assert from 'node:assert/strict';
import { filterValues } from '../../../../../src/features/stories/filter/filterValues.ts';
import { meantFilter } from '../../../../../src/features/stories/filter/meantFilter.ts';
import { aBakery, aBakeryBacklog, iterationOf } from '../../../../support/builders/bakery.ts';
import { aStory } from '../../../../support/builders/builders.ts';

const project = aBakery({
  labels: ['oven', 'to do'],
  memberships: [{ id: 1, role: 'Member', person: { name: 'Ada Byron', initials: 'AB' } }],
});
const backlog = aBakeryBacklog({ project, iterations: [iterationOf(12, [aStory({ id: 3, ownedBy: 'Bo' })])] });

describe('meantFilter', () => {
  async function assertMeant(typed: string, expected: string | undefined): Promise<void> {
    assert.equal(meantFilter(typed, await filterValues([backlog])), expected, typed);
  }

  it('has the value that is near in the place of one that nothing has', async () => {
    await assertMeant('state:strated', 'state:started');
    await assertMeant(
      'words -state:strated,finished "two words" label:"to od"',
      'words -state:started,finished "two words" label:"to do"',
    );
    await assertMeant('owner:Bob', 'owner:Bo');
    await assertMeant('project:Bakrey', 'project:Bakery');
    await assertMeant('owner:non', undefined);
  });

  it('is nothing where all is known, or nothing is near', async () => {
    for (const typed of [
      'state:started owner:ada label:none',
      'owner:me mywork:byron',
      'strated',
      'points:>3',
      'label:zinc',
    ]) {
      await assertMeant(typed, undefined);
    }
  });
});
