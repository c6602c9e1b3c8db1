import * as vscode from 'vscode';
import { failureMeans, kindOf, TrackerError } from '../../core/errors.ts';
import type { Access } from '../../core/ports/connection.ts';
import type { Account } from '../../host/accounts/account.ts';
import type { App } from '../../host/app.ts';
import { isPlainObject } from '../../host/shell/commands.ts';
import { NoticeNode } from '../../host/tree/nodes.ts';
import { askServer } from './askServer.ts';
import { isNamed, type ServerAddress, serverAddressOf } from './serverAddress.ts';
import { type BuiltInNeeds, signInBuiltIn, useBuiltIn } from './useBuiltIn.ts';

export { checkConnection } from './checkConnection.ts';

type SignInNeeds = BuiltInNeeds & Pick<App, 'messages'>;

/**
 * Signs in as the argument of contract.md says, to what a button of the welcome view names (`builtIn` or `server`), else
 * asks. Nothing is stored before the server has listed its projects. `undefined` when the person turned away.
 */
export async function signIn(needs: SignInNeeds, argument: unknown): Promise<Account | undefined> {
  const account = await accountFor(needs, argument);
  if (account) needs.messages.status(vscode.l10n.t('Signed in to {0}.', account.label));
  return account;
}

function accountFor(needs: SignInNeeds, argument: unknown): Promise<Account | undefined> {
  if (isPlainObject(argument)) return signInAs(needs, argument);
  if (argument instanceof NoticeNode && argument.account) return signInAgain(needs, argument.account.id);
  if (argument === 'builtIn') return useBuiltIn(needs);
  return argument === 'server' ? signInToServer(needs) : askWhere(needs);
}

/** To a server that does not accept the sign-in any more; its address is known. */
async function signInAgain(needs: SignInNeeds, accountId: string): Promise<Account | undefined> {
  const account = await needs.accounts.find(accountId);
  if (account?.kind === 'builtIn') return signInBuiltIn(needs);
  return signInToServer(needs, account?.baseUrl);
}

async function signInToServer(needs: SignInNeeds, address?: string): Promise<Account | undefined> {
  const login = await askServer(needs, (access) => verify(needs, access), address);
  return login && storeAccount(needs, { ...login, user: login.user });
}

/** @throws TrackerError when the server cannot be reached or does not accept the token. */
async function verify({ engine }: SignInNeeds, access: Access): Promise<void> {
  try {
    await engine.trial(access, (tracker) => tracker.listProjects());
  } catch (thrown) {
    if (!failureMeans(kindOf(thrown), 'signIn')) throw thrown;
    const sentence = vscode.l10n.t('The server does not accept this token. Check that it is complete and still valid.');
    throw new TrackerError('unauthorized', sentence, { cause: thrown });
  }
}

async function signInAs(needs: SignInNeeds, argument: Readonly<Record<string, unknown>>): Promise<Account> {
  if (argument.builtIn === true) return signInBuiltIn(needs);
  const { baseUrl, token } = argument;
  const address = typeof baseUrl === 'string' ? serverAddressOf(baseUrl) : undefined;
  if (!address || typeof token !== 'string' || token.trim() === '') {
    throw new TrackerError('input', vscode.l10n.t('Pass { builtIn: true } or { baseUrl, token } to sign in.'));
  }
  await verify(needs, { baseUrl: address.baseUrl, token: token.trim() });
  return storeAccount(needs, { address, token: token.trim(), user: undefined });
}

async function askWhere(needs: SignInNeeds): Promise<Account | undefined> {
  const builtIn = {
    label: vscode.l10n.t('$(vm) Built-in Service on This Machine'),
    detail: vscode.l10n.t('No account needed. Your data stays on this machine.'),
    run: () => useBuiltIn(needs),
  };
  const server = {
    label: vscode.l10n.t('$(server) Server…'),
    detail: vscode.l10n.t('Enter its address, then a token or your username and password.'),
    run: () => signInToServer(needs),
  };
  const picked = await vscode.window.showQuickPick([builtIn, server], {
    title: vscode.l10n.t('Sign In to Story Tracker'),
    placeHolder: vscode.l10n.t('Where are your projects?'),
  });
  return picked?.run();
}

type StoreNeeds = Pick<App, 'accounts' | 'engine'>;
type Person = NonNullable<Account['person']>;

interface Login {
  readonly address: ServerAddress;
  readonly token: string;
  /** The name given together with a password. */
  readonly user: string | undefined;
}

/**
 * Stores a token for a server. Each person has an account there: signing in again replaces the token, and another person's is
 * added beside it, where the server tells who they are. Then all of them are called by their names.
 */
async function storeAccount(needs: StoreNeeds, login: Login): Promise<Account> {
  const { baseUrl, name } = login.address;
  const others = (await needs.accounts.list()).filter((account) => account.baseUrl === baseUrl);
  const account = others.length === 0 ? plainAccount(login) : await accountBeside(needs, login, others);
  await needs.accounts.add(account, login.token);
  for (const other of others) if (other.id !== account.id) await nameByPerson(needs, other, name);
  return account;
}

function plainAccount({ address: { baseUrl, name }, user }: Login): Account {
  return {
    id: user === undefined ? baseUrl : `${user} ${baseUrl}`,
    label: user === undefined ? name : `${name} (${user})`,
    kind: 'server',
    baseUrl,
  };
}

async function accountBeside(needs: StoreNeeds, login: Login, others: readonly Account[]): Promise<Account> {
  const plain = plainAccount(login);
  const { baseUrl, name } = login.address;
  const person = await personBehind(needs, { baseUrl, token: login.token });
  if (!person) return plain;
  const known = await Promise.all(others.map(async (other) => ({ other, person: await personOf(needs, other) })));
  const same = known.find((one) => one.person && isSamePerson(one.person, person));
  const isTaken = known.some((one) => one.other.id === plain.id && one.person && !isSamePerson(one.person, person));
  const id = same?.other.id ?? (isTaken ? `${person.email ?? person.name} ${baseUrl}` : plain.id);
  const isAlone = others.every((other) => other.id === id);
  return { ...plain, id, person, label: isAlone ? plain.label : `${name} (${person.name})` };
}

/** An account that was alone with its server so far. */
async function nameByPerson(needs: StoreNeeds, account: Account, name: string): Promise<void> {
  const person = await personOf(needs, account);
  if (!person || account.label !== name) return;
  const { token } = await needs.accounts.access(account.id);
  await needs.accounts.add({ ...account, person, label: `${name} (${person.name})` }, token);
}

async function personOf(needs: StoreNeeds, account: Account): Promise<Person | undefined> {
  return account.person ?? personBehind(needs, await needs.accounts.access(account.id));
}

/** `undefined` where the server does not tell, or the person has no project yet. */
async function personBehind({ engine }: Pick<StoreNeeds, 'engine'>, access: Access): Promise<Person | undefined> {
  try {
    const [membership] = await engine.trial(access, (tracker) => tracker.listMyMemberships());
    if (!membership) return undefined;
    const { name, email } = membership.person;
    return name === '' ? undefined : { name, ...(email !== undefined && { email }) };
  } catch {
    // Who it is matters less than signing in.
    return undefined;
  }
}

function isSamePerson(one: Person, other: Person): boolean {
  return one.email !== undefined && other.email !== undefined ? one.email === other.email : one.name === other.name;
}

type Needs = Pick<App, 'accounts' | 'backlogs' | 'messages'>;

/**
 * Signs out of the account that the argument names (as for signing in), of the only one, or of the one picked. A person is asked
 * what becomes of changes that its server does not have; for a program they stay.
 */
export async function signOut(needs: Needs, argument: unknown): Promise<void> {
  const { accounts, messages } = needs;
  const all = await accounts.list();
  const meant = isPlainObject(argument) ? all.filter((account) => isNamed(account, argument)) : all;
  if (meant.length === 0) throw new TrackerError('input', vscode.l10n.t('You are not signed in.'));
  const account = meant.length === 1 ? meant[0] : await pickAccount(meant);
  if (!account || !(isPlainObject(argument) || (await decideOnUnsent(needs, account)))) return;
  await accounts.remove(account.id);
  messages.status(vscode.l10n.t('Signed out of {0}.', account.label));
}

/** As `signOut` where the person chose the account already. */
export async function signOutOf(needs: Needs, accountId: string): Promise<void> {
  const account = (await needs.accounts.list()).find(({ id }) => id === accountId);
  if (!account || (await decideOnUnsent(needs, account))) await needs.accounts.remove(accountId);
}

async function pickAccount(all: readonly Account[]): Promise<Account | undefined> {
  const items = all.map((account) => ({ label: account.label, account }));
  const placeHolder = vscode.l10n.t('Sign out of which server?');
  return (await vscode.window.showQuickPick(items, { placeHolder }))?.account;
}

/** Whether to sign out. Unsent changes that are kept wait for the next sign-in. */
async function decideOnUnsent(needs: Needs, account: Account): Promise<boolean> {
  const count = (await unsentOf(needs, account)).length;
  if (count === 0) return true;
  const { label } = account;
  const keep = vscode.l10n.t('Keep and Sign Out');
  const discard = vscode.l10n.t('Discard and Sign Out');
  const question =
    count === 1
      ? vscode.l10n.t('1 change has not been sent to {0} yet.', label)
      : vscode.l10n.t('{0} changes have not been sent to {1} yet.', count, label);
  const detail =
    count === 1
      ? vscode.l10n.t('If you keep it, it will be sent when you sign in to {0} again.', label)
      : vscode.l10n.t('If you keep them, they will be sent when you sign in to {0} again.', label);
  const answer = await needs.messages.ask(question, detail, keep, discard);
  if (answer === discard) await discardUnsent(needs, account);
  return answer !== undefined;
}

/** @throws TrackerError `conflict` when a server is getting one of them just now. */
async function discardUnsent(needs: Needs, account: Account): Promise<void> {
  // What builds on a change goes before it.
  for (const { id } of (await unsentOf(needs, account)).toReversed()) await needs.backlogs.discard(id);
  if ((await unsentOf(needs, account)).length === 0) return;
  throw new TrackerError(
    'conflict',
    vscode.l10n.t('A change is being sent and cannot be discarded. Try again in a moment.'),
  );
}

async function unsentOf({ accounts }: Needs, { id }: Account) {
  return (await accounts.outbox.entries()).filter(({ project }) => project.accountId === id);
}
