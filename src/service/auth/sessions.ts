import { createHmac, timingSafeEqual } from 'node:crypto';
import { visibleLine } from '../../core/text.ts';
import type { Tx } from '../store/database.ts';
import {
  addSession,
  dropOldSessions,
  dropSession,
  type SessionRow,
  sessionByHash,
  sessionsOf,
} from '../store/people/sessions.ts';
import { newToken, tokenHash } from '../store/people/tokens.ts';
import type { UserRow } from '../store/people/users.ts';

const HOUR = 60 * 60 * 1000;
/** Milliseconds after which one signs in again, however busy one was, and when one was not. */
const LASTS = 7 * 24 * HOUR;
const IDLE = 12 * HOUR;
/** Milliseconds to which it is known when a session was used. */
const PRECISION = 60_000;
const MAX_SESSIONS = 20;
const LONGEST_AGENT = 120;
const TOKEN = /^[\w-]{40}$/;

export interface Session {
  readonly session: SessionRow;
  readonly user: UserRow;
  /** What every form of this session comes with, and no other. */
  readonly formKey: string;
}

/** Signs a user in, in one browser, and gives the token for its cookie; only its hash stays. Of too many sessions the oldest end. */
export async function beginSession(tx: Tx, userId: number, userAgent: string, now: number): Promise<string> {
  await dropOldSessions(tx, now, now - IDLE);
  for (const { id } of (await sessionsOf(tx, userId)).slice(MAX_SESSIONS - 1)) await dropSession(tx, userId, id);
  const token = newToken();
  const agent = visibleLine(userAgent.slice(0, 4 * LONGEST_AGENT), LONGEST_AGENT);
  const times = { createdAt: now, lastUsedAt: now, expiresAt: now + LASTS };
  await addSession(tx, { userId, hash: tokenHash(token), userAgent: agent, ...times });
  return token;
}

/** Whose session a token is of, if it goes on. */
export async function sessionOf(tx: Tx, token: string, now: number): Promise<Session | undefined> {
  if (!TOKEN.test(token)) return undefined;
  const found = await sessionByHash(tx, tokenHash(token));
  if (!found || !goesOn(found.session, now)) return undefined;
  return { ...found, formKey: formKeyOf(token) };
}

/** A clock that was ahead for a while gives a session no more time than it should have. */
function goesOn({ createdAt, lastUsedAt, expiresAt }: SessionRow, now: number): boolean {
  return now < expiresAt && createdAt <= now + LASTS && now - lastUsedAt < IDLE;
}

/** Whether it is worth noting that a session is used. */
export function isToBeMarked({ lastUsedAt }: SessionRow, now: number): boolean {
  return Math.abs(now - lastUsedAt) >= PRECISION;
}

/** Follows from the token, which pages of other origins neither have nor can have sent with a form of theirs. */
function formKeyOf(token: string): string {
  return createHmac('sha256', token).update('form').digest('base64url');
}

export function isFormKey(given: string, { formKey }: Pick<Session, 'formKey'>): boolean {
  const [one, other] = [Buffer.from(given.slice(0, 100)), Buffer.from(formKey)];
  return one.length === other.length && timingSafeEqual(one, other);
}
