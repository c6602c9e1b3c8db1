import type { Tx } from '../database.ts';
import type { SqlTypes } from '../sqlTypes.ts';

/** What an administrator decided for the whole service, and what each user did within the last hour of what is counted by the hour. */
export async function rules(db: Tx, types: SqlTypes): Promise<void> {
  await db.schema
    .createTable('rules')
    .addColumn('name', 'text', (c) => c.primaryKey())
    .addColumn('value', 'text', (c) => c.notNull())
    .execute();
  await db.schema
    .createTable('recentUses')
    .addColumn('userId', 'integer', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('at', types.moment, (c) => c.notNull())
    .execute();
  await db.schema.createIndex('recentUsesByUser').on('recentUses').columns(['userId', 'kind', 'at']).execute();
}
