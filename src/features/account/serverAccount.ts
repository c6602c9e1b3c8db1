import type { Access } from '../../core/ports/connection.ts';
import type { Account } from '../../host/accounts/account.ts';
import type { App } from '../../host/app.ts';
import type { ServerAddress } from './serverAddress.ts';

type Needs = Pick<App, 'accounts' | 'engine'>;
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
export async function storeAccount(needs: Needs, login: Login): Promise<Account> {
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

async function accountBeside(needs: Needs, login: Login, others: readonly Account[]): Promise<Account> {
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
async function nameByPerson(needs: Needs, account: Account, name: string): Promise<void> {
  const person = await personOf(needs, account);
  if (!person || account.label !== name) return;
  const { token } = await needs.accounts.access(account.id);
  await needs.accounts.add({ ...account, person, label: `${name} (${person.name})` }, token);
}

async function personOf(needs: Needs, account: Account): Promise<Person | undefined> {
  return account.person ?? personBehind(needs, await needs.accounts.access(account.id));
}

/** `undefined` where the server does not tell, or the person has no project yet. */
async function personBehind({ engine }: Pick<Needs, 'engine'>, access: Access): Promise<Person | undefined> {
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
