import { messageOf } from '../../../core/errors.ts';

/**
 * Serialization failure, deadlock, a unique value that another process was quicker to write, and a row, such as a user's, that another
 * one removed after it was read.
 */
const LOST_RACES: readonly string[] = ['40001', '40P01', '23505', '23503'];
/**
 * Connection, resources, and an operator's or time limit's intervention; a lock not had; a server that only reads; a database that was
 * removed or emptied under a running service, as before a copy of it is put back, or that lets nobody in, or not this user.
 */
const UNAVAILABLE = /^(?:08...|53...|57...|55P03|55000|28000|28P01|25006|25P0[34]|3D000|42P01)$/;
const UNREACHABLE = [
  ...['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'ENOENT'],
  ...['ERR_STREAM_DESTROYED', 'ERR_STREAM_WRITE_AFTER_END'],
  ...['EHOSTUNREACH', 'ENETUNREACH', 'ENETDOWN', 'ENOTFOUND', 'EAI_AGAIN'],
];
/** Of the driver, which gives no codes to these. */
const DRIVER_SENTENCES =
  /^(?:Connection terminated|timeout expired|timeout exceeded when trying to connect|Client has encountered|Query read timeout)/;

const TOO_MANY_CONNECTIONS = '53300';

/** True when the server, or what it allows this user or database, has no room for one more connection. */
export function isCrowded(error: unknown): boolean {
  return codeOf(error) === TOO_MANY_CONNECTIONS;
}

/** True when the same work, begun anew, finds what the other one wrote. */
export function isLostRace(error: unknown): boolean {
  return LOST_RACES.includes(sqlState(error) ?? '');
}

/** True when PostgreSQL cannot be asked at the moment. */
export function isUnavailable(error: unknown): boolean {
  const code = codeOf(error) ?? '';
  return UNAVAILABLE.test(code) || UNREACHABLE.includes(code) || DRIVER_SENTENCES.test(messageOf(error));
}

/** PostgreSQL's five characters for what went wrong, where the error is one of PostgreSQL. */
export function sqlState(error: unknown): string | undefined {
  const code = codeOf(error);
  return code !== undefined && /^[0-9A-Z]{5}$/.test(code) ? code : undefined;
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
