import assert from 'node:assert/strict';
import { ExpandedRows } from '../../../../../src/features/stories/tree/treeShape.ts';

const [NONE, FOLDED, OPEN] = [0, 1, 2];

describe('ExpandedRows', () => {
  let kept: Map<string, unknown>;
  let writes: number;
  const memory = {
    get: <T>(key: string, fallback?: T) => (kept.get(key) ?? fallback) as T,
    update: async (key: string, value: unknown) => {
      writes += 1;
      kept.set(key, JSON.parse(JSON.stringify(value)));
    },
  };
  const stateOf = (rows: ExpandedRows, id: string, collapsibleState?: number) =>
    rows.apply<{ id: string; collapsibleState?: number }>({
      id,
      ...(collapsibleState !== undefined && { collapsibleState }),
    }).collapsibleState;

  beforeEach(() => {
    kept = new Map();
    writes = 0;
  });

  it('opens and folds rows as a person last did, in the next window too', async () => {
    const rows = new ExpandedRows(memory);
    rows.note('a', true);
    rows.note('b', false);
    rows.note('c', true);
    rows.note('c', false);
    for (const known of [rows, await afterWriting().then(() => new ExpandedRows(memory))]) {
      assert.equal(stateOf(known, 'a', FOLDED), OPEN);
      assert.equal(stateOf(known, 'b', OPEN), FOLDED);
      assert.equal(stateOf(known, 'c', OPEN), FOLDED);
      assert.equal(stateOf(known, 'd', OPEN), OPEN);
    }
  });

  it('leaves rows alone that hold nothing', () => {
    const rows = new ExpandedRows(memory);
    rows.note('a', true);
    assert.equal(stateOf(rows, 'a', NONE), NONE);
    assert.equal(stateOf(rows, 'a'), undefined);
  });

  it('writes once what changes together, and forgets the oldest of very many', async () => {
    const rows = new ExpandedRows(memory);
    for (let index = 0; index < 600; index += 1) rows.note(`row ${index}`, true);
    rows.note('row 100', false);
    await afterWriting();
    assert.equal(writes, 1);
    assert.equal(stateOf(rows, 'row 99', FOLDED), FOLDED);
    assert.equal(stateOf(rows, 'row 100', OPEN), FOLDED);
    assert.equal(stateOf(rows, 'row 599', FOLDED), OPEN);
  });

  const afterWriting = () => new Promise((resolve) => setImmediate(resolve));
});
