import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { MAX_LOGIN } from '../../core/limits.ts';
import { Refusal } from '../ground/errors.ts';
import { networkOf, wideNetworkOf } from '../http/clientAddress.ts';
import { CallerGone } from '../http/reply.ts';

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

/** Characters that a password has at least, whichever way it is set. */
export const SHORTEST_PASSWORD = 10;

/** Those of ten characters and more that are guessed first; in lower case. */
const COMMON = new Set([
  ...['password12', 'password123', 'password1234', 'password12345', 'password123456', 'password1!', 'passwordpassword'],
  ...[
    'passw0rd123',
    'p@ssw0rd123',
    'p@ssword123',
    'mypassword',
    'mypassword1',
    'changeme123',
    'changemenow',
    'letmein123',
  ],
  ...[
    'letmein1234',
    'welcome123',
    'welcome1234',
    'welcome12345',
    'administrator',
    'admin12345',
    'admin123456',
    'adminadmin',
  ],
  ...[
    'qwertyuiop',
    'qwertyuiop123',
    'qwerty1234',
    'qwerty12345',
    'qwerty123456',
    'qwertyqwerty',
    'qwertzuiop',
    'azertyuiop',
  ],
  ...[
    'asdfghjkl1',
    'asdfghjkl123',
    'asdfasdfasdf',
    'zxcvbnm123',
    '1q2w3e4r5t',
    '1q2w3e4r5t6y',
    '1qaz2wsx3edc',
    'q1w2e3r4t5',
  ],
  ...[
    '1234567890',
    '12345678910',
    '123456789a',
    '0123456789',
    '9876543210',
    '0987654321',
    '1234512345',
    '123123123123',
  ],
  ...[
    'abcdefghij',
    'abcdefghijk',
    'abc1234567',
    'abcd123456',
    'abc123abc123',
    'iloveyou12',
    'iloveyou123',
    'iloveyou1234',
  ],
  ...['football123', 'baseball123', 'sunshine123', 'princess123', 'superman123', 'starwars123', 'trustno1trustno1'],
  ...['storytracker', 'story-tracker', 'story tracker', 'storytracker1', 'storytracker123', 'secret1234'],
]);

/** What a password must not be, as it would be guessed first. */
interface Owner {
  readonly email: string;
  readonly name: string;
}

/** Why a password cannot be taken, in a sentence; undefined when it can. Looks at no more than the longest that can be taken. */
export function troubleWithPassword(password: string, { email, name }: Owner): string | undefined {
  if (password.length > MAX_LOGIN) {
    return `A password can have at most ${MAX_LOGIN.toLocaleString('en')} characters.`;
  }
  if ([...password].length < SHORTEST_PASSWORD) return `Use at least ${SHORTEST_PASSWORD} characters for the password.`;
  const plain = password.trim().toLowerCase();
  if (COMMON.has(plain) || new Set(plain).size < 3) return 'This password is too easy to guess. Choose another one.';
  if ([email, email.split('@')[0] ?? '', name].some((own) => own.toLowerCase() === plain)) {
    return 'Choose a password other than your name or address.';
  }
  return undefined;
}

/** Who has a password compared. */
interface Asker {
  /** IP address. */
  readonly address: string;
  /** Whether nobody is left to take the answer. */
  readonly isGone: () => boolean;
}

interface Waiting {
  readonly isGone: () => boolean;
  readonly begin: () => void;
  readonly cut: () => void;
}

/** The place of one who asks, from before the attempt is counted until it is answered. */
interface Place {
  /** Does the work when its turn comes. Throws `CallerGone` instead, when the caller has gone by then, and what the work throws. */
  readonly take: <T>(work: () => Promise<T>) => Promise<T>;
  readonly leave: () => void;
}

/** Places of one sender: as many as may fail before any of its attempts has to wait. */
const MOST_OF_SENDER = 5;

/**
 * Turns at deriving keys from passwords, of which one is derived at a time. Those of the service itself come first. Others are taken
 * network by network, and in each sender by sender: who asks once waits for one of each that wait already, however many others ask.
 */
class PasswordTurns {
  private readonly own: Waiting[] = [];
  private readonly networks = new Map<string, Map<string, Waiting[]>>();
  private readonly places = new Map<string, Set<Asker>>();
  private isBusy = false;

  /** Does work of the service itself, before all others that wait. */
  first<T>(work: () => Promise<T>): Promise<T> {
    return this.take(work, (waiting) => this.own.push(waiting), stays);
  }

  /** Throws `Refusal` 503 where as many of the same sender wait as may. Those that have gone take no place from it. */
  enter(asker: Asker): Place {
    const sender = networkOf(asker.address);
    const places = this.places.get(sender) ?? new Set();
    for (const other of places) if (other.isGone()) places.delete(other);
    if (places.size >= MOST_OF_SENDER) throw crowded();
    this.places.set(sender, places.add(asker));
    return {
      take: (work) => this.take(work, (waiting) => this.lineOf(asker.address, sender).push(waiting), asker.isGone),
      leave: () => {
        places.delete(asker);
        if (places.size === 0 && this.places.get(sender) === places) this.places.delete(sender);
      },
    };
  }

  private async take<T>(work: () => Promise<T>, wait: (waiting: Waiting) => void, isGone: () => boolean): Promise<T> {
    if (this.isBusy) {
      await new Promise<void>((begin, reject) => {
        wait({ isGone, begin, cut: () => reject(new CallerGone()) });
      });
    }
    this.isBusy = true;
    try {
      return await work();
    } finally {
      const next = this.own.shift() ?? this.nextOfOthers();
      if (next) next.begin();
      else this.isBusy = false;
    }
  }

  private lineOf(address: string, sender: string): Waiting[] {
    const network = wideNetworkOf(address);
    const senders = this.networks.get(network) ?? new Map<string, Waiting[]>();
    const line = senders.get(sender) ?? [];
    this.networks.set(network, senders.set(sender, line));
    return line;
  }

  private nextOfOthers(): Waiting | undefined {
    for (const [network, senders] of this.networks) {
      const next = nextOf(senders);
      this.networks.delete(network);
      if (senders.size > 0) this.networks.set(network, senders);
      if (next) return next;
    }
    return undefined;
  }
}

/** One key takes 32 MiB, and a thread that files and names of hosts wait for, too. */
export const passwordTurns = new PasswordTurns();

/** The first of the sender whose turn it is. Those who have gone are cut out. */
function nextOf(senders: Map<string, Waiting[]>): Waiting | undefined {
  for (const [sender, line] of senders) {
    senders.delete(sender);
    for (let next = line.shift(); next; next = line.shift()) {
      if (next.isGone()) {
        next.cut();
        continue;
      }
      if (line.length > 0) senders.set(sender, line);
      return next;
    }
  }
  return undefined;
}

function stays(): boolean {
  return false;
}

function crowded(): Refusal {
  const sentence = 'Too many sign-ins from your network are waiting. This one was not tried. Try again in a moment.';
  return new Refusal(503, sentence, { 'Retry-After': '2' });
}
