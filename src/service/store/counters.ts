import { sql } from 'kysely';
import type { Tx } from './database.ts';
import { knownQuery } from './queries.ts';

/** Of the activities that this transaction adds. */
interface Versions {
  /** Given before it, by whatever process, as far as is known. */
  readonly given: number;
  /** The last one that it takes. */
  taken: number | undefined;
}

const versionsOf = new WeakMap<Tx, Versions>();
/** So many versions are left out after those that are known to have been given: as many may have been given without our knowing it. */
export const VERSION_LEAP = 1_000_000;

/** Has a transaction take no version that was `given` already, though the database was set back to a state from before that. */
export function knowGiven(tx: Tx, given: number): Versions {
  const versions = { given, taken: undefined };
  versionsOf.set(tx, versions);
  return versions;
}

/**
 * The next activity version. One row for the whole service, locked until the transaction ends, so that versions become
 * visible in rising order whatever process writes them (protocol.md, Activity `version`).
 */
export async function nextActivityVersion(tx: Tx): Promise<number> {
  const versions = versionsOf.get(tx);
  const given = versions?.given ?? 0;
  const leap = given + VERSION_LEAP;
  const [row] = await nextVersions(tx, { first: given > 0 ? leap : 1, given, leap });
  if (row === undefined) throw new Error('The counter of activities gave no version.');
  if (versions) versions.taken = row.value;
  return row.value;
}

interface NextVersion {
  /** Where none was given in this store. */
  readonly first: number;
  readonly given: number;
  readonly leap: number;
}

const nextVersions = knownQuery((tx, { first, given, leap }: NextVersion) =>
  tx
    .insertInto('counters')
    .values({ name: 'activityVersion', value: first })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet({
        value: sql<number>`case when counters.value < ${given} then ${leap} else counters.value + 1 end`,
      }),
    )
    .returning('value'),
);

export async function counterValue(tx: Tx, name: string): Promise<number | undefined> {
  const row = await tx.selectFrom('counters').select('value').where('name', '=', name).executeTakeFirst();
  return row?.value;
}

/** Those that are there. */
export async function counterValues(tx: Tx, names: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const rows = await tx
    .selectFrom('counters')
    .selectAll()
    .where('name', 'in', [...names])
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
