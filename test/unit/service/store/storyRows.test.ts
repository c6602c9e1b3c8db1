import assert from 'node:assert/strict';
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import type { Tx } from '../../../../src/service/store/database.ts';
import type { Schema } from '../../../../src/service/store/schema.ts';
import { placesOfStories, storyRowsOf } from '../../../../src/service/store/stories/storyRows.ts';

describe('The rows of stories', () => {
  let asked: string[];

  class Listening extends DummyDriver {
    override async acquireConnection() {
      return {
        executeQuery: async ({ sql }: { readonly sql: string }) => {
          asked.push(sql);
          return { rows: [] };
        },
        streamQuery: () => assert.fail('Nothing is streamed.'),
      };
    }
  }

  const postgres = new Kysely<Schema>({
    dialect: {
      createDriver: () => new Listening(),
      createAdapter: () => new PostgresAdapter(),
      createQueryCompiler: () => new PostgresQueryCompiler(),
      createIntrospector: (db) => new PostgresIntrospector(db),
    },
  });
  const rowsOf = (ids: readonly number[]) => postgres.transaction().execute((tx: Tx) => storyRowsOf(tx, 1, ids));

  beforeEach(() => {
    asked = [];
  });

  it('are none of no IDs, without a list of none, which PostgreSQL does not take', async () => {
    assert.deepEqual(await rowsOf([]), []);
    assert.deepEqual(await postgres.transaction().execute((tx: Tx) => placesOfStories(tx, [])), []);
    assert.deepEqual(asked, []);
    await rowsOf([1, 2]);
    assert.deepEqual(asked.length, 1);
  });
});
