import { visibleLine } from '../../core/text.ts';
import { refuseLongLogin, userOfLogin } from '../auth/passwordSignIn.ts';
import { changeProject } from '../auth/projectAccess.ts';
import { beginSession, type Session } from '../auth/sessions.ts';
import { askerOf, type Exchange } from '../call/exchange.ts';
import { badRequest, Refusal } from '../ground/errors.ts';
import { escaped } from '../http/html.ts';
import type { Reply } from '../http/reply.ts';
import type { Tx } from '../store/database.ts';
import { dropSession, dropSessionsOf, type SessionRow, sessionsOf } from '../store/people/sessions.ts';
import { dropTokensOf, LONGEST_TOKEN_NAME, mintToken, tokensOf } from '../store/people/tokens.ts';
import { holdUser, userById } from '../store/people/users.ts';
import { type OwnMembership, ownMemberships } from '../store/projects/memberships.ts';
import { leaveProject } from '../useCases/memberships.ts';
import {
  currentSession,
  type Form,
  keyField,
  readForm,
  readSession,
  requireFormKey,
  sessionCookie,
  userAgentOf,
} from './pageRequest.ts';
import {
  alertOf,
  emailField,
  goTo,
  type Page,
  pageReply,
  passwordField,
  shown,
  shownMoment,
  statusOf,
} from './pageShell.ts';

type TokenFacts = Awaited<ReturnType<typeof tokensOf>>[number];

/** What a person sees of their own account. */
interface Account {
  readonly session: Session;
  readonly sessions: readonly SessionRow[];
  readonly tokens: readonly TokenFacts[];
  readonly memberships: readonly OwnMembership[];
}

/** What the last action came to, on top of the page. */
interface Outcome {
  readonly done?: string | undefined;
  readonly trouble?: string | undefined;
  /** A token that was just made, which nobody will see again. */
  readonly token?: string;
}

async function readAccount(tx: Tx, session: Session): Promise<Account> {
  const { id } = session.user;
  return {
    session,
    sessions: await sessionsOf(tx, id),
    tokens: await tokensOf(tx, id),
    memberships: await ownMemberships(tx, id),
  };
}

/** Rows of a list that one page shows. */
const MOST_ROWS = 200;

function accountPage(account: Account, base: string, outcome: Outcome = {}): Reply {
  const { session } = account;
  const { name, email } = session.user;
  const body = `${statusOf(outcome.done)}${alertOf(outcome.trouble)}<form method="post">
${keyField(session)}<p>Signed in as <strong>${shown(name)}</strong>, ${shown(email)}. <a href="password">Change password</a></p>
<p>${button('signOut', 'Sign Out')}</p>
<h2>VS Code</h2>
<p>Open Story Tracker, choose <em>Sign In to a Server…</em>, and enter this address: <code id="address">${escaped(base)}</code></p>
${tokensPart(account, outcome.token)}
${sessionsPart(account)}
${projectsPart(account)}
</form>
<form method="post" id="newToken">
${keyField(session)}</form>`;
  return pageReply({ title: 'Account', body, status: outcome.trouble === undefined ? 200 : 422 });
}

function tokensPart({ tokens }: Account, made: string | undefined): string {
  const shownToken =
    made === undefined
      ? ''
      : `<p role="status">Copy this token now. It is not shown again.<br><code id="token">${made}</code></p>\n`;
  const all = tokens.length > 1 ? `\n<p>${button('endTokens', 'Revoke All')}</p>` : '';
  return `<h2>API Tokens</h2>
<p class="soft">Editors and programs sign in with a token. Create one for each, so that you can revoke them one by one.</p>
${shownToken}${rows(
  tokens.map(({ id, purpose, createdAt, lastUsedAt, name, scope }) => {
    const used = lastUsedAt === null ? 'never used' : `last used ${shownMoment(lastUsedAt)}`;
    const allowed = scope === 'write' ? '' : 'Read only. ';
    const called = name === null ? (PURPOSES[purpose] ?? shown(purpose)) : shown(name);
    const text = `${called}<span class="soft">${allowed}Created ${shownMoment(createdAt)}, ${used}</span>`;
    const spoken = `Revoke the token ${name === null ? '' : `${escaped(name)}, `}created ${shownMoment(createdAt)}`;
    return row(text, button(`endToken:${id}`, 'Revoke', spoken));
  }),
)}
${NEW_TOKEN}${all}`;
}

/** In a form of its own: Enter creates the token. */
const NEW_TOKEN = `<p><label>Name of a new token <small>such as the device it is for</small>\
<input name="tokenName" form="newToken" maxlength="${LONGEST_TOKEN_NAME}" autocomplete="off"></label>
<label class="tick"><input type="checkbox" name="readOnly" form="newToken"> Read only \
<small>for programs that change nothing, such as an agent that only looks things up</small></label>
<button name="do" value="makeToken" form="newToken">Create Token</button></p>`;

const PURPOSES: Readonly<Record<string, string>> = {
  user: 'Token',
  signIn: 'Sign-in with a password',
  demo: 'Demo',
  embedded: 'Editor on this machine',
};

function sessionsPart({ session, sessions }: Account): string {
  const others = sessions.length > 1 ? `\n<p>${button('endSessions', 'Sign Out Everywhere Else')}</p>` : '';
  return `<h2>Sessions</h2>
${rows(
  sessions.map(({ id, userAgent, createdAt, lastUsedAt }) => {
    const isThis = id === session.session.id;
    const name = `${browserOf(userAgent)}${isThis ? ' (this one)' : ''}`;
    const text = `${name}<span class="soft">Signed in ${shownMoment(createdAt)}, last used ${shownMoment(lastUsedAt)}</span>`;
    return row(text, isThis ? '' : button(`endSession:${id}`, 'End', `End the session of ${shownMoment(createdAt)}`));
  }),
)}${others}`;
}

const BROWSERS = [
  ['Edg/', 'Edge'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const;
const SYSTEMS = [
  ['Windows', 'Windows'],
  ['Android', 'Android'],
  ['iPhone', 'iOS'],
  ['iPad', 'iPadOS'],
  ['Mac OS X', 'macOS'],
  ['Linux', 'Linux'],
] as const;

/** `Firefox on Linux`, or what a browser of another kind calls itself. */
function browserOf(userAgent: string): string {
  const named = (names: typeof BROWSERS | typeof SYSTEMS) => names.find(([mark]) => userAgent.includes(mark))?.[1];
  const [browser, system] = [named(BROWSERS), named(SYSTEMS)];
  if (browser === undefined) return userAgent === '' ? 'Unknown browser' : shown(userAgent);
  return system === undefined ? browser : `${browser} on ${system}`;
}

function projectsPart({ memberships }: Account): string {
  if (memberships.length === 0) return '<h2>Projects</h2>\n<p>You are not a member of any project yet.</p>';
  return `<h2>Projects</h2>
${rows(
  memberships.map(({ projectId, projectName, role }) =>
    row(
      `${shown(projectName)}<span class="soft">${shown(role)}</span>`,
      `<details><summary>Leave…</summary>${button(`leave:${projectId}`, 'Leave Project')}</details>`,
    ),
  ),
)}`;
}

function rows(items: readonly string[]): string {
  if (items.length === 0) return '';
  const left = items.length - MOST_ROWS;
  const more = left > 0 ? `\n<li class="soft">${left.toLocaleString('en')} more</li>` : '';
  return `<ul class="rows">\n${items.slice(0, MOST_ROWS).join('\n')}${more}\n</ul>`;
}

function row(text: string, action: string): string {
  return `<li><div>${text}</div>${action}</li>`;
}

function button(action: string, text: string, name?: string): string {
  const label = name === undefined ? '' : ` aria-label="${name}"`;
  return `<button name="do" value="${action}"${label}>${text}</button>`;
}

/** For who is not signed in. */
function signInPage({ done, trouble }: Outcome = {}, email = ''): Reply {
  const body = `${statusOf(done)}${alertOf(trouble)}<form method="post">
${emailField(email)}${passwordField('Password', 'password', 'current-password')}<p><button class="go" name="do" value="signIn">Sign In</button></p>
</form>
<p class="soft">New here? Open the link in your invitation first. <a href="password">Change password</a></p>`;
  const page: Page = { title: 'Sign In', body };
  return pageReply({ ...page, status: trouble === undefined ? 200 : 422 });
}

const MOST_TOKENS = 100;

/** What the page says after an action, in words that no address can choose. */
const DONE: Readonly<Record<string, string>> = {
  password: 'Your password is set. Now you can sign in from VS Code, too.',
  signOut: 'You are signed out.',
  endSession: 'The session has ended.',
  endSessions: 'You are signed out everywhere else.',
  endToken: 'The token is revoked.',
  endTokens: 'All tokens are revoked.',
  leave: 'You left the project.',
};

export async function showAccount(exchange: Exchange): Promise<Reply> {
  const action = exchange.query.get('done') ?? '';
  const done = Object.hasOwn(DONE, action) ? DONE[action] : undefined;
  const session = await readSession(exchange);
  return session ? ownPage(exchange, session, { done }) : signInPage({ done });
}

function ownPage({ service, base }: Exchange, session: Session, outcome: Outcome): Promise<Reply> {
  return service.database.read(async (tx) => accountPage(await readAccount(tx, session), base, outcome));
}

/** Does what a button of the page says. Throws `Refusal` 400, 403. */
export async function takeAccount(exchange: Exchange): Promise<Reply> {
  const form = await readForm(exchange, ['key', 'do', 'email', 'password', 'tokenName', 'readOnly']);
  const [action = '', id = ''] = form('do').slice(0, 100).split(':');
  if (action === 'signIn') return signIn(exchange, form);
  const session = await readSession(exchange);
  if (!session) return signInPage({ trouble: SIGNED_OUT });
  requireFormKey(form, session);
  try {
    const newToken = { name: form('tokenName'), isReadOnly: form('readOnly') !== '' };
    return await press(exchange, session, { action, id: numberOf(id), newToken });
  } catch (error) {
    if (error instanceof SessionEnded) return signInPage({ trouble: SIGNED_OUT });
    throw error;
  }
}

const SIGNED_OUT = 'You are no longer signed in.';

/** The session of a request has ended since it came. */
class SessionEnded extends Error {
  override readonly name = 'SessionEnded';
}

/** What one person does is done one after the other. Throws `SessionEnded`. */
async function requireSession(tx: Tx, exchange: Exchange, { user }: Session): Promise<void> {
  await holdUser(tx, user.id);
  if (!(await currentSession(tx, exchange))) throw new SessionEnded();
}

interface Button {
  readonly action: string;
  readonly id: number;
  readonly newToken: NewToken;
}

interface NewToken {
  readonly name: string;
  readonly isReadOnly: boolean;
}

async function press(exchange: Exchange, session: Session, { action, id, newToken }: Button): Promise<Reply> {
  if (action === 'leave') return leave(exchange, session, id);
  if (action === 'makeToken') return makeToken(exchange, session, newToken);
  const change = Object.hasOwn(CHANGES, action) ? CHANGES[action] : undefined;
  if (!change) throw badRequest('This page has no such button.');
  await exchange.service.database.write(async (tx) => {
    await requireSession(tx, exchange, session);
    await change(tx, session, id);
  });
  return goTo(`account?done=${action}`, action === 'signOut' ? sessionCookie(exchange, undefined) : undefined);
}

type AccountChange = (tx: Tx, session: Session, id: number) => Promise<void>;

/** Each touches only what is the user's own. */
const CHANGES: Readonly<Record<string, AccountChange>> = {
  signOut: (tx, { user, session }) => dropSession(tx, user.id, session.id),
  endSession: (tx, { user }, id) => dropSession(tx, user.id, id),
  endSessions: (tx, { user, session }) => dropSessionsOf(tx, user.id, session.id),
  endToken: (tx, { user }, id) => dropTokensOf(tx, user.id, id),
  endTokens: (tx, { user }) => dropTokensOf(tx, user.id),
};

/** Of a button; 0, which nothing has, where it is none. */
function numberOf(text: string): number {
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : 0;
}

async function signIn(exchange: Exchange, form: Form): Promise<Reply> {
  const login = { username: form('email'), password: form('password') };
  refuseLongLogin(login);
  const user = await userOfLogin(askerOf(exchange), login);
  const token =
    user &&
    (await exchange.service.database.write(async (tx) => {
      // Comparing passwords takes long enough for another to be set, or for the user to be removed.
      await holdUser(tx, user.id);
      if ((await userById(tx, user.id))?.password !== user.password) return undefined;
      return beginSession(tx, user.id, userAgentOf(exchange), exchange.now);
    }));
  if (token === undefined) return signInPage({ trouble: 'Wrong email address or password.' }, login.username);
  return goTo('account', sessionCookie(exchange, token));
}

async function makeToken(exchange: Exchange, session: Session, wanted: NewToken): Promise<Reply> {
  const { user } = session;
  const name = visibleLine(wanted.name, LONGEST_TOKEN_NAME);
  const wishes = { name: name === '' ? null : name, scope: wanted.isReadOnly ? 'read' : 'write' } as const;
  const token = await exchange.service.database.write(async (tx) => {
    await requireSession(tx, exchange, session);
    if ((await tokensOf(tx, user.id)).length >= MOST_TOKENS) return undefined;
    return mintToken(tx, user.id, 'user', exchange.now, wishes);
  });
  if (token !== undefined) return ownPage(exchange, session, { token });
  return ownPage(exchange, session, { trouble: `You have ${MOST_TOKENS} tokens. Revoke some first.` });
}

async function leave(exchange: Exchange, session: Session, projectId: number): Promise<Reply> {
  const { service, isPrivate, now } = exchange;
  try {
    await changeProject({ service, user: session.user, isPrivate, now }, projectId, 'Viewer', async (change) => {
      await requireSession(change.tx, exchange, session);
      await leaveProject(change);
    });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return ownPage(exchange, session, { trouble: error.sentences.join(' ') });
  }
  return goTo('account?done=leave');
}
