import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { MAX_LOGIN } from '../../core/limits.ts';
import { PasswordTurns, type Place } from './passwordTurns.ts';

const COST = 32_768;
const BLOCK = 8;
const KEY_BYTES = 32;
const MEMORY = 256 * COST * BLOCK;

/** A text from which the password cannot be read back; it carries its own salt and cost. Throws `RangeError` for one over `MAX_LOGIN`. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const key = await derive(password, salt, COST);
  return ['scrypt', COST, salt.toString('base64'), key.toString('base64')].join('$');
}

/** One key takes 32 MiB, and a thread that files and names of hosts wait for, too. */
export const passwordTurns = new PasswordTurns();

/**
 * Compares in the turn of a place, or before all others without one. Throws `RangeError` for a password over `MAX_LOGIN`, which whoever
 * takes it in has to refuse, and what the place throws.
 */
export async function passwordMatches(password: string, hashed: string, place?: Place): Promise<boolean> {
  const [scheme, cost, salt = '', key = ''] = hashed.split('$');
  if (scheme !== 'scrypt') return false;
  const expected = Buffer.from(key, 'base64');
  const actual = await derive(password, Buffer.from(salt, 'base64'), Number(cost), place);
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}

/** Normalising takes the square of the marks that follow one letter, hence the limit. */
async function derive(password: string, salt: Buffer, cost: number, place?: Place): Promise<Buffer> {
  if (password.length > MAX_LOGIN) throw new RangeError('This password is too long.');
  const work = () => keyOf(password.normalize('NFKC'), salt, cost);
  return place ? place.take(work) : passwordTurns.first(work);
}

function keyOf(password: string, salt: Buffer, cost: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const options = { N: cost, r: BLOCK, p: 1, maxmem: MEMORY };
    scrypt(password, salt, KEY_BYTES, options, (error, key) => (error ? reject(error) : resolve(key)));
  });
}
