import { text } from 'node:stream/consumers';
import { MAX_LOGIN } from '../../core/limits.ts';
import { hashPassword } from '../auth/password.ts';
import { UsageError } from '../ground/usageError.ts';

export const passwordOption = {
  'password-stdin': {
    type: 'boolean',
    default: false,
    help: 'read a password for signing in from standard input',
  },
} as const;

/** The password on standard input, as the store keeps it. */
export async function readPassword(): Promise<string> {
  const password = (await text(process.stdin)).replace(/\r?\n$/, '');
  if (password.length < 8) throw new UsageError('The password on standard input must have at least 8 characters.');
  if (password.length > MAX_LOGIN) {
    throw new UsageError(
      `The password on standard input must have at most ${MAX_LOGIN.toLocaleString('en')} characters.`,
    );
  }
  return hashPassword(password);
}
