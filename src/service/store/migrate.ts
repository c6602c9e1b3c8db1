import type { Tx } from './database.ts';
import { migrations, type SqlTypes } from './migrations.ts';

/** Of data that needs no migration. */
export const newestSchema = migrations.length;

/** The data was written by a newer Story Tracker than this one; nothing was changed. */
class NewerSchemaError extends Error {
  override readonly name = 'NewerSchemaError';
}

/** Brings the schema up to date inside the caller's transaction, which already holds the write lock. */
export async function migrate(db: Tx, types: SqlTypes, now: number): Promise<void> {
  const current = await currentVersion(db);
  if (current > newestSchema) {
    throw new NewerSchemaError(
      `This data was written by a newer Story Tracker (schema ${current}; this one supports ${newestSchema}). Nothing was changed. Update Story Tracker.`,
    );
  }
  for (const { number, name, run } of migrations.slice(current)) {
    await run(db, types);
    await db.insertInto('schemaVersions').values({ number, name, appliedAt: now }).execute();
  }
}

async function currentVersion(db: Tx): Promise<number> {
  await db.schema
    .createTable('schemaVersions')
    .ifNotExists()
    .addColumn('number', 'integer', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('appliedAt', 'bigint', (column) => column.notNull())
    .execute();
  const row = await db
    .selectFrom('schemaVersions')
    .select(({ fn }) => fn.max<number | null>('number').as('newest'))
    .executeTakeFirst();
  return row?.newest ?? 0;
}
