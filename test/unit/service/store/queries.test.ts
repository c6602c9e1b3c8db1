import assert from 'node:assert/strict';
import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import type { Tx } from '../../../../src/service/store/database.ts';
import { knownQuery, pieces } from '../../../../src/service/store/queries.ts';
import type { Schema } from '../../../../src/service/store/schema.ts';

interface Asked {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

describe('A query that is known', () => {
  let asked: Asked[];
  let builds: number;

  beforeEach(() => {
    asked = [];
    builds = 0;
  });

  class Listening extends DummyDriver {
    override async acquireConnection() {
      return {
        executeQuery: async <R>({ sql, parameters }: Asked): Promise<QueryResult<R>> => {
          asked.push({ sql, parameters });
          return { rows: [] };
        },
        streamQuery: () => assert.fail('Nothing is streamed.'),
      };
    }
  }

  const [sqliteAdapter, postgresAdapter] = [new SqliteAdapter(), new PostgresAdapter()];
  const sqlite = () =>
    new Kysely<Schema>({
      dialect: {
        createDriver: () => new Listening(),
        createAdapter: () => sqliteAdapter,
        createQueryCompiler: () => new SqliteQueryCompiler(),
        createIntrospector: (db) => new SqliteIntrospector(db),
      },
    });
  const postgres = () =>
    new Kysely<Schema>({
      dialect: {
        createDriver: () => new Listening(),
        createAdapter: () => postgresAdapter,
        createQueryCompiler: () => new PostgresQueryCompiler(),
        createIntrospector: (db) => new PostgresIntrospector(db),
      },
    });
  const within = (db: Kysely<Schema>, work: (tx: Tx) => Promise<unknown>) => db.transaction().execute(work);
  const renamed = () =>
    knownQuery((tx, { id, name }: { readonly id: number; readonly name: string | null }) => {
      builds += 1;
      return tx
        .updateTable('stories')
        .set({ name: name ?? '', requestedBy: name })
        .where('id', '=', id)
        .where('type', '=', 'bug');
    });

  it('is put together once, and asked with the parameters of each time in their places, constants among them', async () => {
    const rename = renamed();
    await within(sqlite(), async (tx) => {
      await rename(tx, { id: 7, name: 'One' });
      await rename(tx, { name: 'Two', id: 8 });
    });
    await within(sqlite(), (tx) => rename(tx, { id: 9, name: null }));
    assert.equal(builds, 1);
    assert.deepEqual(
      asked.map(({ parameters }) => parameters),
      [
        ['One', 'One', 7, 'bug'],
        ['Two', 'Two', 8, 'bug'],
        [null, null, 9, 'bug'],
      ],
    );
    assert.equal(new Set(asked.map(({ sql }) => sql)).size, 1);
  });

  it('is put together for each kind of database in its own words', async () => {
    const rename = renamed();
    for (const db of [sqlite(), postgres(), sqlite(), postgres()]) {
      await within(db, (tx) => rename(tx, { id: 7, name: 'One' }));
    }
    assert.equal(builds, 2);
    assert.deepEqual(
      asked.map(({ sql }) => /"id" = (\S+)/.exec(sql)?.[1]),
      ['?', '$3', '?', '$3'],
    );
  });

  it('is no one else’s: two that are alike keep their parameters apart', async () => {
    const [first, second] = [renamed(), renamed()];
    await within(sqlite(), async (tx) => {
      await Promise.all([first(tx, { id: 1, name: 'One' }), second(tx, { id: 2, name: 'Two' })]);
    });
    assert.deepEqual(asked.map(({ parameters }) => parameters[2]).sort(), [1, 2]);
  });
});

describe('Rows that are written several at once', () => {
  it('are all in pieces of few lengths, in their order', () => {
    for (const count of [0, 1, 7, 128, 200, 501]) {
      const rows = Array.from({ length: count }, (_, index) => index);
      assert.deepEqual(pieces(rows).flat(), rows);
    }
    const lengths = (count: number) => pieces(new Array(count).fill('row')).map(({ length }) => length);
    assert.deepEqual(lengths(300), [128, 128, 32, 8, 4]);
    assert.deepEqual(lengths(1), [1]);
    assert.deepEqual(lengths(0), []);
  });
});
