import assert from 'node:assert/strict';
import type { Backlog } from '../../../../src/core/backlog/backlog.ts';
import { withMove } from '../../../../src/core/backlog/ordering.ts';
import { withIntent } from '../../../../src/core/intents/intentRules.ts';
import { formerPositions, restoredPlaces } from '../../../../src/core/moves/formerPositions.ts';
import { sketchedBacklog } from '../../../support/builders/sketchedBacklog.ts';

const backlog = sketchedBacklog([[11, 12, 13], [14]], [20, 21, 22, 23]);
const set = (known: Backlog, storyId: number, state: string) =>
  withIntent(known, { kind: 'edit', storyId, edit: { state } });
const iceboxOf = ({ icebox }: Backlog) => icebox.map(({ id }) => id);

/** Of stories that went to work and came back to the icebox. */
function restored(
  storyIds: readonly number[],
  change: (known: Backlog) => Backlog = (known) => known,
  isCertain = true,
) {
  const formerly = formerPositions(backlog, storyIds);
  const started = storyIds.reduce((known, id) => set(known, id, 'started'), backlog);
  const back = storyIds.reduce((known, id) => set(known, id, 'unscheduled'), change(started));
  const { moves, lost } = restoredPlaces(back, formerly, storyIds, () => isCertain);
  const after = moves.reduce((known, move) => withIntent(known, move), back);
  return { moves: moves.length, lost, icebox: iceboxOf(after) };
}

describe('restoredPlaces', () => {
  it('puts stories back between those between which they stood', () => {
    const icebox = iceboxOf(backlog);
    assert.deepEqual(restored([20]), { moves: 1, lost: [], icebox });
    assert.deepEqual(restored([21, 22]), { moves: 2, lost: [], icebox });
    assert.deepEqual(restored([20, 22]), { moves: 2, lost: [], icebox });
    assert.deepEqual(restored([20, 21, 22, 23]), { moves: 0, lost: [], icebox });
  });

  it('leaves those where they are that stand there already, unless that is uncertain', () => {
    assert.deepEqual(restored([23]), { moves: 0, lost: [], icebox: iceboxOf(backlog) });
    assert.deepEqual(
      restored([23], (known) => known, false),
      { moves: 1, lost: [], icebox: iceboxOf(backlog) },
    );
  });

  it('does not guess where others stand there now', () => {
    const crowded = restored([21], (known) => withMove(known, 23, 'after', 20));
    assert.deepEqual(crowded, { moves: 0, lost: [21], icebox: [20, 23, 22, 21] });
    const halved = restored([20, 22], (known) => withMove(known, 23, 'before', 21));
    assert.deepEqual(halved.lost, [20, 22]);
  });

  it('is only for those that are named', () => {
    const formerly = formerPositions(backlog, [20, 21]);
    const back = withMove(withMove(backlog, 20, 'after', 23), 21, 'after', 23);
    const { moves } = restoredPlaces(back, formerly, [21], () => true);
    assert.deepEqual(moves, [{ kind: 'move', storyId: 21, place: 'before', targetId: 22 }]);
  });

  it('puts those that left between the ones beside them that stayed, or that are back already', () => {
    const order = [20, 21, 22, 23];
    for (const stayed of [[21], [22], [21, 23], [20, 21, 23]]) {
      const left = order.filter((id) => !stayed.includes(id));
      const formerly = formerPositions(backlog, order);
      const back = left.reduce((known, id) => withMove(known, id, 'after', iceboxOf(known).at(-1) ?? 0), backlog);
      const { moves, lost } = restoredPlaces(back, formerly, left, () => true);
      const after = moves.reduce((known, move) => withIntent(known, move), back);
      assert.deepEqual([lost, iceboxOf(after)], [[], order], `${stayed} stayed`);
    }
  });

  it('does not guess where one that stayed stands elsewhere now', () => {
    const formerly = formerPositions(backlog, [21, 22]);
    const moved = withMove(withMove(backlog, 21, 'after', 23), 22, 'before', 20);
    const { moves, lost } = restoredPlaces(withMove(moved, 23, 'before', 20), formerly, [21], () => true);
    assert.deepEqual([moves, lost], [[], [21]]);
  });
});
