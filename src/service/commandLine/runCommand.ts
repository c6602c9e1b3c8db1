import { UsageError } from '../ground/errors.ts';
import type { Command } from './command.ts';
import { commands } from './commands.ts';
import { asksForHelp, helpOfCommand, helpOfCommands } from './helpText.ts';
import { nearestName } from './options.ts';

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
  if (first === '') return new UsageError(`The command is missing. It is one of: ${names.join(', ')}.`);
  const words = [...new Set(names.map((name) => name.split(' ')[0] ?? ''))];
  const nearest = nearestName(typed, names) ?? nearestName(first, words);
  return new UsageError(`There is no command ${typed}.${nearest === undefined ? '' : ` Did you mean ${nearest}?`}`);
}
