import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { messageOf } from '../../core/errors.ts';
import { defaultDataFolder } from '../dataFolder.ts';
import { UsageError } from './usageError.ts';

/** Reads a command's options; anything that is not one of them is a `UsageError`. */
export function readOptions<T extends ParseArgsOptionsConfig>(args: readonly string[], options: T) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: false, strict: true }).values;
  } catch (error) {
    throw new UsageError(messageOf(error));
  }
}

/** The folder that `--data` names, else the user's own. An empty name would be the folder one happens to be in. */
export function readDataFolder(given: string | undefined): string {
  if (given?.trim() === '') throw new UsageError('--data has to name a folder.');
  return given ?? defaultDataFolder();
}

/** A whole number between two bounds, or a `UsageError` that names the option. */
export function readNumber(text: string, option: string, from: number, to: number): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < from || value > to) {
    throw new UsageError(`--${option} has to be a whole number from ${from} to ${to}.`);
  }
  return value;
}

/** The PostgreSQL database that `--database` names, if it is given. */
export function readDatabase(given: string | undefined): { readonly database?: string } {
  if (given === undefined) return {};
  if (!/^postgres(?:ql)?:\/\/./.test(given) || !URL.canParse(given)) {
    throw new UsageError('--database has to be an address such as postgres://ada@db.example.org/tracker.');
  }
  return { database: given };
}
