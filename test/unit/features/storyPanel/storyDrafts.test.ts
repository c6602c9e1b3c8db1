import assert from 'node:assert/strict';
import fc from 'fast-check';
import { draftBase, draftState, readDraft } from '../../../../src/features/storyPanel/storyDrafts.ts';

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
  // Markdown makes code of what is indented.
  assertState({ base: 'make', text: '    make' }, 'make', 'unsaved');
  assertState({ base: '    make', text: 'make' }, '    make', 'unsaved');
  assertState({ base: 'make', text: '    make' }, '    make', 'stored');
  assertState({ base: 'one', text: '    make' }, 'make', 'stored');
  assertState({ base: 'one', text: 'two' }, '    one', 'unsaved');
  assertState({ base: 'one', text: '    one' }, 'two', 'conflict');

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
    const texts = fc.oneof(fc.stringMatching(/^ {0,2}a?b? ?$/), fc.string());
    fc.assert(
      fc.property(texts, texts, texts, (base, text, now) => {
        const state = draftState({ base, text }, now);
        const isSame = (one: string, other: string) => one.trimEnd() === other.trimEnd();
        if (isSame(text, base) || isSame(text, now)) assert.equal(state, 'stored');
        else if (base.trim() === now.trim()) assert.equal(state, 'unsaved');
        else assert.equal(state, text.trim() === now.trim() ? 'stored' : 'conflict');
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

function assertState(
  draft: { readonly base: string; readonly text: string },
  now: string,
  expected: ReturnType<typeof draftState>,
): void {
  it(`${JSON.stringify(draft)} is ${expected} where the story has ${JSON.stringify(now)}`, () => {
    assert.equal(draftState(draft, now), expected);
  });
}
