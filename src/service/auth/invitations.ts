import type { Tx } from '../store/database.ts';
import {
  addInvitation,
  dropInvitationsBefore,
  dropInvitationsOf,
  type InvitationRow,
  invitationByHash,
} from '../store/people/invitations.ts';
import { dropSessionsOf } from '../store/people/sessions.ts';
import { newToken, tokenHash } from '../store/people/tokens.ts';
import { holdUser, setName, setPassword, type UserRow, userById } from '../store/people/users.ts';
import { isInProjectsOfOthers } from '../store/projects/memberships.ts';
import { lockProject, projectsOfUser } from '../store/projects/projects.ts';
import { nameOnStories } from '../store/stories/storyRows.ts';

/** Milliseconds for which a link is good. */
const LASTS = 24 * 60 * 60 * 1000;
const TOKEN = /^[\w-]{40}$/;

interface WantedInvitation {
  readonly userId: number;
  readonly projectId: number | null;
  /** Name of who invites; null for an administrator. */
  readonly invitedBy: string | null;
  /** The owner who is given the link to pass it on, if one is. */
  readonly handedToId: number | null;
}

/** A link that was just made; only the hash of its token stays. */
export interface MadeInvitation {
  readonly id: number;
  readonly token: string;
  readonly expiresAt: number;
}

/** Makes the one link by which a user sets their password. Those made before end. */
export async function makeInvitation(tx: Tx, wanted: WantedInvitation, now: number): Promise<MadeInvitation> {
  await dropInvitationsBefore(tx, now);
  await dropInvitationsOf(tx, wanted.userId);
  const token = newToken();
  const expiresAt = now + LASTS;
  const id = await addInvitation(tx, { ...wanted, hash: tokenHash(token), createdAt: now, expiresAt });
  return { id, token, expiresAt };
}

/** Makes another link of an invitation, for an email to the invited person alone: what is queued and kept holds no token. */
export async function linkForMail(tx: Tx, invitation: InvitationRow, now: number): Promise<string> {
  const { id: _, ...row } = invitation;
  const token = newToken();
  await addInvitation(tx, { ...row, handedToId: null, hash: tokenHash(token), createdAt: now });
  return token;
}

/**
 * The invitation behind a link and whom it is for; undefined when it was made up, used or replaced, or is over. One that an owner has
 * opens nothing but that owner's own projects: it ends when its person joins others.
 */
export async function invitationBehind(
  tx: Tx,
  token: string,
  now: number,
): Promise<{ readonly invitation: InvitationRow; readonly user: UserRow } | undefined> {
  if (!TOKEN.test(token)) return undefined;
  const invitation = await invitationByHash(tx, tokenHash(token));
  if (!invitation || !isGoodAt(invitation, now)) return undefined;
  const user = await userById(tx, invitation.userId);
  if (!user) return undefined;
  const { handedToId } = invitation;
  if (handedToId !== null && (user.password !== null || (await isInProjectsOfOthers(tx, user.id, handedToId)))) {
    return undefined;
  }
  return { invitation, user };
}

/** A clock that was ahead when the link was made gives it no more time than it should have. */
export function isGoodAt({ createdAt, expiresAt }: InvitationRow, now: number): boolean {
  return now < expiresAt && createdAt <= now + LASTS;
}

/** Below the address of the service. */
export function invitationPath(token: string): string {
  return `/invite/${token}`;
}

/** What someone chooses who follows a link; an empty name leaves it as it is. */
interface Choice {
  /** As `hashPassword` writes it. */
  readonly password: string;
  readonly name: string;
}

/**
 * Sets the password of the person a link is for, and their name where they have none yet; it works once. Whoever was signed in to pages as
 * them no longer is. Undefined where the link is not good any more.
 */
export async function acceptInvitation(
  tx: Tx,
  token: string,
  { password, name }: Choice,
  now: number,
): Promise<UserRow | undefined> {
  const first = await invitationBehind(tx, token, now);
  if (!first) return undefined;
  if (isRenamed(first.user, name)) await lockProjectsOf(tx, first.user.id);
  await holdUser(tx, first.user.id);
  // Someone may have followed the link, or another one of the same person, at the same time.
  const found = await invitationBehind(tx, token, now);
  if (!found) return undefined;
  const { user } = found;
  if (isRenamed(user, name)) await renameUser(tx, user.id, name);
  await setPassword(tx, user.id, password, now);
  await dropInvitationsOf(tx, user.id);
  await dropSessionsOf(tx, user.id);
  return user;
}

function isRenamed({ password, name: before }: UserRow, name: string): boolean {
  return password === null && name !== '' && name !== before;
}

/** They then count as changed. */
async function lockProjectsOf(tx: Tx, userId: number): Promise<void> {
  for (const { id } of await projectsOfUser(tx, userId)) await lockProject(tx, id);
}

/** Also on the stories that are theirs, whose projects are to be locked. */
export async function renameUser(tx: Tx, userId: number, name: string): Promise<void> {
  await setName(tx, userId, name);
  await nameOnStories(tx, userId, name);
}
