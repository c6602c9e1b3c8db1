import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type DraftState, draftBase, draftState, readDraft } from '../../../../src/features/storyPanel/storyDrafts.ts';

describe('What is being written into a field', () => {
  assertState({ base: 'Bake', text: 'Bake rye' }, 'Bake', 'unsaved');
  assertState({ base: 'Bake', text: 'Bake rye' }, 'Bake rye', 'stored');
  assertState({ base: 'Bake', text: 'Bake rye' }, 'Bake wheat', 'conflict');
  assertState({ base: 'Bake', text: 'Bake' }, 'Bake wheat', 'stored');
  assertState({ base: '', text: 'Ada' }, '', 'unsaved');
  assertState({ base: 'Ada', text: '' }, 'Bo', 'conflict');
  // Servers trim what they are given, and boxes of a page know one kind of line end only.
  assertState({ base: 'one\r\ntwo', text: 'one\ntwo' }, 'one\r\ntwo', 'stored');
  assertState({ base: 'one', text: 'one \n' }, 'one', 'stored');
  assertState({ base: 'one\n', text: 'two' }, 'one', 'unsaved');

  it('goes on from what was sent once the story shows it, though no answer has come', () => {
    assert.equal(draftBase('Bake', 'Bake rye', 'Bake rye'), 'Bake rye');
    assert.equal(draftBase('Bake', 'Bake rye', 'Bake'), 'Bake');
    assert.equal(draftBase('Bake', 'Bake rye', 'Bake wheat'), 'Bake');
    assert.equal(draftBase('Bake', undefined, 'Bake rye'), 'Bake');
    const base = draftBase('1', '3', '3');
    assert.equal(draftState({ base, text: '5' }, '3'), 'unsaved', 'a second choice on a slow server');
    assert.equal(draftState({ base, text: '1' }, '3'), 'unsaved', 'the first one again');
  });

  it('is never taken for stored while the story has something else', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), (base, text, now) => {
        const state = draftState({ base, text }, now);
        const [first, last, stored] = [base.trim(), text.trim(), now.trim()];
        if (first !== last && last !== stored) assert.equal(state, first === stored ? 'unsaved' : 'conflict');
        else assert.equal(state, 'stored');
      }),
    );
  });

  it('is read when it is whole', () => {
    const draft = { field: 'name', base: 'a', text: 'b' };
    assert.deepEqual(readDraft({ ...draft, more: 1 }), draft);
    for (const other of [undefined, null, 'name', [], { ...draft, field: 'state' }, { ...draft, base: 5 }]) {
      assert.equal(readDraft(other), undefined);
    }
  });
});

function assertState(draft: { readonly base: string; readonly text: string }, now: string, expected: DraftState): void {
  it(`${JSON.stringify(draft)} is ${expected} where the story has ${JSON.stringify(now)}`, () => {
    assert.equal(draftState(draft, now), expected);
  });
}
