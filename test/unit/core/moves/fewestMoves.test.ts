import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { MovePlace } from '../../../../src/core/backlog/ordering.ts';
import { fewestMoves } from '../../../../src/core/moves/fewestMoves.ts';

/** The order after these moves, taken one by one. */
function carriedOut(order: readonly number[], moves: ReturnType<typeof fewestMoves>): readonly number[] {
  return moves.reduce((before, { storyId, spot }) => {
    const others = before.filter((id) => id !== storyId);
    const at = others.indexOf(spot.targetId);
    assert.ok(at >= 0 && storyId !== spot.targetId, `${storyId} ${spot.place} ${spot.targetId} in ${before}`);
    return others.toSpliced(spot.place === 'before' ? at : at + 1, 0, storyId);
  }, order);
}

/** The order that the person means. */
function meant(order: readonly number[], block: readonly number[], place: MovePlace, targetId: number) {
  const others = order.filter((id) => !block.includes(id));
  return others.toSpliced(others.indexOf(targetId) + (place === 'after' ? 1 : 0), 0, ...block);
}

/** The fewest moves of any story from one order to another, by trying all. */
function fewest(from: readonly number[], to: readonly number[]): number {
  const wanted = to.join();
  let reached = new Map([[from.join(), from]]);
  for (let moves = 0; ; moves++) {
    if (reached.has(wanted)) return moves;
    const next = new Map(reached);
    for (const order of reached.values()) {
      for (const id of order) {
        const others = order.filter((one) => one !== id);
        for (const at of order.keys()) {
          const after = others.toSpliced(at, 0, id);
          next.set(after.join(), after);
        }
      }
    }
    reached = next;
  }
}

const assertMoves = (order: string, block: string, place: MovePlace, target: string, expected: readonly string[]) => {
  const idOf = (letter: string) => letter.charCodeAt(0);
  const ids = (letters: string) => [...letters].map(idOf);
  const moves = fewestMoves(ids(order), ids(block), { place, targetId: idOf(target) });
  const letter = (id: number) => String.fromCharCode(id);
  assert.deepEqual(
    moves.map(({ storyId, spot }) => `${letter(storyId)} ${spot.place} ${letter(spot.targetId)}`),
    expected,
  );
};

describe('fewestMoves', () => {
  it('moves one story by one move, and none that is there', () => {
    assertMoves('abcde', 'd', 'before', 'b', ['d before b']);
    assertMoves('abcde', 'b', 'after', 'c', ['b after c']);
    assertMoves('abcde', 'b', 'after', 'a', []);
    assertMoves('abcde', 'bc', 'before', 'd', []);
  });

  it('leaves what stands right already', () => {
    assertMoves('abcde', 'bce', 'after', 'a', ['e after c']);
    assertMoves('abcde', 'ace', 'before', 'b', ['c after a', 'e after c']);
  });

  it('lets the one story in the way go past a block, as one move', () => {
    assertMoves('abcde', 'bcd', 'before', 'a', ['a after d']);
    assertMoves('abcde', 'abc', 'after', 'd', ['d before a']);
  });

  it('moves what was chosen, where that takes no more', () => {
    assertMoves('abcd', 'bc', 'before', 'a', ['a after c']);
    assertMoves('abcdef', 'cd', 'before', 'a', ['c before a', 'd after c']);
  });

  it('brings what comes from elsewhere, among what is there', () => {
    assertMoves('abc', 'bx', 'before', 'c', ['x after b']);
    assertMoves('abc', 'xy', 'after', 'a', ['x after a', 'y after x']);
  });

  const cases = fc
    .record({
      size: fc.integer({ min: 2, max: 7 }),
      bits: fc.nat(),
      place: fc.constantFrom<MovePlace>('before', 'after'),
    })
    .chain(({ size, bits, place }) => {
      const order = Array.from({ length: size }, (_, index) => index + 1);
      const block = order.filter((_, index) => (bits >> index) & 1);
      const others = order.filter((id) => !block.includes(id));
      return fc.record({
        order: fc.constant(order),
        block: fc.constant(block),
        place: fc.constant(place),
        targetId: others.length > 0 ? fc.constantFrom(...others) : fc.constant(0),
      });
    })
    .filter(({ targetId, block }) => targetId !== 0 && block.length > 0);

  it('leads to the order that is meant, with no more moves than one for each story chosen', () => {
    fc.assert(
      fc.property(cases, ({ order, block, place, targetId }) => {
        const moves = fewestMoves(order, block, { place, targetId });
        assert.deepEqual(carriedOut(order, moves), meant(order, block, place, targetId));
        assert.ok(moves.length <= block.length);
      }),
      { numRuns: 2000 },
    );
  });

  it('takes as few moves as there can be', () => {
    const small = cases.filter(({ order }) => order.length <= 5);
    fc.assert(
      fc.property(small, ({ order, block, place, targetId }) => {
        const moves = fewestMoves(order, block, { place, targetId });
        assert.equal(moves.length, fewest(order, meant(order, block, place, targetId)));
      }),
      { numRuns: 150 },
    );
  });
});
