import type { Tx } from '../database.ts';
import type { SqlTypes } from '../sqlTypes.ts';

/** What is to be sent to others, in queues that keep its order, and where a project's activity goes. */
export async function deliveries(db: Tx, types: SqlTypes): Promise<void> {
  await db.schema
    .createTable('queues')
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('key', 'text', (c) => c.notNull())
    .addColumn('dueAt', types.moment, (c) => c.notNull())
    .addColumn('leaseOwner', 'text')
    .addColumn('leaseEnd', types.moment, (c) => c.notNull())
    .addColumn('failures', 'integer', (c) => c.notNull())
    .addColumn('failingSince', types.moment)
    .addPrimaryKeyConstraint('oneQueuePerKey', ['kind', 'key'])
    .execute();
  await db.schema.createIndex('queuesByDueAt').on('queues').columns(['kind', 'dueAt']).execute();
  await types
    .withId(db.schema.createTable('jobs'))
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('key', 'text', (c) => c.notNull())
    .addColumn('payload', 'text', (c) => c.notNull())
    .addColumn('deliveryId', 'text', (c) => c.notNull().unique())
    .addColumn('queuedAt', types.moment, (c) => c.notNull())
    .addColumn('attempts', 'integer', (c) => c.notNull())
    .addColumn('parkedAt', types.moment)
    .addColumn('lastError', 'text')
    .execute();
  await db.schema.createIndex('jobsByQueue').on('jobs').columns(['kind', 'key', 'parkedAt', 'id']).execute();
  await db.schema.alterTable('projects').addColumn('webHookUrl', 'text').execute();
}
