import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parseFilter } from '../../../../../src/core/filter/filter.ts';
import { completionsOf, filterValues } from '../../../../../src/features/stories/filter/filterCompletion.ts';
import { aBakery, aBakeryBacklog, iterationOf } from '../../../../support/builders/bakery.ts';
import { aStory } from '../../../../support/builders/builders.ts';

const project = aBakery({
  labels: ['oven', 'to do'],
  memberships: [{ id: 1, role: 'Member', person: { name: 'Ada Byron', initials: 'AB' } }],
});
const story = aStory({ id: 3, labels: ['shop'], ownedBy: 'Bo', requestedBy: 'Ada Byron', type: 'spike' });
const backlog = aBakeryBacklog({ project, iterations: [iterationOf(12, [story])] });

describe('completionsOf', () => {
  async function assertCompleted(typed: string, expected: readonly string[], isUnfinished: boolean): Promise<void> {
    const completions = completionsOf(typed, await filterValues([backlog]));
    assert.deepEqual(
      { texts: completions.list.map(({ text }) => text), isUnfinished: completions.isUnfinished },
      { texts: expected, isUnfinished },
      typed,
    );
  }

  it('offers keys where a word begins', async () => {
    await assertCompleted('la', ['label:'], false);
    await assertCompleted('type:bug has', ['type:bug has_attachment:', 'type:bug has_external_id:'], false);
    await assertCompleted('"sta', [], false);
    await assertCompleted('-la', ['-label:'], false);
    await assertCompleted('x -so', [], false);
  });

  it('offers the values that are there after a key, first those that begin so', async () => {
    await assertCompleted('state:rt', ['state:unstarted ', 'state:started '], true);
    await assertCompleted('owner:b', ['owner:Bo ', 'owner:"Ada Byron" '], true);
    await assertCompleted('type:sp', ['type:spike '], true);
    await assertCompleted('label:', ['label:oven ', 'label:shop ', 'label:"to do" ', 'label:none '], true);
    await assertCompleted('-state:rt', ['-state:unstarted ', '-state:started '], true);
    await assertCompleted('- type:sp', ['- type:spike '], true);
    await assertCompleted('-type: b', ['-type: bug '], true);
    await assertCompleted('project:', ['project:Bakery '], true);
    await assertCompleted('sort:na', ['sort:name '], true);
    await assertCompleted('STATE:Sta', ['STATE:started ', 'STATE:unstarted '], true);
  });

  it('goes on after a comma, in quotes, and behind what is there', async () => {
    await assertCompleted('x label:oven,"to', ['x label:oven,"to do" '], true);
    await assertCompleted('type: b', ['type: bug '], true);
    await assertCompleted('oven label:  oven,"to', ['oven label:  oven,"to do" '], true);
    await assertCompleted('label:oven sta', ['label:oven state:'], false);
    await assertCompleted('label:"to do" type:b', ['label:"to do" type:bug '], true);
  });

  it('knows what is finished, and what it cannot know', async () => {
    await assertCompleted('state:started', ['state:started ', 'state:unstarted '], false);
    await assertCompleted('points:>3', [], false);
    await assertCompleted('colour:re', [], false);
  });

  it('says every value so that the filter means it', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (label) => {
        fc.pre(label.trim() !== '');
        const [offered] = completionsOf('label:', new Map([['label', [label]]])).list;
        const [test] = parseFilter(offered?.text ?? '').tests;
        assert.equal(test?.(aStory({ id: 1, labels: [label] }), { now: 0 }), true);
      }),
    );
  });
});
