import { isFormKey, isToBeMarked, type Session, sessionOf } from '../auth/sessions.ts';
import { readParameters } from '../call/bodies.ts';
import type { Exchange } from '../call/exchange.ts';
import { forbidden } from '../ground/errors.ts';
import type { Tx } from '../store/database.ts';
import { markSessionUsed } from '../store/people/sessions.ts';

/** Bytes of a form: a few fields, each character written as long as one can be, and much besides. */
const FORM_LIMIT = 64 * 1024;

/** The fields of a form, of which nothing is kept but their texts. */
export type Form = (name: string) => string;

/** What a form sends; its query is not looked at. */
export function readForm(exchange: Exchange, names: readonly string[]): Promise<Form> {
  return readParameters(
    { ...exchange, query: new URLSearchParams() },
    (parameters) => {
      const texts = new Map(names.map((name) => [name, parameters.get(name) ?? '']));
      return (name: string) => texts.get(name) ?? '';
    },
    FORM_LIMIT,
  );
}

/** Over TLS no other service of the domain, and no page in the clear, can set a cookie of this name. */
function cookieName({ base }: Pick<Exchange, 'base'>): string {
  return isSecure(base) ? '__Host-story-tracker' : 'story-tracker';
}

function isSecure(base: string): boolean {
  return base.startsWith('https:');
}

/** Sets the cookie of a session, until the browser closes; ends it where there is no token. */
export function sessionCookie(exchange: Pick<Exchange, 'base'>, token: string | undefined): string {
  const name = cookieName(exchange);
  const end = token === undefined ? '; Max-Age=0' : '';
  return `${name}=${token ?? ''}; Path=/; HttpOnly; SameSite=Strict${isSecure(exchange.base) ? '; Secure' : ''}${end}`;
}

function sessionToken(exchange: Pick<Exchange, 'base' | 'request'>): string {
  const start = `${cookieName(exchange)}=`;
  const cookies = (exchange.request.headers.cookie ?? '').split(';').map((cookie) => cookie.trim());
  return cookies.find((cookie) => cookie.startsWith(start))?.slice(start.length) ?? '';
}

/** Who is signed in to the pages, if anyone is. */
export async function readSession(exchange: Exchange): Promise<Session | undefined> {
  const { database, background } = exchange.service;
  const session = await database.read((tx) => currentSession(tx, exchange));
  if (session && isToBeMarked(session.session, exchange.now)) {
    const { id } = session.session;
    background.run('session use', () => database.write((tx) => markSessionUsed(tx, id, exchange.now)));
  }
  return session;
}

/** The same inside the transaction of a change: a session may have ended since the request came. */
export async function currentSession(tx: Tx, exchange: Exchange): Promise<Session | undefined> {
  const token = sessionToken(exchange);
  return token === '' ? undefined : sessionOf(tx, token, exchange.now);
}

/** Throws `Refusal` 403 for a form that is not of this session's own pages. */
export function requireFormKey(form: Form, session: Session): void {
  if (!isFormKey(form('key'), session))
    throw forbidden('This form is out of date. Go back, reload the page and try again.');
}

export function keyField({ formKey }: Session): string {
  return `<input type="hidden" name="key" value="${formKey}">\n`;
}

export function userAgentOf({ request }: Pick<Exchange, 'request'>): string {
  return request.headers['user-agent'] ?? '';
}
