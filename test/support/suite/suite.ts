/** One of the suites of `npm test`. */
export interface Suite {
  readonly name: 'unit' | 'service' | 'postgres' | 'vscode' | 'ui';
  /** Of its tests, below `test`. */
  readonly folder: 'unit' | 'service' | 'vscode' | 'ui';
  /** Milliseconds after which it hangs, also on a machine that is busy with other things: it is ended and counted as failed. */
  readonly limit: number;
  /** Whether it has a PostgreSQL server to keep data in. */
  readonly hasPostgres?: true;
  /** The test files that are run; all of the folder when nothing is said. */
  readonly files?: readonly string[];
  /** How many of its files run at a time, each in a process of its own; one when nothing is said. */
  readonly jobs?: number;
  /** Test files of the folder that are no part of it. */
  readonly ignored?: readonly string[];
}

const minutes = 60_000;

/** Tests of what windows and Git do when they are killed: the database behind the service has no part in it. */
const OF_CLIENTS = ['test/service/commitKills.test.ts', 'test/service/outboxKills.test.ts'];

/** Tests of what is done before the database is asked. */
const BEFORE_DATABASE = ['guard', 'heldGreetings', 'longBodies', 'loopback', 'multipart', 'tinyPieces'].map(
  (name) => `test/service/${name}.test.ts`,
);

export const suites: readonly Suite[] = [
  { name: 'unit', folder: 'unit', limit: 45 * minutes },
  { name: 'service', folder: 'service', limit: 45 * minutes },
  {
    name: 'postgres',
    folder: 'service',
    limit: 45 * minutes,
    hasPostgres: true,
    ignored: [...OF_CLIENTS, ...BEFORE_DATABASE],
  },
  { name: 'vscode', folder: 'vscode', limit: 60 * minutes },
  { name: 'ui', folder: 'ui', limit: 40 * minutes, jobs: 2 },
];
