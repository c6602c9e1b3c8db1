import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { messageOf } from '../../core/errors.ts';
import { defaultDataFolder } from '../ground/dataFolder.ts';
import { UsageError } from '../ground/errors.ts';

/** Throws `UsageError` for arguments that a command does not take, with the option that was likely meant. */
export function refuseWrongArguments(
  args: readonly string[],
  options: ParseArgsOptionsConfig,
  operands: readonly string[],
): void {
  const { tokens } = parseArgs({ args: [...args], options, strict: false, allowPositionals: true, tokens: true });
  for (const token of tokens) {
    if (token.kind === 'option' && !Object.hasOwn(options, token.name)) throw unknownOption(token.rawName, options);
  }
  const given = tokens.filter(({ kind }) => kind === 'positional').map((token) => args[token.index] ?? '');
  const surplus = given[operands.length];
  if (surplus !== undefined) throw new UsageError(`Unexpected argument "${surplus}".`);
  const missing = operands[given.length];
  if (missing !== undefined) throw new UsageError(`Missing ${missing}.`);
  try {
    parseArgs({ args: [...args], options, strict: true, allowPositionals: true });
  } catch (error) {
    throw new UsageError(messageOf(error));
  }
}

function unknownOption(typed: string, options: ParseArgsOptionsConfig): UsageError {
  const nearest = nearestName(typed.replace(/^-+/, ''), Object.keys(options));
  return new UsageError(`Unknown option ${typed}.${nearest === undefined ? '' : ` Did you mean --${nearest}?`}`);
}

/** The folder that `--data` names, else the user's own. An empty name would be the folder one happens to be in. */
export function readDataFolder(given: string | undefined): string {
  if (given?.trim() === '') throw new UsageError('--data must be a folder.');
  return given ?? defaultDataFolder();
}

/** The PostgreSQL database that `--database` names, if it is given. */
export function readDatabase(given: string | undefined): { readonly database?: string } {
  if (given === undefined) return {};
  if (!/^postgres(?:ql)?:\/\/./.test(given) || !URL.canParse(given)) {
    throw new UsageError('--database must be an address such as postgres://ada@db.example.org/tracker.');
  }
  return { database: given };
}

/** The name that a mistyped one most likely stands for, or undefined when none is near. */
export function nearestName(typed: string, names: readonly string[]): string | undefined {
  const wanted = typed.toLowerCase();
  const begun = names.filter((name) => wanted.length >= 2 && name.startsWith(wanted));
  if (begun.length === 1) return begun[0];
  const reach = Math.max(1, Math.floor(wanted.length / 3));
  const near = names
    .map((name) => ({ name, distance: editDistance(wanted, name.toLowerCase()) }))
    .filter(({ distance }) => distance <= reach)
    .sort((one, other) => one.distance - other.distance);
  return near[0]?.name;
}

/** In how many steps one text becomes the other: a letter put in, left out, replaced, or two neighbours swapped. */
function editDistance(from: string, to: string): number {
  let beforeLast: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const isSame = from[row - 1] === to[column - 1];
      const isSwap = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      const steps = [
        at(last, column) + 1,
        at(current, column - 1) + 1,
        at(last, column - 1) + (isSame ? 0 : 1),
        ...(isSwap ? [at(beforeLast, column - 2) + 1] : []),
      ];
      current.push(Math.min(...steps));
    }
    [beforeLast, last] = [last, current];
  }
  return at(last, to.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}
