import { hashPassword, SHORTEST_PASSWORD } from '../auth/password.ts';
import { refuseLongLogin, userOfLogin } from '../auth/passwordSignIn.ts';
import { beginSession, type Session } from '../auth/sessions.ts';
import { askerOf, type Exchange } from '../call/exchange.ts';
import type { Reply } from '../http/reply.ts';
import { dropInvitationsOf } from '../store/people/invitations.ts';
import { dropSession, dropSessionsOf } from '../store/people/sessions.ts';
import { dropTokensOf } from '../store/people/tokens.ts';
import { holdUser, setPassword, type UserRow, userById } from '../store/people/users.ts';
import { troubleWithChoice } from './invitePage.ts';
import { keyField, readForm, readSession, requireFormKey, sessionCookie, userAgentOf } from './pageRequest.ts';
import { alertOf, emailField, goTo, knownEmailField, pageReply, passwordField, shown } from './pageShell.ts';

/** Where someone changes their password: who is not signed in says with the old one who they are. */
export async function showPassword(exchange: Exchange): Promise<Reply> {
  return passwordPage(await readSession(exchange));
}

const FIELDS = ['key', 'email', 'current', 'password', 'repeat', 'others', 'tokens'];

export async function takePassword(exchange: Exchange): Promise<Reply> {
  const session = await readSession(exchange);
  const form = await readForm(exchange, FIELDS);
  if (session) requireFormKey(form, session);
  const login = { username: session?.user.email ?? form('email'), password: form('current') };
  refuseLongLogin(login);
  const user = await userOfLogin(askerOf(exchange), login);
  const email = form('email').slice(0, 255);
  if (!user) return passwordPage(session, 'The email address or the current password is wrong.', email);
  const trouble = troubleWithChoice(form('password'), form('repeat'), user);
  if (trouble !== undefined) return passwordPage(session, trouble, email);
  const ended = { sessions: form('others') !== '', tokens: form('tokens') !== '' };
  const token = await changePassword(exchange, { user, session, password: form('password'), ended });
  if (token === undefined) return passwordPage(session, 'The password was changed in the meantime.', email);
  return goTo('account?done=password', sessionCookie(exchange, token));
}

interface PasswordChange {
  readonly user: UserRow;
  /** In which it is made, if in any. It goes on under another token. */
  readonly session: Session | undefined;
  readonly password: string;
  readonly ended: { readonly sessions: boolean; readonly tokens: boolean };
}

/** The token of a new session; undefined where the password is another one by now, or its user is gone. */
async function changePassword(exchange: Exchange, change: PasswordChange): Promise<string | undefined> {
  const { user, session, ended } = change;
  const password = await hashPassword(change.password);
  return exchange.service.database.write(async (tx) => {
    await holdUser(tx, user.id);
    if ((await userById(tx, user.id))?.password !== user.password) return undefined;
    await setPassword(tx, user.id, password, exchange.now);
    await dropInvitationsOf(tx, user.id);
    if (ended.sessions) await dropSessionsOf(tx, user.id);
    else if (session) await dropSession(tx, user.id, session.session.id);
    if (ended.tokens) await dropTokensOf(tx, user.id);
    return beginSession(tx, user.id, userAgentOf(exchange), exchange.now);
  });
}

function passwordPage(session: Session | undefined, trouble?: string, email = ''): Reply {
  const who = session
    ? `${keyField(session)}<p>Signed in as ${shown(session.user.name)}.</p>\n${knownEmailField(session.user.email)}`
    : emailField(email);
  const body = `${alertOf(trouble)}<form method="post">
${who}${passwordField('Current password', 'current', 'current-password')}${passwordField(`New password <small>at least ${SHORTEST_PASSWORD} characters</small>`, 'password', 'new-password')}${passwordField('Repeat new password', 'repeat', 'new-password')}<label class="tick"><input type="checkbox" name="others" checked> Sign out everywhere else</label>
<label class="tick"><input type="checkbox" name="tokens"> Revoke all API tokens <small>editors and programs must sign in again</small></label>
<p><button class="go">Change Password</button></p>
</form>
<p class="soft">Forgot your password? Ask an administrator for a link to set a new one.</p>
<p><a href="account">Account</a></p>`;
  return pageReply({ title: 'Change Password', body, status: trouble === undefined ? 200 : 422 });
}
