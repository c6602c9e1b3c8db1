import { MAX_LOGIN } from '../../core/limits.ts';
import { ownCopy } from '../../v3/ownedText.ts';
import { tokenElement } from '../../v3/token.ts';
import { passwordMatches, passwordTurns } from '../auth/password.ts';
import { readParameters } from '../call/bodies.ts';
import type { Exchange } from '../call/exchange.ts';
import { forbidden, Refusal, unauthorized, unprocessable } from '../ground/errors.ts';
import { networkOf } from '../http/clientAddress.ts';
import { elementReply, type Reply } from '../http/reply.ts';
import { attemptSucceeded } from '../store/people/recentUses.ts';
import { dropUnusedTokens, mintToken } from '../store/people/tokens.ts';
import { normalEmail, type UserRow, userById, userByLogin } from '../store/people/users.ts';

interface Login {
  readonly username: string;
  readonly password: string;
}

/** Bytes of a form to sign in with: name and password, each character written as long as one can be, and much besides. */
const FORM_LIMIT = 64 * 1024;
/** Milliseconds for which a token from signing in is good without being used: 90 days. */
const SIGN_IN_LASTS = 90 * 86_400_000;

/**
 * A token for name and password, which come in the header or the body, never in the query. A new one each time, since only
 * hashes of those made before are kept.
 */
export async function activeToken(exchange: Exchange): Promise<Reply> {
  if (!exchange.isPrivate) throw forbidden(IN_THE_CLEAR);
  const user = await signIn(exchange, await loginOf(exchange));
  const { database } = exchange.service;
  const guid = await database.write(async (tx) => {
    // Comparing passwords takes long enough for another to be set, or for the user to be removed.
    if ((await userById(tx, user.id))?.password !== user.password) throw refused(WRONG);
    await dropUnusedTokens(tx, 'signIn', exchange.now - SIGN_IN_LASTS);
    return mintToken(tx, user.id, 'signIn', exchange.now);
  });
  return elementReply(tokenElement({ guid, id: user.id }));
}

const WRONG = 'Wrong username or password.';
/** A password never crosses a network in the clear. */
const IN_THE_CLEAR = 'Signing in with a password only works over TLS or on this machine. Use a token.';

/**
 * Name and password in the header or the body. Whatever comes instead of them is an attempt all the same and is counted against its
 * sender, so that nothing of that kind can be sent without end. Throws `Refusal`.
 */
async function loginOf(exchange: Exchange): Promise<Login> {
  try {
    const login = basicLogin(exchange) ?? (await formLogin(exchange));
    if (!login) throw refused('Sign in with your email address and password.');
    if (login.username.length > MAX_LOGIN || login.password.length > MAX_LOGIN) {
      throw unprocessable(
        `A username and a password can have at most ${MAX_LOGIN.toLocaleString('en')} characters each.`,
      );
    }
    return login;
  } catch (error) {
    if (isAttempt(exchange)) await slowDown(exchange, [fromSender(exchange)]);
    throw error;
  }
}

/** Whether a request brings something to sign in with; one without is how clients ask in which way they can. */
function isAttempt({ request: { headers } }: Exchange): boolean {
  const hasBody = Number(headers['content-length'] ?? 0) > 0 || headers['transfer-encoding'] !== undefined;
  return hasBody || headers.authorization !== undefined;
}

/**
 * Throttled by name and by sender, so that neither one name nor one sender can be used for guessing. Takes its place before it is counted:
 * who is told to come back has not tried anything.
 */
async function signIn(exchange: Exchange, { username, password }: Login): Promise<UserRow> {
  const { service, sender, request } = exchange;
  const { database } = service;
  const keys = [`name ${normalEmail(username)}`, fromSender(exchange)];
  const place = passwordTurns.enter({ address: sender, isGone: () => request.socket.destroyed });
  try {
    await slowDown(exchange, keys);
    const user = await database.read((tx) => userByLogin(tx, username));
    const matches = await passwordMatches(password, user?.password ?? NOBODY, place);
    if (!user || !matches) throw refused(WRONG);
    await attemptSucceeded(database, keys);
    return user;
  } finally {
    place.leave();
  }
}

function fromSender({ sender }: Exchange): string {
  return `from ${networkOf(sender)}`;
}

/** Counts an attempt under every key. Throws `Refusal` 429 when one of them has to wait. */
async function slowDown({ service, now }: Exchange, keys: readonly string[]): Promise<void> {
  const wait = await service.attempts.count({ keys, now });
  if (wait > 0) throw new Refusal(429, `Too many attempts. Try again in ${wait} s.`, { 'Retry-After': String(wait) });
}

/** A well-formed hash that no password has, so that an unknown name takes as long as a known one. */
const NOBODY = `scrypt$32768$${Buffer.alloc(16).toString('base64')}$${Buffer.alloc(32).toString('base64')}`;

function basicLogin({ request }: Exchange): Login | undefined {
  const encoded = /^basic\s+([\w+/=-]+)$/i.exec(request.headers.authorization ?? '')?.[1];
  if (encoded === undefined) return undefined;
  const decoded = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = decoded.indexOf(':');
  return colon < 0 ? undefined : { username: decoded.slice(0, colon), password: decoded.slice(colon + 1) };
}

async function formLogin(exchange: Exchange): Promise<Login | undefined> {
  return readParameters({ ...exchange, query: new URLSearchParams() }, readLogin, FORM_LIMIT);
}

function readLogin(parameters: URLSearchParams): Login | undefined {
  const username = parameters.get('username');
  const password = parameters.get('password');
  return username && password ? { username: ownCopy(username), password: ownCopy(password) } : undefined;
}

function refused(sentence: string): Refusal {
  return unauthorized('Basic realm="Story Tracker", charset="UTF-8"', sentence);
}
