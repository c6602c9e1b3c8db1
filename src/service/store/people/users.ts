import type { Selectable } from 'kysely';
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
export async function setPassword(tx: Tx, id: number, password: string): Promise<void> {
  await tx.updateTable('users').set({ password }).where('id', '=', id).execute();
}

/** What refers to the user keeps their name only. */
export async function deleteUser(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('users').where('id', '=', id).execute();
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

/** Addresses that are one user's have the same. */
export function normalEmail(email: string): string {
  return email.trim().toLowerCase();
}
