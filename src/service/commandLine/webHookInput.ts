import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { messageOf } from '../../core/errors.ts';
import { UsageError } from '../ground/usageError.ts';

const SHORTEST_SECRET = 16;
const LONGEST_SECRET = 500;

export const webHookOptions = {
  'web-hook-url-file': {
    type: 'string',
    value: 'FILE',
    help: 'read from a file where the activity is posted to; - is standard input. Other users of this machine can read what stands in a command, but not that',
  },
  'web-hook-secret-stdin': {
    type: 'boolean',
    default: false,
    help: 'read from standard input the secret with which posts to the web hook are signed; nothing there ends signing',
  },
} as const;

/** The address in a file, or on standard input when that is called `-`. */
export async function readWebHookUrlFile(path: string): Promise<string> {
  if (path === '-') return text(process.stdin);
  return readFile(path, 'utf8').catch((error: unknown) => {
    throw new UsageError(`${path} cannot be read: ${messageOf(error)}`);
  });
}

/** Whether an address holds more than where something is, such as a password. */
export function holdsSecrets(url: string): boolean {
  const { username, password, search } = new URL(url);
  return username !== '' || password !== '' || search !== '';
}

/** The secret on standard input; null when there is none. */
export async function readWebHookSecret(): Promise<string | null> {
  const secret = (await text(process.stdin)).replace(/\r?\n$/, '');
  if (secret === '') return null;
  if (secret.length < SHORTEST_SECRET || secret.length > LONGEST_SECRET) {
    throw new UsageError(
      `The secret on standard input must have from ${SHORTEST_SECRET} to ${LONGEST_SECRET} characters.`,
    );
  }
  return secret;
}
