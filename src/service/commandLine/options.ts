import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { messageOf } from '../../core/errors.ts';
import { UsageError } from './usageError.ts';

/** Reads a command's options; anything that is not one of them is a `UsageError`. */
export function readOptions<T extends ParseArgsOptionsConfig>(args: readonly string[], options: T) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: false, strict: true }).values;
  } catch (error) {
    throw new UsageError(messageOf(error));
  }
}

/** A whole number between two bounds, or a `UsageError` that names the option. */
export function readNumber(text: string, option: string, from: number, to: number): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < from || value > to) {
    throw new UsageError(`--${option} has to be a whole number from ${from} to ${to}.`);
  }
  return value;
}
