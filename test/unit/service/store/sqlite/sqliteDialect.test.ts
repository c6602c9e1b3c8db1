import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { SqliteConnections } from '../../../../../src/service/store/sqlite/sqliteDialect.ts';

/** Long enough that few fit into one turn of the event loop. */
const HOLD_MS = 3;

function hold(): void {
  const until = performance.now() + HOLD_MS;
  while (performance.now() < until);
}

describe('connections of SQLite', () => {
  let connections: SqliteConnections;
  /** Turns of the event loop. */
  let turns = 0;
  let isOver = false;

  beforeEach(() => {
    connections = new SqliteConnections([new DatabaseSync(':memory:')], 1_000);
    turns = 0;
    isOver = false;
    const count = (): void => {
      turns += 1;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
  });
  afterEach(() => {
    isOver = true;
    connections.close();
  });

  it('are handed on in a turn of its own once the present one has lasted its share', async () => {
    const borrow = async () => {
      const connection = await connections.lend('many');
      hold();
      connections.takeBack(connection);
    };
    await Promise.all(Array.from({ length: 40 }, borrow));
    assert.ok(turns >= 15, `${turns} turns`);
  });

  it('cost nobody a turn who comes alone', async () => {
    for (let count = 0; count < 40; count += 1) connections.takeBack(await connections.lend('one'));
    assert.equal(turns, 0);
  });
});
