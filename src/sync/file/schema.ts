import type { DatabaseSync } from 'node:sqlite';

/**
 * Every step from one version of the file to the next, in order; a step that was released is never edited. Values are
 * core values as JSON. No token is ever in here.
 */
const migrations: readonly string[] = [
  `
  CREATE TABLE replica (epoch TEXT NOT NULL, revision INTEGER NOT NULL);
  INSERT INTO replica VALUES (lower(hex(randomblob(8))), 0);
  CREATE TABLE account (
    key INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    address TEXT NOT NULL,
    readAt INTEGER
  );
  CREATE TABLE project (
    account INTEGER NOT NULL REFERENCES account (key) ON DELETE CASCADE,
    id INTEGER NOT NULL,
    place INTEGER NOT NULL,
    value TEXT NOT NULL,
    UNIQUE (account, id)
  );
  CREATE TABLE backlog (
    account INTEGER NOT NULL REFERENCES account (key) ON DELETE CASCADE,
    id INTEGER NOT NULL,
    value TEXT NOT NULL,
    lists TEXT NOT NULL,
    listsRevision INTEGER NOT NULL,
    cursor TEXT,
    readAt INTEGER NOT NULL,
    wholeReadAt INTEGER NOT NULL,
    stamp INTEGER NOT NULL,
    UNIQUE (account, id)
  );
  CREATE TABLE story (
    account INTEGER NOT NULL,
    project INTEGER NOT NULL,
    id INTEGER NOT NULL,
    value TEXT NOT NULL,
    revision INTEGER NOT NULL,
    unsureAt INTEGER,
    UNIQUE (account, project, id),
    FOREIGN KEY (account, project) REFERENCES backlog (account, id) ON DELETE CASCADE
  );
  CREATE INDEX storyRevision ON story (account, project, revision);
  `,
  `
  CREATE TABLE lists (
    account INTEGER NOT NULL,
    project INTEGER NOT NULL,
    endsAt INTEGER,
    digest TEXT,
    value TEXT NOT NULL,
    places TEXT,
    UNIQUE (account, project),
    FOREIGN KEY (account, project) REFERENCES backlog (account, id) ON DELETE CASCADE
  );
  INSERT INTO lists (account, project, value, endsAt)
    SELECT account, id, lists, json_extract(lists, '$.iterations[0].finish.time') FROM backlog;
  ALTER TABLE backlog DROP COLUMN lists;
  CREATE INDEX storyUnsure ON story (account, project) WHERE unsureAt IS NOT NULL;
  ALTER TABLE backlog ADD COLUMN heardAt INTEGER;
  ALTER TABLE backlog ADD COLUMN stillSince INTEGER;
  CREATE TABLE activity (
    account INTEGER NOT NULL,
    project INTEGER NOT NULL,
    id INTEGER NOT NULL,
    version INTEGER NOT NULL,
    occurredAt INTEGER,
    value TEXT NOT NULL,
    isRead INTEGER NOT NULL,
    isFresh INTEGER NOT NULL,
    UNIQUE (account, project, id, version),
    FOREIGN KEY (account, project) REFERENCES backlog (account, id) ON DELETE CASCADE
  );
  CREATE INDEX activityTime ON activity (account, occurredAt);
  ALTER TABLE account ADD COLUMN ownName TEXT;
  CREATE TABLE trouble (
    account INTEGER NOT NULL REFERENCES account (key) ON DELETE CASCADE,
    project INTEGER NOT NULL,
    value TEXT NOT NULL,
    failures INTEGER NOT NULL,
    at INTEGER NOT NULL,
    UNIQUE (account, project)
  );
  CREATE TABLE lease (name TEXT PRIMARY KEY, owner TEXT NOT NULL, rank INTEGER NOT NULL, until INTEGER NOT NULL);
  CREATE TABLE outbox (
    place INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    batch TEXT NOT NULL,
    accountId TEXT NOT NULL,
    address TEXT NOT NULL,
    project INTEGER NOT NULL,
    intent TEXT NOT NULL,
    state TEXT NOT NULL,
    addedAt INTEGER NOT NULL,
    attempts INTEGER NOT NULL,
    nextAt INTEGER,
    sentAt INTEGER,
    before TEXT,
    problem TEXT
  );
  CREATE INDEX outboxProject ON outbox (accountId, address, project, place);
  CREATE TABLE linkedCommit (
    accountId TEXT NOT NULL,
    address TEXT NOT NULL,
    project INTEGER NOT NULL,
    story INTEGER NOT NULL,
    hash TEXT NOT NULL,
    at INTEGER NOT NULL,
    UNIQUE (accountId, address, project, story, hash)
  );
  CREATE TABLE activeStory (repository TEXT PRIMARY KEY, accountId TEXT NOT NULL, project INTEGER NOT NULL, story INTEGER NOT NULL);
  `,
  `
  CREATE TABLE seenRepository (repository TEXT PRIMARY KEY, firstAt INTEGER NOT NULL);
  CREATE TABLE seenTip (
    repository TEXT NOT NULL REFERENCES seenRepository (repository) ON DELETE CASCADE,
    ref TEXT NOT NULL,
    hash TEXT NOT NULL,
    at INTEGER NOT NULL,
    UNIQUE (repository, ref)
  );
  CREATE TABLE foundCommit (
    repository TEXT NOT NULL,
    hash TEXT NOT NULL,
    value TEXT NOT NULL,
    at INTEGER NOT NULL,
    process INTEGER,
    isSettled INTEGER NOT NULL,
    UNIQUE (repository, hash)
  );
  `,
  `
  CREATE TABLE readPosition (
    accountId TEXT NOT NULL,
    address TEXT NOT NULL,
    person TEXT NOT NULL,
    project INTEGER NOT NULL,
    version INTEGER NOT NULL,
    UNIQUE (accountId, address, person, project)
  );
  `,
];

/** The file was written by a later version of the extension. */
export class NewerSchema extends Error {
  override readonly name = 'NewerSchema';
}

/** Brings the file up to date; several windows may do so at once. @throws NewerSchema */
export function migrate(database: DatabaseSync): void {
  if (versionOf(database) === migrations.length) return;
  database.exec('BEGIN IMMEDIATE');
  try {
    const from = versionOf(database);
    if (from > migrations.length) throw new NewerSchema(`the file has version ${from}`);
    for (const step of migrations.slice(from)) database.exec(step);
    database.exec(`PRAGMA user_version = ${migrations.length}`);
    database.exec('COMMIT');
  } catch (thrown) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw thrown;
  }
}

function versionOf(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA user_version').get()?.user_version);
}
