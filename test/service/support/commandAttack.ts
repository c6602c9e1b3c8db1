/**
 * Runs commands of the service's command line with arguments that are not right, one after the other, and prints as JSON what was wrong
 * with what came of them: `commandAttack.ts SEED COUNT FOLDER`.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Readable } from 'node:stream';
import type { Command, CommandOption } from '../../../src/service/commandLine/command.ts';
import { commands, runCommand } from '../../../src/service/commandLine/runCommand.ts';
import { Seeded } from '../../support/measures/seeded.ts';
import { wrongNumber, wrongText } from './wrongValues.ts';

const [seed = '', count = '', folder = ''] = process.argv.slice(2);
const chance = new Seeded(Number(seed));
const data = join(folder, 'data');
/** Deep enough that no path which leads upwards leads out of the folder. */
const here = join(folder, 'a', 'b', 'c', 'd', 'e', 'f');
const TABLES = [
  'users',
  'tokens',
  'projects',
  'memberships',
  'invitations',
  'integrations',
  'iterationOverrides',
  'rules',
];
/** What people never read, and what says that something was not foreseen. */
const MISTAKES =
  /\bundefined\b|\bNaN\b|\[object |is not a function|Cannot read|ERR_[A-Z]|SQLITE_|\bE[A-Z]{3,}: |constraint|syntax error|\n\s+at /;
const CLASSES = ['TypeError', 'RangeError', 'ReferenceError', 'SyntaxError', 'AssertionError'];

/** Where things are, which most commands have to be told rightly. */
const PLACES = ['files', 'database'];
/** The one ends the process with its input, and the other says nothing of what is not right. */
const LEFT_OUT = ['embedded', 'help'];

mkdirSync(here, { recursive: true });
process.chdir(here);
writeFileSync('table.csv', 'Id,Title,Current State\n1,One,unstarted\n');
writeFileSync(
  'project.xml',
  '<project><id>5</id><name>Apollo</name><stories><story><id>9</id><name>A</name></story></stories></project>',
);
mkdirSync(join('files', '9'), { recursive: true });
writeFileSync(join('files', '9', 'a.txt'), 'a');

/** What is right, by what the help calls the value of an option or an operand. */
const RIGHT: Readonly<Record<string, readonly string[]>> = {
  ADDRESS: ['ada@example.org', 'bo@example.org', 'new@example.org'],
  NAME: ['Ada', 'Apollo', 'adding-people'],
  VALUE: ['anyone', 'users', 'administrators'],
  ID: ['1', '2', '3'],
  DIR: [data, 'other'],
  FOLDER: ['files', 'backup-1', 'backup-2', '.'],
  FILE: ['table.csv', 'project.xml', 'out.xml', 'out.csv', '.'],
  'NAME=VALUE': ['name=Apollo', 'point_scale=0,1', 'use_https=true', 'start_date=', 'web_hook_url=https://x.example/y'],
  'NAME=ADDRESS': ['Ada=ada@example.org', 'Bo=bo@example.org'],
  'Owner|Member|Viewer': ['Owner', 'Member', 'Viewer'],
  'true|false': ['true', 'false'],
  'on|off': ['on', 'off'],
  'xml|csv': ['xml', 'csv'],
  URL: ['https://tracker.example.org', 'http://x/y'],
  ELEMENT: ['jira_id', 'other_id'],
};

function valueFor(name: string): string {
  return chance.chance(3) ? text() : (chance.of(RIGHT[name] ?? []) ?? text());
}

/** No program can be given a NUL. */
function text(): string {
  const given = chance.chance(3) ? wrongNumber(chance) : wrongText(chance).slice(0, 20_000);
  return given.replaceAll('\0', '0').toWellFormed();
}

function optionArguments(name: string, { type, value = '' }: CommandOption): readonly string[] {
  if (type === 'boolean') return [`--${name}`];
  const given = PLACES.includes(name) ? text() : valueFor(value);
  return chance.chance(2) ? [`--${name}=${given}`] : [`--${name}`, given];
}

function argumentsFor({ name, options, operands = [] }: Command): readonly string[] {
  const chosen = Object.entries(options).filter(
    ([each, option]) =>
      !LEFT_OUT.includes(each) &&
      (option.isNeeded ? !chance.chance(10) : chance.chance(PLACES.includes(each) ? 40 : 3)),
  );
  const named = chosen.filter(([each]) => each !== 'data').flatMap(([each, option]) => optionArguments(each, option));
  const place = Object.hasOwn(options, 'data') ? ['--data', chance.chance(12) ? text() : data] : [];
  const given = operands.flatMap((operand) => (chance.chance(12) ? [] : [valueFor(operand)]));
  const odd = chance.chance(15) ? [chance.of(['--', '-', '--help', '-x', '--no-such', text()]) ?? ''] : [];
  return [...name.split(' '), ...given, ...named, ...place, ...odd];
}

/** How many rows there are of what commands change. */
function counts(): string {
  const database = new DatabaseSync(join(data, 'story-tracker.db'), { readOnly: true, timeout: 5_000 });
  try {
    return TABLES.map((table) => database.prepare(`select count(*) as n from "${table}"`).get()?.n).join();
  } finally {
    database.close();
  }
}

/** What the command prints beside its answer goes nowhere. */
async function quietly<T>(work: () => Promise<T>): Promise<T> {
  const { stdout, stderr } = process;
  const [toOut, toErr] = [stdout.write, stderr.write];
  const swallow = ((_: unknown, ...rest: unknown[]) => {
    for (const each of rest) if (typeof each === 'function') queueMicrotask(() => each());
    return true;
  }) as typeof stdout.write;
  stdout.write = swallow;
  stderr.write = swallow;
  try {
    return await work();
  } finally {
    stdout.write = toOut;
    stderr.write = toErr;
  }
}

const wrongs: string[] = [];

async function attack(args: readonly string[]): Promise<void> {
  const input = chance.chance(2) ? 'nine green bottles' : text();
  Object.defineProperty(process, 'stdin', { configurable: true, get: () => Readable.from([input]) });
  const before = counts();
  const told = JSON.stringify(args).slice(0, 1_500);
  try {
    await quietly(() => runCommand(args));
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const isUnforeseen = !(error instanceof Error) || CLASSES.includes(error.constructor.name) || message.trim() === '';
    if (isUnforeseen || (MISTAKES.test(message) && !MISTAKES.test(told))) {
      wrongs.push(`${told}: ${error instanceof Error ? (error.stack ?? message) : message}`);
    }
    if (counts() !== before) wrongs.push(`${told}: refused, and something was changed: ${message}`);
  }
}

for (const args of [
  ['user', 'add', '--name', 'Ada', '--email', 'ada@example.org', '--data', data],
  ['user', 'add', '--name', 'Bo', '--email', 'bo@example.org', '--data', data],
  ['import', 'project.xml', '--owner', 'ada@example.org', '--data', data],
  ['import', 'table.csv', '--name', 'Table', '--owner', 'bo@example.org', '--data', data],
])
  await quietly(() => runCommand(args));
const tried = commands.filter(({ name }) => name !== 'serve');
for (let index = 0; index < Number(count); index += 1) {
  const command = tried[index % tried.length];
  if (command) await attack(argumentsFor(command));
}
process.stdout.write(JSON.stringify(wrongs), () => process.exit(0));
