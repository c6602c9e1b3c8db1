import assert from 'node:assert/strict';
import {
  filterValues,
  meantFilter,
  mendedFilter,
  unknownValue,
} from '../../../../../src/features/stories/filter/filterCompletion.ts';
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

  it('has the key that is near, and its value, in the place of one that there is not', async () => {
    await assertMeant('stat:strated', 'state:started');
    await assertMeant('-lable:oven words', '-label:oven words');
    await assertMeant('colour:red', undefined);
  });

  it('is mended where it is no filter, unless nothing is near', async () => {
    const values = await filterValues([backlog]);
    for (const [typed, expected] of [
      ['stat:strated', 'state:started'],
      ['label:"to do', 'label:"to do"'],
      ['lable:"to od', 'label:"to do"'],
      ['colour:red', undefined],
      ['state:', undefined],
      ['-', undefined],
    ] as const) {
      assert.equal(mendedFilter(typed, values), expected, typed);
    }
  });

  it('has values that nothing here has', async () => {
    const values = await filterValues([backlog]);
    for (const [typed, expected] of [
      ['state:stopped', { key: 'state', value: 'stopped' }],
      ['type:bug -label:oven,zinc', { key: 'label', value: 'zinc' }],
      ['project:Mill', { key: 'project', value: 'Mill' }],
      ['state:started owner:ada points:>3 zinc', undefined],
    ] as const) {
      assert.deepEqual(unknownValue(typed, values), expected, typed);
    }
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
