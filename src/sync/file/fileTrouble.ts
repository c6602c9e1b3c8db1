import { NewerSchema } from './schema.ts';

const CORRUPT = 11;
const NOT_A_DATABASE = 26;
const SCHEMA_IS_ODD = 1;
/** Constraint, misuse, range: our own mistakes, not the file's. */
const OURS: ReadonlySet<number> = new Set([19, 21, 25]);

/** Whether the file is to blame, or what it lies on. */
export function isOfTheFile(thrown: unknown): boolean {
  const code = codeOf(thrown);
  return thrown instanceof NewerSchema || (code !== undefined && !OURS.has(code)) || isFileError(thrown);
}

/** Waiting does not help. */
export function isUnreadable(thrown: unknown): boolean {
  const code = codeOf(thrown);
  return thrown instanceof NewerSchema || code === CORRUPT || code === NOT_A_DATABASE || code === SCHEMA_IS_ODD;
}

/** SQLite's primary result code; none for errors that are not SQLite's. */
function codeOf(thrown: unknown): number | undefined {
  if (!(thrown instanceof Error) || !('errcode' in thrown) || typeof thrown.errcode !== 'number') return undefined;
  return thrown.errcode & 0xff;
}

function isFileError(thrown: unknown): boolean {
  return thrown instanceof Error && 'syscall' in thrown;
}
