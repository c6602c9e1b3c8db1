import { randomUUID } from 'node:crypto';
import { readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';

const FILE = 'story-tracker.db';
/** Milliseconds for which a statement waits while a service writes. */
const PATIENT = { timeout: 20_000 };
/** Of the PostgreSQL server that the suite runs on; on SQLite when there is none. */
const server = process.env.STORY_TRACKER_TEST_DATABASE;
const made = new Map<string, Promise<string>>();

const leaveOut = (_title: string, _tests: () => void): void => undefined;

/** Whether the suite runs on PostgreSQL. */
export const onPostgres = server !== undefined;

/** Tests of what only the database in the data folder has; they are no part of a run on PostgreSQL. */
export const describeOnSqlite = server === undefined ? describe : leaveOut;

/** The same for what only PostgreSQL has. */
export const describeOnPostgres = server === undefined ? leaveOut : describe;

/** What `--database` must name for this data folder: a database of its own, made when it is first asked for. */
export async function databaseOf(folder: string): Promise<{ readonly database?: string }> {
  if (server === undefined) return {};
  const database = made.get(folder) ?? newDatabase(server);
  made.set(folder, database);
  return { database: await database };
}

/** To be called when nothing uses it any more. */
export async function dropDatabaseOf(folder: string): Promise<void> {
  const database = await made.get(folder);
  if (server === undefined || database === undefined) return;
  made.delete(folder);
  await queryDatabase(server, `drop database ${new URL(database).pathname.slice(1)} with (force)`);
}

/** A new database takes the place of the one of a data folder, which nothing may use meanwhile; what comes back puts that in its place again. */
export async function setDatabaseAside(folder: string): Promise<() => Promise<void>> {
  const database = made.get(folder);
  if (database !== undefined) {
    made.delete(folder);
    return async () => {
      await dropDatabaseOf(folder);
      made.set(folder, database);
    };
  }
  const [file, aside] = [join(folder, FILE), join(folder, 'aside.db')];
  await rename(file, aside);
  return async () => {
    for (const name of await readdir(folder)) if (name.startsWith(FILE)) await rm(join(folder, name));
    await rename(aside, file);
  };
}

/** Runs a statement on the database of a data folder, as someone else than the service. */
export async function runOnDatabase(folder: string, statement: string): Promise<void> {
  const { database } = await databaseOf(folder);
  if (database !== undefined) return void (await queryDatabase(database, statement));
  const file = new DatabaseSync(join(folder, FILE), PATIENT);
  file.exec(statement);
  file.close();
}

/** What a query on the database of a data folder gives, as someone else than the service asks. */
export async function rowsOfDatabase(
  folder: string,
  query: string,
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const { database } = await databaseOf(folder);
  if (database !== undefined) return queryDatabase(database, query);
  const file = new DatabaseSync(join(folder, FILE), PATIENT);
  try {
    return file.prepare(query).all();
  } finally {
    file.close();
  }
}

/** All that the database of a data folder holds: its files as they are, or each table as text. */
export async function storedBytes(folder: string): Promise<readonly Buffer[]> {
  const { database } = await databaseOf(folder);
  if (database !== undefined) {
    const tables = await queryDatabase(database, TABLES);
    return tables.map(({ text }) => Buffer.from(String(text)));
  }
  const files = (await readdir(folder)).filter((name) => name.startsWith(FILE)).sort();
  return Promise.all(files.map((name) => readFile(join(folder, name))));
}

/** Copies the database of a data folder; what comes back puts the copy in its place again, under whatever service is running. */
export async function copyOfDatabase(folder: string): Promise<() => Promise<void>> {
  const { database } = await databaseOf(folder);
  if (database === undefined) {
    const [file, copy] = [join(folder, FILE), join(folder, `${randomUUID()}.copy`)];
    await copySqlite(file, copy);
    return () => copySqlite(copy, file);
  }
  const tables = (await queryDatabase(database, NAMES)).map(({ name }) => `"${name}"`);
  const each = (statement: (table: string) => string) => tables.map(statement).join(';');
  const copy = `copy_${randomUUID().replaceAll('-', '')}`;
  const made = each((table) => `create table ${copy}.${table} as table ${table}`);
  await queryDatabase(database, `begin; create schema ${copy}; ${made}; commit`);
  const back = each((table) => `delete from ${table}; insert into ${table} select * from ${copy}.${table}`);
  return async () => {
    await queryDatabase(database, `begin; set local session_replication_role = replica; ${back}; commit`);
  };
}

async function copySqlite(from: string, to: string): Promise<void> {
  const source = new DatabaseSync(from);
  await backup(source, to);
  source.close();
}

const NAMES = `select table_name as name from information_schema.tables where table_schema = 'public'`;

const TABLES = `select query_to_xml('select * from ' || quote_ident(table_name), true, false, '')::text as text
  from information_schema.tables where table_schema = 'public' order by table_name`;

/** Asks a database directly. */
export async function queryDatabase(
  address: string,
  text: string,
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const client = new Client({ connectionString: address });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

async function newDatabase(address: string): Promise<string> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await queryDatabase(address, `create database ${name}`);
  const url = new URL(address);
  url.pathname = name;
  return url.href;
}
