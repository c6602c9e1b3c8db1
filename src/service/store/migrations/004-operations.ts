import type { Tx } from '../database.ts';
import type { SqlTypes } from '../sqlTypes.ts';

/** Failed sign-ins, which all processes count together, and what came from which file. */
export async function operations(db: Tx, types: SqlTypes): Promise<void> {
  await db.schema
    .createTable('signInFailures')
    .addColumn('key', 'text', (c) => c.primaryKey())
    .addColumn('count', 'integer', (c) => c.notNull())
    .addColumn('last', types.moment, (c) => c.notNull())
    .execute();
  await db.schema
    .createTable('importedProjects')
    .addColumn('projectId', 'integer', (c) => c.notNull().references('projects.id').onDelete('cascade'))
    .addColumn('source', 'text', (c) => c.primaryKey())
    .execute();
  await db.schema.createIndex('importedProjectsByProjectId').on('importedProjects').columns(['projectId']).execute();
  await db.schema
    .createTable('importedStories')
    .addColumn('projectId', 'integer', (c) => c.notNull().references('projects.id').onDelete('cascade'))
    .addColumn('externalId', 'text', (c) => c.notNull())
    .addColumn('storyId', 'integer', (c) => c.references('stories.id').onDelete('set null'))
    .addColumn('digest', 'text', (c) => c.notNull())
    .addColumn('place', 'integer', (c) => c.notNull())
    .addPrimaryKeyConstraint('oneStoryPerExternalId', ['projectId', 'externalId'])
    .execute();
  await db.schema.createIndex('importedStoriesByStoryId').on('importedStories').columns(['storyId']).execute();
}
