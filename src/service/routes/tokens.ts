import { MAX_LINE } from '../../core/limits.ts';
import { tokenElement } from '../../v3/token.ts';
import { passwordMatches } from '../auth/password.ts';
import { readParameters } from '../http/bodies.ts';
import type { Exchange } from '../http/exchange.ts';
import { elementReply, type Reply } from '../http/reply.ts';
import { forbidden, Refusal, unauthorized } from '../refusal.ts';
import { attemptSucceeded, countAttempt } from '../store/signInFailures.ts';
import { dropUnusedTokens, mintToken } from '../store/tokens.ts';
import { normalEmail, type UserRow, userByLogin } from '../store/users.ts';

interface Login {
  readonly username: string;
  readonly password: string;
}

/** Milliseconds for which a token from signing in is good without being used: 90 days. */
const SIGN_IN_LASTS = 90 * 86_400_000;

/**
 * A token for name and password, which come in the header or the body, never in the query. A new one each time, since only
 * hashes of those made before are kept.
 */
export async function activeToken(exchange: Exchange): Promise<Reply> {
  if (!exchange.isPrivate) throw forbidden(IN_THE_CLEAR);
  const login = basicLogin(exchange) ?? formLogin(await readParameters({ ...exchange, query: new URLSearchParams() }));
  if (!login) throw refused('Sign in with your e-mail address and password.');
  const user = await signIn(exchange, login);
  const { database } = exchange.service;
  const guid = await database.write(async (tx) => {
    await dropUnusedTokens(tx, 'signIn', exchange.now - SIGN_IN_LASTS);
    return mintToken(tx, user.id, 'signIn', exchange.now);
  });
  return elementReply(tokenElement({ guid, id: user.id }));
}

const WRONG = 'The name or the password is wrong.';
/** A password never crosses a network in the clear. */
const IN_THE_CLEAR = 'Signing in with a password works over TLS or on this machine only. Use a token.';

/** Throttled by name and by sender, so that neither one name nor one sender can be used for guessing. */
async function signIn({ service, sender, now }: Exchange, { username, password }: Login): Promise<UserRow> {
  const { database } = service;
  if (username.length > MAX_LINE) throw refused(WRONG);
  const keys = [`name ${normalEmail(username)}`, `from ${sender}`];
  const wait = await countAttempt(database, keys, now);
  if (wait > 0) throw new Refusal(429, `Too many attempts. Try again in ${wait} s.`, { 'Retry-After': String(wait) });
  const user = await database.read((tx) => userByLogin(tx, username));
  const matches = await passwordMatches(password, user?.password ?? NOBODY);
  if (!user || !matches) throw refused(WRONG);
  await attemptSucceeded(database, keys);
  return user;
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

function formLogin(parameters: URLSearchParams): Login | undefined {
  const username = parameters.get('username');
  const password = parameters.get('password');
  return username && password ? { username, password } : undefined;
}

function refused(sentence: string): Refusal {
  return unauthorized('Basic realm="Story Tracker", charset="UTF-8"', sentence);
}
