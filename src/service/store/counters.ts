import { sql } from 'kysely';
import type { Tx } from './database.ts';
import { knownQuery } from './queries.ts';
import type { TransactionEnd } from './transactionEnd.ts';

/** Of the activities that this transaction adds. */
interface Versions {
  /** Given before it, by whatever process, as far as is known. */
  readonly given: number;
  /** The last one that it takes. */
  taken: number | undefined;
  readonly end: TransactionEnd | undefined;
}

const versionsOf = new WeakMap<Tx, Versions>();
/** So many versions are left out after those that are known to have been given: as many may have been given without our knowing it. */
export const VERSION_LEAP = 1_000_000;

/**
 * Has a transaction take no version that was `given` already, though the database was set back to a state from before that, and take its
 * own with its `end`, where there is one.
 */
export function knowGiven(tx: Tx, given: number, end?: TransactionEnd): Versions {
  const versions = { given, taken: undefined, end };
  versionsOf.set(tx, versions);
  return versions;
}

/** With what a transaction takes its versions; undefined where it takes them at once, since it is the only one that writes. */
export function endOf(tx: Tx): TransactionEnd | undefined {
  return versionsOf.get(tx)?.end;
}

/**
 * The next activity version. One row for the whole service, locked until the transaction ends, so that versions become
 * visible in rising order whatever process writes them (protocol.md, Activity `version`).
 */
export async function nextActivityVersion(tx: Tx): Promise<number> {
  const [row] = await nextVersions(tx, versionRules(tx));
  if (row === undefined) throw new Error('The counter of activities gave no version.');
  noteTaken(tx, row.value);
  return row.value;
}

/** To be told of a version that a transaction took. */
export function noteTaken(tx: Tx, version: number): void {
  const versions = versionsOf.get(tx);
  if (versions) versions.taken = version;
}

/** What the next version depends on, besides the one before. */
export interface VersionRules {
  /** Where none was given in this store. */
  readonly first: number;
  readonly given: number;
  readonly leap: number;
}

export function versionRules(tx: Tx): VersionRules {
  const given = versionsOf.get(tx)?.given ?? 0;
  const leap = given + VERSION_LEAP;
  return { first: given > 0 ? leap : 1, given, leap };
}

const nextVersions = knownQuery(nextVersion);

/** The statement that takes a version, and with it the lock. */
export function nextVersion(tx: Pick<Tx, 'insertInto'>, { first, given, leap }: VersionRules) {
  return tx
    .insertInto('counters')
    .values({ name: 'activityVersion', value: first })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet({
        value: sql<number>`case when counters.value < ${given} then ${leap} else counters.value + 1 end`,
      }),
    )
    .returning('value');
}

export async function counterValue(tx: Tx, name: string): Promise<number | undefined> {
  const row = await tx.selectFrom('counters').select('value').where('name', '=', name).executeTakeFirst();
  return row?.value;
}

/** Counters that are about to be set: nobody else sets them before the transaction ends. Those that were not there are 0. */
export async function lockedCounters(tx: Tx, names: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const rows = await tx
    .insertInto('counters')
    .values(names.map((name) => ({ name, value: 0 })))
    .onConflict((conflict) => conflict.column('name').doUpdateSet(({ ref }) => ({ value: ref('counters.value') })))
    .returningAll()
    .execute();
  return new Map(rows.map(({ name, value }) => [name, value]));
}

/** Adds counters where they are not there. */
export async function setCounters(tx: Tx, values: ReadonlyMap<string, number>): Promise<void> {
  await tx
    .insertInto('counters')
    .values(Array.from(values, ([name, value]) => ({ name, value })))
    .onConflict((conflict) => conflict.column('name').doUpdateSet(({ ref }) => ({ value: ref('excluded.value') })))
    .execute();
}

export async function addCounter(tx: Tx, name: string, value: number): Promise<void> {
  await tx.insertInto('counters').values({ name, value }).execute();
}
