/**
 * Long runs against the service, on SQLite and on a PostgreSQL of its own: `npm run node -- scripts/attackService.ts
 * kills|imports|requests|hostile|day [--count N] [--seed N] [--database sqlite|postgres]`. `kills` kills it while many write and import
 * and it posts and mails, and looks after each kill at all that was answered (1,000 times on each database when nothing else is said);
 * `imports` kills imports, of requests with the service and of the command line (50 times on each); `requests` sends it what is not
 * right (100,000 on each); `hostile` fills every place that it reads with texts at and over their limits, in every way of sending
 * (10,000 on each; over TLS where the seed is odd), and watches how long others wait and how much memory it takes; `day` has 300 windows
 * follow 40 projects while 60 changes a second are made and a process and the database go away (600 seconds on each), and tells how long
 * each kind of request took. Ends with 1 when a claim does not hold; the seed is part of the titles.
 */
import { parseArgs } from 'node:util';
import { type Suite, suites } from '../test/support/suite/suite.ts';
import type { SuiteOutcome } from '../test/support/suite/suiteOutcome.ts';
import { runSuite, totalsLine } from '../test/support/suite/suiteRunner.ts';
import { exitOnSignals } from './vscode/endProcess.ts';

interface Attack {
  /** Begins the titles of its tests. */
  readonly title: string;
  readonly variable: string;
  readonly seedVariable: string;
  readonly count: string;
}

const attacks: ReadonlyMap<string, Attack> = new Map([
  [
    'kills',
    {
      title: 'A service that is killed',
      variable: 'SERVICE_KILLS',
      seedVariable: 'SERVICE_SEED',
      count: '1000',
    },
  ],
  [
    'imports',
    {
      title: 'An import that is killed',
      variable: 'IMPORT_KILLS',
      seedVariable: 'IMPORT_SEED',
      count: '50',
    },
  ],
  [
    'requests',
    {
      title: 'Requests that are not right',
      variable: 'FUZZ_REQUESTS',
      seedVariable: 'FUZZ_SEED',
      count: '100000',
    },
  ],
  [
    'hostile',
    {
      title: 'Hostile callers',
      variable: 'HOSTILE_REQUESTS',
      seedVariable: 'HOSTILE_SEED',
      count: '10000',
    },
  ],
  [
    'day',
    {
      title: 'A day of a company',
      variable: 'SERVICE_DAY',
      seedVariable: 'DAY_SEED',
      count: '600',
    },
  ],
]);
/** Milliseconds, instead of the limit of the short form. */
const LIMIT = 24 * 60 * 60 * 1000;
const suiteOf = new Map<string, Suite['name']>([
  ['sqlite', 'service'],
  ['postgres', 'postgres'],
]);

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { count: { type: 'string' }, seed: { type: 'string' }, database: { type: 'string' } },
});
const attack = attacks.get(positionals[0] ?? '');
const databases = values.database === undefined ? [...suiteOf.keys()] : [values.database];
if (attack === undefined || !databases.every((name) => suiteOf.has(name))) {
  process.stderr.write(
    'npm run node -- scripts/attackService.ts kills|imports|requests|hostile|day [--count N] [--seed N] [--database sqlite|postgres]\n',
  );
  process.exit(2);
}

exitOnSignals();
process.env[attack.variable] = values.count ?? attack.count;
if (values.seed !== undefined) process.env[attack.seedVariable] = values.seed;
const outcomes: SuiteOutcome[] = [];
for (const database of databases) {
  const suite = suites.find(({ name }) => name === suiteOf.get(database));
  if (suite !== undefined) outcomes.push(await runSuite({ ...suite, limit: LIMIT }, attack.title));
}
process.stdout.write(`\n${totalsLine(outcomes)}\n`);
process.exit(outcomes.some(({ failed }) => failed > 0) ? 1 : 0);
