/** What the service's bundle gets for `kysely`: without what other databases need. A name that is not here fails the build. */
export { expressionBuilder, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler, sql } from 'kysely';
