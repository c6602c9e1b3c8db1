import type { Tx } from './database.ts';
import { first } from './migrations/001-first.ts';
import { velocity } from './migrations/002-velocity.ts';
import { deliveries } from './migrations/003-deliveries.ts';
import { operations } from './migrations/004-operations.ts';
import { mail } from './migrations/005-mail.ts';
import { removal } from './migrations/006-removal.ts';
import { rules } from './migrations/007-rules.ts';
import { attempts } from './migrations/008-attempts.ts';
import type { SqlTypes } from './sqlTypes.ts';

interface Migration {
  readonly number: number;
  readonly name: string;
  readonly run: (db: Tx, types: SqlTypes) => Promise<void>;
}

/** Numbered without gaps; one that has been released never changes. */
const migrations: readonly Migration[] = [
  { number: 1, name: 'first', run: first },
  { number: 2, name: 'velocity', run: velocity },
  { number: 3, name: 'deliveries', run: deliveries },
  { number: 4, name: 'operations', run: operations },
  { number: 5, name: 'mail', run: mail },
  { number: 6, name: 'removal', run: removal },
  { number: 7, name: 'rules', run: rules },
  { number: 8, name: 'attempts', run: attempts },
];

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
