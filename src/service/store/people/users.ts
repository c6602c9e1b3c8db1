import type { Insertable, Selectable } from 'kysely';
import { MAX_LINE } from '../../../core/limits.ts';
import { withoutControls } from '../../../core/text.ts';
import type { Tx } from '../database.ts';
import type { Schema } from '../schema.ts';

export type UserRow = Selectable<Schema['users']>;

interface NewUser {
  readonly name: string;
  readonly email: string;
  readonly initials?: string;
  readonly password?: string;
}

export async function addUser(tx: Tx, user: NewUser, now: number): Promise<UserRow> {
  return tx
    .insertInto('users')
    .values({
      name: user.name,
      email: normalEmail(user.email),
      initials: user.initials ?? initialsOf(user.name),
      password: user.password ?? null,
      createdAt: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function userByEmail(tx: Tx, email: string): Promise<UserRow | undefined> {
  return tx.selectFrom('users').selectAll().where('email', '=', normalEmail(email)).executeTakeFirst();
}

/** All of this name, in the order in which they were added. */
export async function usersCalled(tx: Tx, name: string): Promise<readonly Pick<UserRow, 'id' | 'email'>[]> {
  return tx.selectFrom('users').select(['id', 'email']).where('name', '=', name).orderBy('id').execute();
}

export async function allUsers(tx: Tx): Promise<UserRow[]> {
  return tx.selectFrom('users').selectAll().orderBy('id').execute();
}

/** `password` is as `hashPassword` writes it. */
export async function setPassword(tx: Tx, id: number, password: string, now: number): Promise<void> {
  await tx.updateTable('users').set({ password, passwordSetAt: now }).where('id', '=', id).execute();
}

/** Addresses of people who were taken in with stories, and of who works alone. */
const NOBODY = /[@.](?:invalid|localhost)$/;

/** Whether mail to an address reaches nobody. */
export function reachesNobody(email: string): boolean {
  return NOBODY.test(email);
}

/** Whether a user has never been given a way to sign in: neither a password nor a token. */
export async function cannotSignIn(tx: Tx, { id, password }: Pick<UserRow, 'id' | 'password'>): Promise<boolean> {
  if (password !== null) return false;
  return (
    (await tx.selectFrom('tokens').select('id').where('userId', '=', id).limit(1).executeTakeFirst()) === undefined
  );
}

/** Initials are those of the new name. */
export async function setName(tx: Tx, id: number, name: string): Promise<void> {
  await tx
    .updateTable('users')
    .set({ name, initials: initialsOf(name) })
    .where('id', '=', id)
    .execute();
}

/** What refers to the user keeps their name only. */
export async function deleteUser(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('users').where('id', '=', id).execute();
}

/**
 * Of two transactions of one user, the second waits here until the first has ended, and then sees what it did. Who locks projects as well
 * locks them before.
 */
export async function holdUser(tx: Tx, id: number): Promise<void> {
  await tx
    .updateTable('users')
    .set((column) => ({ initials: column.ref('initials') }))
    .where('id', '=', id)
    .execute();
}

export async function userById(tx: Tx, id: number): Promise<UserRow | undefined> {
  return tx.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Sign-in takes an address; a name will do where only one user has it. */
export async function userByLogin(tx: Tx, login: string): Promise<UserRow | undefined> {
  const byEmail = await userByEmail(tx, login);
  if (byEmail) return byEmail;
  const named = await tx.selectFrom('users').selectAll().where('name', '=', login).limit(2).execute();
  return named.length === 1 ? named[0] : undefined;
}

/** First letters of up to three words: `Ada Lovelace` is `AL`. */
function initialsOf(name: string): string {
  const words = name.split(/\s+/u).filter((word) => word !== '');
  return words
    .slice(0, 3)
    .map((word) => [...word][0]?.toLocaleUpperCase('en') ?? '')
    .join('');
}

/** Whether a text can be the address of a user. */
export function isAddress(email: string): boolean {
  return email.length <= MAX_LINE && /^[^\s@]+@[^\s@]+$/.test(email) && email === withoutControls(email);
}

/** Addresses that are one user's have the same. */
export function normalEmail(email: string): string {
  return email.trim().toLowerCase();
}

/** What a member has chosen (api-v3.md, Events: Assigned stories), in general and for one project. */
export interface MailPreferences {
  readonly everywhere: boolean;
  readonly project: boolean;
  readonly email: string;
}

/** Undefined for who is not a member. */
export async function mailPreferences(tx: Tx, projectId: number, userId: number): Promise<MailPreferences | undefined> {
  const row = await tx
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.userId')
    .select(['users.assignedMail as everywhere', 'memberships.assignedMail as project', 'users.email'])
    .where('memberships.projectId', '=', projectId)
    .where('memberships.userId', '=', userId)
    .executeTakeFirst();
  return row && { everywhere: row.everywhere === 1, project: row.project === 1, email: row.email };
}

/** For one project, or in general when none is named. */
export async function setAssignedMail(
  tx: Tx,
  userId: number,
  projectId: number | undefined,
  isWanted: boolean,
): Promise<void> {
  const assignedMail = isWanted ? 1 : 0;
  if (projectId === undefined) await tx.updateTable('users').set({ assignedMail }).where('id', '=', userId).execute();
  else
    await tx
      .updateTable('memberships')
      .set({ assignedMail })
      .where('userId', '=', userId)
      .where('projectId', '=', projectId)
      .execute();
}

/** Remembers a reply; false when it was there before: mail systems may deliver one twice. */
export async function rememberReply(tx: Tx, reply: Insertable<Schema['mailReplies']>): Promise<boolean> {
  const row = await tx
    .insertInto('mailReplies')
    .values(reply)
    .onConflict((conflict) => conflict.columns(['storyId', 'userId', 'messageHash']).doNothing())
    .returning('storyId')
    .executeTakeFirst();
  return row !== undefined;
}
