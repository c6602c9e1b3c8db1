import { UsageError } from '../ground/errors.ts';

/** A name or address to listen on. An empty one, as of a variable that is not set, would mean every network there is. */
export function readHostName(given: string, option: string): string {
  if (given.trim() === '')
    throw new UsageError(`--${option} must be a name or an address, such as 127.0.0.1 or 0.0.0.0.`);
  return given.trim();
}

/** A whole number between two bounds, or a `UsageError` that names the option. */
export function readNumber(text: string, option: string, from: number, to: number): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < from || value > to) {
    throw new UsageError(`--${option} must be a whole number from ${from} to ${to}.`);
  }
  return value;
}
