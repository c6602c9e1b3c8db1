import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { isIntentKind } from '../../core/intents/intentRules.ts';
import { NewerSchema } from './schema.ts';

const CORRUPT = 11;
const NOT_A_DATABASE = 26;
const SCHEMA_IS_ODD = 1;
/** Constraint, misuse, range: our own mistakes, not the file's. */
const OURS: ReadonlySet<number> = new Set([19, 21, 25]);

/** Whether the file is to blame, or what it lies on. */
export function isOfTheFile(thrown: unknown): boolean {
  const code = codeOf(thrown);
  return thrown instanceof NewerSchema || (code !== undefined && !OURS.has(code)) || isFileError(thrown);
}

/** Waiting does not help. */
export function isUnreadable(thrown: unknown): boolean {
  const code = codeOf(thrown);
  return thrown instanceof NewerSchema || code === CORRUPT || code === NOT_A_DATABASE || code === SCHEMA_IS_ODD;
}

/** SQLite's primary result code; none for errors that are not SQLite's. */
function codeOf(thrown: unknown): number | undefined {
  if (!(thrown instanceof Error) || !('errcode' in thrown) || typeof thrown.errcode !== 'number') return undefined;
  return thrown.errcode & 0xff;
}

function isFileError(thrown: unknown): boolean {
  return thrown instanceof Error && 'syscall' in thrown;
}

type Row = Readonly<Record<string, SQLInputValue>>;
type Sqlite = Pick<typeof import('node:sqlite'), 'DatabaseSync'>;

/**
 * What of a file that is set aside nobody could read from a server again; and who sends, so that what was on its way when they
 * died is waited for, and not sent beside it.
 */
const TABLES = ['outbox', 'linkedCommit', 'activeStory', 'lease'] as const;

export type RescuedRows = ReadonlyMap<string, readonly Row[]>;

/** The rows that can still be read of a file that a later version wrote or that is damaged; as many as there are until the first that cannot. */
export function rescuedRows({ DatabaseSync }: Sqlite, path: string): RescuedRows {
  try {
    const database = new DatabaseSync(path, { readOnly: true });
    try {
      return new Map(TABLES.map((table) => [table, readableRows(database, table)]));
    } finally {
      database.close();
    }
  } catch {
    return new Map();
  }
}

export function readableRows(database: DatabaseSync, table: string): readonly Row[] {
  const rows: Row[] = [];
  try {
    const order = table === 'outbox' ? ' ORDER BY place' : '';
    for (const row of database.prepare(`SELECT * FROM ${table}${order}`).iterate()) rows.push({ ...row });
  } catch {
    // There is no such table, or this is where it is damaged.
  }
  return rows;
}

/** Puts rescued rows into a new file; tells how many entries of the outbox are among them. */
export function putRescued(database: DatabaseSync, rescued: RescuedRows): number {
  let entries = 0;
  for (const [table, rows] of rescued) {
    const columns = columnsOf(database, table);
    for (const row of rows.filter((one) => isTakenOver(table, one))) {
      const isPut = putRow(database, table, columns, { ...row, ...(row.state === 'sending' && { state: 'waiting' }) });
      if (isPut && table === 'outbox') entries++;
    }
  }
  return entries;
}

/** Of a table, but for the place of an entry, which is given anew. */
export function columnsOf(database: DatabaseSync, table: string): readonly string[] {
  const known = database.prepare('SELECT name FROM pragma_table_info(?)').all(table);
  return known.map(({ name }) => String(name)).filter((name) => name !== 'place');
}

export function putRow(database: DatabaseSync, table: string, columns: readonly string[], row: Row): boolean {
  const names = columns.filter((name) => row[name] !== undefined);
  const marks = names.map(() => '?').join(', ');
  try {
    const insert = database.prepare(`INSERT OR IGNORE INTO ${table} (${names.join(', ')}) VALUES (${marks})`);
    return Number(insert.run(...names.map((name) => row[name] ?? null)).changes) > 0;
  } catch (thrown) {
    if (isOfTheFile(thrown)) throw thrown;
    // A later version's row that lacks what this one needs.
    return false;
  }
}

function isTakenOver(table: string, row: Row): boolean {
  if (table === 'lease') return String(row.name).startsWith('outbox:');
  return table !== 'outbox' || isKnownIntent(row);
}

/** A later version may know other kinds, which stay in its file. */
function isKnownIntent({ intent }: Row): boolean {
  try {
    const { kind } = JSON.parse(String(intent)) as { readonly kind?: unknown };
    return isIntentKind(kind);
  } catch {
    return false;
  }
}
