import { ownCopy } from '../../v3/ownedText.ts';
import { tokenElement } from '../../v3/token.ts';
import { countWrongAttempt, type Login, refuseLongLogin, userOfLogin } from '../auth/passwordSignIn.ts';
import { readParameters } from '../call/bodies.ts';
import { askerOf, type Exchange } from '../call/exchange.ts';
import { forbidden, type Refusal, unauthorized } from '../ground/errors.ts';
import { elementReply, type Reply } from '../http/reply.ts';
import { dropUnusedTokens, mintToken } from '../store/people/tokens.ts';
import { holdUser, userById } from '../store/people/users.ts';

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
  const user = await userOfLogin(askerOf(exchange), await loginOf(exchange));
  if (!user) throw refused(WRONG);
  const { database } = exchange.service;
  const guid = await database.write(async (tx) => {
    // Comparing passwords takes long enough for another to be set, or for the user to be removed.
    await holdUser(tx, user.id);
    if ((await userById(tx, user.id))?.password !== user.password) throw refused(WRONG);
    await dropUnusedTokens(tx, 'signIn', exchange.now - SIGN_IN_LASTS);
    return mintToken(tx, user.id, 'signIn', exchange.now);
  });
  return elementReply(tokenElement({ guid, id: user.id }));
}

/** The same for all, so that nobody finds out by trying who was invited. */
const WRONG =
  'Wrong username or password. If you were invited and have not set a password yet, open the link in your invitation.';
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
    refuseLongLogin(login);
    return login;
  } catch (error) {
    if (isAttempt(exchange)) await countWrongAttempt(askerOf(exchange));
    throw error;
  }
}

/** Whether a request brings something to sign in with; one without is how clients ask in which way they can. */
function isAttempt({ request: { headers } }: Exchange): boolean {
  const hasBody = Number(headers['content-length'] ?? 0) > 0 || headers['transfer-encoding'] !== undefined;
  return hasBody || headers.authorization !== undefined;
}

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
