import { MAX_LINE } from '../../core/limits.ts';
import { withoutControls } from '../../core/text.ts';
import { acceptInvitation, invitationBehind } from '../auth/invitations.ts';
import { hashPassword, SHORTEST_PASSWORD, troubleWithPassword } from '../auth/password.ts';
import { countWrongLink } from '../auth/passwordSignIn.ts';
import { beginSession } from '../auth/sessions.ts';
import { askerOf, type Exchange } from '../call/exchange.ts';
import { pageNotFound } from '../ground/errors.ts';
import { escaped } from '../http/html.ts';
import type { Reply } from '../http/reply.ts';
import type { Tx } from '../store/database.ts';
import type { UserRow } from '../store/people/users.ts';
import { projectById } from '../store/projects/projects.ts';
import { readForm, sessionCookie, userAgentOf } from './pageRequest.ts';
import { alertOf, goTo, knownEmailField, pageReply, passwordField, shown, shownMoment } from './pageShell.ts';

/** What a link shows of itself to who has it. */
interface Invited {
  readonly user: UserRow;
  readonly by: string | null;
  readonly project: string | undefined;
  readonly until: number;
}

/** Shows who invites to what. Looking uses nothing up: mail programs and chats open links too. Throws `Refusal` 404, 429. */
export async function showInvitation(exchange: Exchange, token: string): Promise<Reply> {
  return invitationPage(await invited(exchange, token));
}

/** Sets the password, signs the person in, and ends the link. */
export async function takeInvitation(exchange: Exchange, token: string): Promise<Reply> {
  const invitation = await invited(exchange, token);
  const form = await readForm(exchange, ['name', 'password', 'repeat']);
  const name = form('name').trim();
  const trouble = troubleWithName(name) ?? troubleWithChoice(form('password'), form('repeat'), invitation.user);
  if (trouble !== undefined) return invitationPage(invitation, { trouble, name: name.slice(0, MAX_LINE) });
  const { database } = exchange.service;
  const password = await hashPassword(form('password'));
  const session = await database.write(async (tx) => {
    const user = await acceptInvitation(tx, token, { password, name }, exchange.now);
    if (!user) throw overLink();
    return beginSession(tx, user.id, userAgentOf(exchange), exchange.now);
  });
  return goTo('../account?done=password', sessionCookie(exchange, session));
}

/** Why a new password, typed twice, cannot be taken. */
export function troubleWithChoice(password: string, repeat: string, user: UserRow): string | undefined {
  return troubleWithPassword(password, user) ?? (password === repeat ? undefined : 'The passwords do not match.');
}

function troubleWithName(name: string): string | undefined {
  if (name.length > MAX_LINE) return `A name can have at most ${MAX_LINE} characters.`;
  return name === withoutControls(name) && !/[\t\n]/.test(name) ? undefined : 'Use a name of one line.';
}

async function invited(exchange: Exchange, token: string): Promise<Invited> {
  const found = await exchange.service.database.read((tx) => invitedBy(tx, token, exchange.now));
  if (found) return found;
  await countWrongLink(askerOf(exchange));
  throw overLink();
}

function overLink(): Error {
  return pageNotFound('This invitation does not exist, was used already, or has ended. Ask for a new one.');
}

async function invitedBy(tx: Tx, token: string, now: number): Promise<Invited | undefined> {
  const found = await invitationBehind(tx, token, now);
  if (!found) return undefined;
  const { invitation, user } = found;
  const { projectId, invitedBy: by, expiresAt: until } = invitation;
  const project = projectId === null ? undefined : await projectById(tx, projectId);
  return { user, by, project: project?.name, until };
}

/** What was wrong with a form, and what it may keep of that. */
interface Refused {
  readonly trouble?: string;
  readonly name?: string;
}

function invitationPage({ user, by, project, until }: Invited, { trouble, name: typed }: Refused = {}): Reply {
  const isReset = user.password !== null;
  const whom = by === null ? 'An administrator' : shown(by);
  const what = project === undefined ? 'Story Tracker' : `<strong>${shown(project)}</strong>`;
  const sentence = isReset ? 'Choose a new password.' : `${whom} invited you to ${what}. Choose a password to join.`;
  const name = typed ?? (user.name === user.email ? '' : user.name);
  const body = `${alertOf(trouble)}<p>${sentence}</p>
<form method="post">
${knownEmailField(user.email)}${isReset ? '' : `<label>Name <small>shown on stories and comments</small><input name="name" autocomplete="name" maxlength="${MAX_LINE}" value="${escaped(name)}"></label>\n`}${passwordField(`Password <small>at least ${SHORTEST_PASSWORD} characters</small>`, 'password', 'new-password')}${passwordField('Repeat password', 'repeat', 'new-password')}<p><button class="go">${isReset ? 'Set Password' : 'Join'}</button></p>
</form>
<p class="soft">This link works once, until ${shownMoment(until)}.</p>`;
  return pageReply({ title: isReset ? 'Set Password' : 'Invitation', body, status: trouble === undefined ? 200 : 422 });
}
