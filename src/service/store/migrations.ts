import { type CreateTableBuilder, type Expression, sql } from 'kysely';
import type { Tx } from './database.ts';

/** The words of a schema in which databases differ. */
export interface SqlTypes {
  /** Adds `id`, numbered by the database; numbers are never used twice. */
  withId<T extends string, C extends string>(table: CreateTableBuilder<T, C>): CreateTableBuilder<T, C | 'id'>;
  /** Column type of text that is compared byte by byte. */
  readonly bytewiseText: 'text' | Expression<string>;
  /** Column type of milliseconds since the epoch, and of other whole numbers that may be large. */
  readonly moment: 'integer' | 'bigint';
}

interface Migration {
  readonly number: number;
  readonly name: string;
  readonly run: (db: Tx, types: SqlTypes) => Promise<void>;
}

/** Numbered without gaps; one that has been released never changes. */
export const migrations: readonly Migration[] = [
  { number: 1, name: 'first', run: first },
  { number: 2, name: 'velocity', run: velocity },
  { number: 3, name: 'deliveries', run: deliveries },
  { number: 4, name: 'operations', run: operations },
  { number: 5, name: 'mail', run: mail },
  { number: 6, name: 'removal', run: removal },
  { number: 7, name: 'rules', run: rules },
  { number: 8, name: 'attempts', run: attempts },
  { number: 9, name: 'staging', run: staging },
  { number: 10, name: 'accounts', run: accounts },
  { number: 11, name: 'renumbered', run: renumbered },
  { number: 12, name: 'tokenNames', run: tokenNames },
  { number: 13, name: 'tokenScopes', run: tokenScopes },
];

/** People, projects, stories and what belongs to them. */
async function first(db: Tx, types: SqlTypes): Promise<void> {
  await people(db, types);
  await projects(db, types);
  await stories(db, types);
  await storyParts(db, types);
  await history(db, types);
}

async function people(db: Tx, types: SqlTypes): Promise<void> {
  await db.schema
    .createTable('counters')
    .addColumn('name', 'text', (c) => c.primaryKey())
    .addColumn('value', 'integer', (c) => c.notNull())
    .execute();
  await db.schema
    .createTable('secrets')
    .addColumn('name', 'text', (c) => c.primaryKey())
    .addColumn('value', 'text', (c) => c.notNull())
    .execute();
  await types
    .withId(db.schema.createTable('users'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('email', 'text', (c) => c.notNull().unique())
    .addColumn('initials', 'text', (c) => c.notNull())
    .addColumn('password', 'text')
    .addColumn('createdAt', types.moment, (c) => c.notNull())
    .execute();
  await types
    .withId(db.schema.createTable('tokens'))
    .addColumn('userId', 'integer', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('hash', 'text', (c) => c.notNull().unique())
    .addColumn('purpose', 'text', (c) => c.notNull())
    .addColumn('createdAt', types.moment, (c) => c.notNull())
    .addColumn('lastUsedAt', types.moment)
    .execute();
  await index(db, 'tokens', ['userId']);
}

async function projects(db: Tx, types: SqlTypes): Promise<void> {
  await types
    .withId(db.schema.createTable('projects'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('account', 'text', (c) => c.notNull())
    .addColumn('iterationLength', 'integer', (c) => c.notNull())
    .addColumn('weekStartDay', 'text', (c) => c.notNull())
    .addColumn('pointScale', 'text', (c) => c.notNull())
    .addColumn('initialVelocity', 'integer', (c) => c.notNull())
    .addColumn('startDate', types.moment)
    .addColumn('doneIterationsToShow', 'integer', (c) => c.notNull())
    .addColumn('enableTasks', 'integer', (c) => c.notNull())
    .addColumn('allowAttachments', 'integer', (c) => c.notNull())
    .addColumn('isPublic', 'integer', (c) => c.notNull())
    .addColumn('useHttps', 'integer', (c) => c.notNull())
    .addColumn('bugsAndChoresAreEstimatable', 'integer', (c) => c.notNull())
    .addColumn('commitMode', 'integer', (c) => c.notNull())
    .addColumn('createdAt', types.moment, (c) => c.notNull())
    .addColumn('lastActivityAt', types.moment)
    .addColumn('changes', 'integer', (c) => c.notNull().defaultTo(0))
    .execute();
  await inProject(types.withId(db.schema.createTable('memberships')))
    .addColumn('userId', 'integer', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('role', 'text', (c) => c.notNull())
    .addUniqueConstraint('oneMembershipPerUser', ['projectId', 'userId'])
    .execute();
  await index(db, 'memberships', ['userId']);
  await inProject(types.withId(db.schema.createTable('integrations')))
    .addColumn('type', 'text', (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('fieldName', 'text', (c) => c.notNull())
    .addColumn('fieldLabel', 'text', (c) => c.notNull())
    .addColumn('ticketUrl', 'text')
    .addColumn('active', 'integer', (c) => c.notNull())
    .execute();
  await index(db, 'integrations', ['projectId']);
  await inProject(db.schema.createTable('iterationOverrides'))
    .addColumn('number', 'integer', (c) => c.notNull())
    .addColumn('teamStrength', 'real', (c) => c.notNull())
    .addColumn('weeks', 'integer')
    .addPrimaryKeyConstraint('oneOverridePerIteration', ['projectId', 'number'])
    .execute();
}

async function stories(db: Tx, types: SqlTypes): Promise<void> {
  await inProject(types.withId(db.schema.createTable('stories')))
    .addColumn('inIcebox', 'integer', (c) => c.notNull())
    .addColumn('rank', types.bytewiseText, (c) => c.notNull())
    .addColumn('type', 'text', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('estimate', 'integer')
    .addColumn('description', 'text')
    .addColumn('requestedBy', 'text')
    .addColumn('requesterId', 'integer', (c) => c.references('users.id').onDelete('set null'))
    .addColumn('ownedBy', 'text')
    .addColumn('ownerId', 'integer', (c) => c.references('users.id').onDelete('set null'))
    .addColumn('createdAt', types.moment, (c) => c.notNull())
    .addColumn('updatedAt', types.moment, (c) => c.notNull())
    .addColumn('acceptedAt', types.moment)
    .addColumn('deadline', types.moment)
    .addColumn('integrationId', 'integer', (c) => c.references('integrations.id').onDelete('set null'))
    .addColumn('externalId', 'text')
    .addUniqueConstraint('onePlacePerStory', ['projectId', 'inIcebox', 'rank'])
    .execute();
  await inProject(types.withId(db.schema.createTable('labels')))
    .addColumn('name', 'text', (c) => c.notNull())
    .addUniqueConstraint('oneLabelPerName', ['projectId', 'name'])
    .execute();
  await inStory(db.schema.createTable('storyLabels'))
    .addColumn('labelId', 'integer', (c) => c.notNull().references('labels.id').onDelete('cascade'))
    .addColumn('position', 'integer', (c) => c.notNull())
    .addPrimaryKeyConstraint('oneLabelOnceAStory', ['storyId', 'labelId'])
    .execute();
  await index(db, 'storyLabels', ['projectId']);
  await index(db, 'storyLabels', ['labelId']);
}

async function storyParts(db: Tx, types: SqlTypes): Promise<void> {
  await inStory(types.withId(db.schema.createTable('notes')))
    .addColumn('text', 'text', (c) => c.notNull())
    .addColumn('author', 'text', (c) => c.notNull())
    .addColumn('authorId', 'integer', (c) => c.references('users.id').onDelete('set null'))
    .addColumn('notedAt', types.moment, (c) => c.notNull())
    .execute();
  await inStory(types.withId(db.schema.createTable('tasks')))
    .addColumn('description', 'text', (c) => c.notNull())
    .addColumn('position', 'integer', (c) => c.notNull())
    .addColumn('complete', 'integer', (c) => c.notNull())
    .addColumn('createdAt', types.moment, (c) => c.notNull())
    .execute();
  await inStory(types.withId(db.schema.createTable('attachments')))
    .addColumn('filename', 'text', (c) => c.notNull())
    .addColumn('description', 'text', (c) => c.notNull())
    .addColumn('size', types.moment, (c) => c.notNull())
    .addColumn('storedAs', 'text', (c) => c.notNull().unique())
    .addColumn('uploadedBy', 'text', (c) => c.notNull())
    .addColumn('uploaderId', 'integer', (c) => c.references('users.id').onDelete('set null'))
    .addColumn('uploadedAt', types.moment, (c) => c.notNull())
    .execute();
  for (const table of ['notes', 'tasks', 'attachments']) {
    await index(db, table, ['storyId']);
    await index(db, table, ['projectId']);
  }
}

async function history(db: Tx, types: SqlTypes): Promise<void> {
  await inProject(types.withId(db.schema.createTable('activities')))
    .addColumn('version', 'integer', (c) => c.notNull().unique())
    .addColumn('eventType', 'text', (c) => c.notNull())
    .addColumn('occurredAt', types.moment, (c) => c.notNull())
    .addColumn('author', 'text', (c) => c.notNull())
    .addColumn('authorId', 'integer', (c) => c.references('users.id').onDelete('set null'))
    .addColumn('description', 'text', (c) => c.notNull())
    .addColumn('stories', 'text', (c) => c.notNull())
    .execute();
  await index(db, 'activities', ['projectId', 'version']);
  await inStory(db.schema.createTable('sourceCommits'))
    .addColumn('commitId', 'text', (c) => c.notNull())
    .addColumn('noteId', 'integer', (c) => c.notNull())
    .addColumn('receivedAt', types.moment, (c) => c.notNull())
    .addPrimaryKeyConstraint('oneCommitOnceAStory', ['projectId', 'storyId', 'commitId'])
    .execute();
}

function inProject<T extends string, C extends string>(
  table: CreateTableBuilder<T, C>,
): CreateTableBuilder<T, C | 'projectId'> {
  return table.addColumn('projectId', 'integer', (c) => c.notNull().references('projects.id').onDelete('cascade'));
}

function inStory<T extends string, C extends string>(
  table: CreateTableBuilder<T, C>,
): CreateTableBuilder<T, C | 'projectId' | 'storyId'> {
  return inProject(table).addColumn('storyId', 'integer', (c) =>
    c.notNull().references('stories.id').onDelete('cascade'),
  );
}

async function index(db: Tx, table: string, columns: readonly string[]): Promise<void> {
  const name = `${table}By${columns.map((column) => column.charAt(0).toUpperCase() + column.slice(1)).join('')}`;
  await db.schema
    .createIndex(name)
    .on(table)
    .columns([...columns])
    .execute();
}

/** Of how many done iterations a project's velocity is the average. */
async function velocity(db: Tx): Promise<void> {
  await db.schema
    .alterTable('projects')
    .addColumn('averagedIterations', 'integer', (c) => c.notNull().defaultTo(3))
    .execute();
}

/** What is to be sent to others, in queues that keep its order, and where a project's activity goes. */
async function deliveries(db: Tx, types: SqlTypes): Promise<void> {
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

/** Failed sign-ins, which all processes count together, and what came from which file. */
async function operations(db: Tx, types: SqlTypes): Promise<void> {
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

/** Who wants to be told of stories by mail, and which replies have become comments. */
async function mail(db: Tx, types: SqlTypes): Promise<void> {
  for (const table of ['users', 'memberships']) {
    await db.schema
      .alterTable(table)
      .addColumn('assignedMail', 'integer', (c) => c.notNull().defaultTo(1))
      .execute();
  }
  await db.schema
    .createTable('mailReplies')
    .addColumn('projectId', 'integer', (c) => c.notNull().references('projects.id').onDelete('cascade'))
    .addColumn('storyId', 'integer', (c) => c.notNull().references('stories.id').onDelete('cascade'))
    .addColumn('userId', 'integer', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('messageHash', 'text', (c) => c.notNull())
    .addColumn('receivedAt', types.moment, (c) => c.notNull())
    .addPrimaryKeyConstraint('oneCommentPerReply', ['storyId', 'userId', 'messageHash'])
    .execute();
}

/** What hangs on a story or a project is found without reading what hangs on others, when one is removed. */
async function removal(db: Tx): Promise<void> {
  await db.schema.createIndex('sourceCommitsByStoryId').on('sourceCommits').columns(['storyId']).execute();
  await db.schema.createIndex('mailRepliesByProjectId').on('mailReplies').columns(['projectId']).execute();
}

/** What an administrator decided for the whole service, and what each user did within the last hour of what is counted by the hour. */
async function rules(db: Tx, types: SqlTypes): Promise<void> {
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

/** Finds the failed sign-ins that are over, with each attempt, however many there are. */
async function attempts(db: Tx): Promise<void> {
  await db.schema.createIndex('signInFailuresByLast').on('signInFailures').columns(['last']).execute();
}

/** What imports have read and nobody sees yet. Without references, so that leftovers are removed some at a time. */
async function staging(db: Tx, types: SqlTypes): Promise<void> {
  await db.schema
    .createTable('imports')
    .addColumn('id', 'integer', (c) => c.primaryKey())
    .addColumn('userId', 'integer')
    .addColumn('projectId', 'integer')
    .addColumn('owner', 'text', (c) => c.notNull())
    .addColumn('startedAt', types.moment, (c) => c.notNull())
    .addColumn('touchedAt', types.moment, (c) => c.notNull())
    .addColumn('part', 'real', (c) => c.notNull())
    .addColumn('stories', 'integer', (c) => c.notNull())
    .addColumn('addedUsers', 'text', (c) => c.notNull())
    .execute();
  await db.schema
    .createTable('stagedStories')
    .addColumn('importId', 'integer', (c) => c.notNull())
    .addColumn('place', 'integer', (c) => c.notNull())
    .addColumn('externalId', 'text', (c) => c.notNull())
    .addColumn('storyId', 'integer')
    .addColumn('before', 'integer')
    .addColumn('inIcebox', 'integer', (c) => c.notNull())
    .addColumn('isGone', 'integer', (c) => c.notNull())
    .addColumn('payload', 'text')
    .addPrimaryKeyConstraint('onePlaceAnImport', ['importId', 'place'])
    .addUniqueConstraint('oneExternalIdAnImport', ['importId', 'externalId'])
    .execute();
}

/** Links by which people set a password, and who is signed in to the pages of the service. */
async function accounts(db: Tx, types: SqlTypes): Promise<void> {
  await db.schema.alterTable('users').addColumn('passwordSetAt', types.moment).execute();
  await types
    .withId(db.schema.createTable('invitations'))
    .addColumn('userId', 'integer', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('projectId', 'integer', (c) => c.references('projects.id').onDelete('set null'))
    .addColumn('invitedBy', 'text')
    .addColumn('handedToId', 'integer', (c) => c.references('users.id').onDelete('cascade'))
    .addColumn('hash', 'text', (c) => c.notNull().unique())
    .addColumn('createdAt', types.moment, (c) => c.notNull())
    .addColumn('expiresAt', types.moment, (c) => c.notNull())
    .execute();
  for (const column of ['userId', 'projectId', 'handedToId', 'expiresAt']) await index(db, 'invitations', [column]);
  await types
    .withId(db.schema.createTable('sessions'))
    .addColumn('userId', 'integer', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('hash', 'text', (c) => c.notNull().unique())
    .addColumn('userAgent', 'text', (c) => c.notNull())
    .addColumn('createdAt', types.moment, (c) => c.notNull())
    .addColumn('lastUsedAt', types.moment, (c) => c.notNull())
    .addColumn('expiresAt', types.moment, (c) => c.notNull())
    .execute();
  for (const column of ['userId', 'expiresAt']) await index(db, 'sessions', [column]);
}

/** Finds the few stories that have another ID here than in the file they came from. */
async function renumbered(db: Tx): Promise<void> {
  const isOther = sql`"externalId" <> cast("storyId" as text)`;
  await sql`create index "renumberedStories" on "importedStories" ("projectId", "externalId") where ${isOther}`.execute(
    db,
  );
}

/** What people call the tokens that they made. */
async function tokenNames(db: Tx): Promise<void> {
  await db.schema.alterTable('tokens').addColumn('name', 'text').execute();
}

/** What tokens allow: those from before may do all that their users may. */
async function tokenScopes(db: Tx): Promise<void> {
  await db.schema
    .alterTable('tokens')
    .addColumn('scope', 'text', (c) => c.notNull().defaultTo('write'))
    .execute();
}
