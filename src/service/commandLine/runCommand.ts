import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { nearestName } from '../../core/nearestName.ts';
import { UsageError } from '../ground/errors.ts';
import { backup, restoreCommand } from './backupCommand.ts';
import { type Command, command, jsonOption } from './command.ts';
import { deliveriesDiscard, deliveriesList, deliveriesRetry } from './deliveryCommands.ts';
import { filesCheck, filesPair } from './fileCommands.ts';
import { asksForHelp, helpOfCommand, helpOfCommands } from './helpText.ts';
import { invite } from './inviteCommand.ts';
import { projectIntegration, projectList, projectMember, projectRemove, ruleList, ruleSet } from './projectCommands.ts';
import { projectIteration, projectSet } from './projectSet.ts';
import { serve } from './serveCommand.ts';
import { exportCommand, importCommand } from './transferCommands.ts';
import {
  tokenCreate,
  tokenList,
  tokenRevoke,
  userAdd,
  userList,
  userMail,
  userPassword,
  userRemove,
} from './userCommands.ts';

const version = command({
  name: 'version',
  summary: 'print the version',
  about: 'Prints the version. The same as --version.',
  options: jsonOption,
  examples: ['', '--json'],
  run: async () => {
    const found = await versionAbove(process.argv[1] ?? '');
    return { text: `${found}\n`, data: { version: found, node: process.versions.node } };
  },
});

/** Every command, in the order in which help lists them. */
export const commands: readonly Command[] = [
  serve,
  invite,
  userAdd,
  userList,
  userPassword,
  userMail,
  userRemove,
  tokenCreate,
  tokenList,
  tokenRevoke,
  projectList,
  projectSet,
  projectIntegration,
  projectIteration,
  projectMember,
  projectRemove,
  ruleList,
  ruleSet,
  importCommand,
  exportCommand,
  backup,
  restoreCommand,
  filesCheck,
  filesPair,
  deliveriesList,
  deliveriesRetry,
  deliveriesDiscard,
  version,
];

/** Of the packages that this program comes in. */
const NAMES: readonly unknown[] = ['story-tracker', 'story-tracker-service'];

/** The version in the `package.json` that this program came with, above the script that runs; empty when it is not there. */
async function versionAbove(script: string): Promise<string> {
  for (let folder = dirname(script); ; folder = dirname(folder)) {
    const manifest: unknown = await readFile(join(folder, 'package.json'), 'utf8').then(JSON.parse, () => undefined);
    const found = versionIn(manifest);
    if (found !== undefined || folder === dirname(folder)) return found ?? '';
  }
}

function versionIn(manifest: unknown): string | undefined {
  if (typeof manifest !== 'object' || manifest === null) return undefined;
  if (!('name' in manifest) || !NAMES.includes(manifest.name) || !('version' in manifest)) return undefined;
  return String(manifest.version);
}

const asHelp = ['help', '--help', '-h'];

/** Runs the command that the arguments name and gives what it prints at its end. */
export async function runCommand(args: readonly string[]): Promise<string> {
  const [first = '', second = ''] = args;
  if (asHelp.includes(first)) return helpAfter(args.filter((arg) => !asHelp.includes(arg)));
  if (first === '--version') return runCommand(['version', ...args.slice(1)]);
  const found = commandNamed(`${first} ${second}`) ?? commandNamed(first);
  if (found) {
    const rest = args.slice(found.name.split(' ').length);
    return asksForHelp(rest) ? helpOfCommand(found) : found.run(rest);
  }
  const group = commands.filter(({ name }) => name.startsWith(`${first} `));
  if (group.length > 0 && (second === '' || asHelp.includes(second))) return helpOfCommands(group, first);
  throw unknownCommand(first, group.length > 0 ? `${first} ${second}` : first);
}

/** `help user add` means `user add --help`. */
async function helpAfter(names: readonly string[]): Promise<string> {
  return names.length === 0 ? helpOfCommands(commands) : runCommand([...names, '--help']);
}

function commandNamed(name: string): Command | undefined {
  return commands.find((command) => command.name === name);
}

function unknownCommand(first: string, typed: string): UsageError {
  const names = commands.map(({ name }) => name);
  if (first === '') return new UsageError(`Missing command. Use one of: ${names.join(', ')}.`);
  const words = [...new Set(names.map((name) => name.split(' ')[0] ?? ''))];
  const nearest = nearestName(typed, names) ?? nearestName(first, words);
  return new UsageError(`Unknown command ${typed}.${nearest === undefined ? '' : ` Did you mean ${nearest}?`}`);
}
