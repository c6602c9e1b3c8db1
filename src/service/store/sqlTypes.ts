import { type CreateTableBuilder, type Expression, sql } from 'kysely';

/** The words of a schema in which databases differ. */
export interface SqlTypes {
  /** Adds `id`, numbered by the database; numbers are never used twice. */
  withId<T extends string, C extends string>(table: CreateTableBuilder<T, C>): CreateTableBuilder<T, C | 'id'>;
  /** Column type of text that is compared byte by byte. */
  readonly bytewiseText: 'text' | Expression<string>;
  /** Column type of milliseconds since the epoch, and of other whole numbers that may be large. */
  readonly moment: 'integer' | 'bigint';
}

/** SQLite compares text bytewise by itself, and `autoincrement` keeps ids of deleted rows from coming back. */
export const sqliteTypes: SqlTypes = {
  withId: (table) => table.addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement()),
  bytewiseText: 'text',
  moment: 'integer',
};

/** PostgreSQL compares text by the rules of a language unless told not to. */
export const postgresTypes: SqlTypes = {
  withId: (table) => table.addColumn('id', 'integer', (column) => column.generatedByDefaultAsIdentity().primaryKey()),
  bytewiseText: sql`text collate "C"`,
  moment: 'bigint',
};
