import { MAX_LOGIN } from '../../core/limits.ts';
import { tooMany, unprocessable } from '../ground/errors.ts';
import { networkOf } from '../http/clientAddress.ts';
import type { Database } from '../store/database.ts';
import { type Attempt, attemptSucceeded, countAttempts } from '../store/people/recentUses.ts';
import { normalEmail, type UserRow, userByLogin } from '../store/people/users.ts';
import { passwordMatches, passwordTurns } from './password.ts';

export interface Login {
  readonly username: string;
  readonly password: string;
}

/** Who tries to sign in, and with what on our side. */
export interface SignInAsker {
  readonly database: Database;
  readonly attempts: SignInAttempts;
  /** The IP address. */
  readonly sender: string;
  readonly isGone: () => boolean;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Throws `Refusal` 422 for a name or password too long to be worked on. */
export function refuseLongLogin({ username, password }: Login): void {
  if (username.length <= MAX_LOGIN && password.length <= MAX_LOGIN) return;
  throw unprocessable(`A username and a password can have at most ${MAX_LOGIN.toLocaleString('en')} characters each.`);
}

/**
 * The user of a name and password; undefined where they are wrong, in the same time whoever exists. Throttled by name and by sender, so that
 * neither one name nor one sender can be used for guessing. Takes its place before it is counted: who is told to come back has not tried
 * anything. Throws `Refusal` 429 and 503.
 */
export async function userOfLogin(asker: SignInAsker, { username, password }: Login): Promise<UserRow | undefined> {
  const { database, sender, isGone } = asker;
  const keys = [`name ${normalEmail(username)}`, fromSender(asker)];
  const place = passwordTurns.enter({ address: sender, isGone });
  try {
    await slowDown(asker, keys);
    const user = await database.read((tx) => userByLogin(tx, username));
    const matches = await passwordMatches(password, user?.password ?? NOBODY, place);
    if (!user || !matches) return undefined;
    await attemptSucceeded(database, keys);
    return user;
  } finally {
    place.leave();
  }
}

/** Counts an attempt that cannot be right. Throws `Refusal` 429 when its sender has to wait. */
export function countWrongAttempt(asker: SignInAsker): Promise<void> {
  return slowDown(asker, [fromSender(asker)]);
}

/** The same for links, which are counted apart: who guesses them holds up no sign-in. */
export function countWrongLink(asker: SignInAsker): Promise<void> {
  return slowDown(asker, [`link ${fromSender(asker)}`]);
}

function fromSender({ sender }: Pick<SignInAsker, 'sender'>): string {
  return `from ${networkOf(sender)}`;
}

/** Counts an attempt under every key. Throws `Refusal` 429 when one of them has to wait. */
async function slowDown({ attempts, now }: SignInAsker, keys: readonly string[]): Promise<void> {
  const wait = await attempts.count({ keys, now });
  if (wait > 0) throw tooMany('Too many attempts.', wait);
}

/** A well-formed hash that no password has, so that an unknown name takes as long as a known one. */
const NOBODY = `scrypt$32768$${Buffer.alloc(16).toString('base64')}$${Buffer.alloc(32).toString('base64')}`;

interface Waiting {
  readonly attempt: Attempt;
  readonly resolve: (wait: number) => void;
  readonly reject: (error: unknown) => void;
}

/** Attempts that one transaction counts. */
const MOST_AT_ONCE = 500;

/**
 * Counts attempts to sign in: those that come while others are counted are counted together, so that a thousand at once make a few
 * transactions. Whoever waits for the count has been counted when it comes.
 */
export class SignInAttempts {
  private readonly database: Database;
  private waiting: Waiting[] = [];
  private isCounting = false;

  constructor(database: Database) {
    this.database = database;
  }

  /** As `countAttempts` does for one. */
  count(attempt: Attempt): Promise<number> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ attempt, resolve, reject });
      if (!this.isCounting) void this.countAll();
    });
  }

  private async countAll(): Promise<void> {
    this.isCounting = true;
    while (this.waiting.length > 0) {
      const some = this.waiting.splice(0, MOST_AT_ONCE);
      try {
        const waits = await countAttempts(
          this.database,
          some.map(({ attempt }) => attempt),
        );
        for (const [index, { resolve }] of some.entries()) resolve(waits[index] ?? 0);
      } catch (error) {
        for (const { reject } of some) reject(error);
      }
    }
    this.isCounting = false;
  }
}
