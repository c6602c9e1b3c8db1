import { isPlainObject } from '../../host/shell/commands.ts';

/** What a program says besides the story, or after a row. */
export function programArguments(args: readonly unknown[]): Readonly<Record<string, unknown>> {
  return Object.assign({}, ...args.filter(isPlainObject));
}
