import assert from 'node:assert/strict';
import { Sessions } from '../../src/features/account/sessions.ts';
import type { Account } from '../../src/host/accounts/account.ts';
import { Accounts } from '../../src/host/accounts/accounts.ts';
import { Engine } from '../../src/host/engine/engine.ts';
import { eventually } from '../support/eventually.ts';
import { silentLog } from '../support/silentLog.ts';
import { MemorySecrets } from '../support/windows/memorySecrets.ts';

const bakery: Account = { id: 'bakery', label: 'Bakery', kind: 'server', baseUrl: 'https://bakery.example' };
const butchery: Account = { id: 'butchery', label: 'Butchery', kind: 'server', baseUrl: 'https://butchery.example' };
const builtIn: Account = { id: 'builtIn', label: 'Built-in', kind: 'builtIn' };

describe('Accounts', () => {
  const opened: { dispose(): void }[] = [];
  let secrets: MemorySecrets;
  let started: number;

  beforeEach(() => {
    secrets = new MemorySecrets();
    started = 0;
  });
  afterEach(() => {
    for (const one of opened.splice(0)) one.dispose();
  });

  /** The accounts as one window has them; all windows share the secrets. */
  function window(): Accounts {
    const access = async () => ({ baseUrl: 'http://127.0.0.1:1', token: `started ${++started}` });
    const accounts = new Accounts(secrets, new Engine('nothing.js', silentLog), { access });
    opened.push(accounts);
    return accounts;
  }

  it('are known to every window at once, and each is told once', async () => {
    const [here, there] = [window(), window()];
    await Promise.all([here.list(), there.list()]);
    const told = { here: 0, there: 0 };
    here.onDidChange(() => told.here++);
    there.onDidChange(() => told.there++);
    await here.add(bakery, 'b4kery');
    await eventually(async () => assert.deepEqual((await there.list()).map(withoutMoment), [bakery]));
    assert.deepEqual(told, { here: 1, there: 1 });
    assert.deepEqual(await there.access('bakery'), { baseUrl: 'https://bakery.example', token: 'b4kery' });
  });

  it('say what helps where VS Code cannot store or read its secrets', async () => {
    const here = window();
    await here.list();
    const locked = () => Promise.reject(new Error('The keyring is locked'));
    secrets.store = locked;
    await assert.rejects(here.add(bakery, 'b4kery'), {
      message:
        'VS Code could not store your sign-in (The keyring is locked). Unlock the keyring of this machine, or install one, and sign in again.',
    });
    secrets.keys = locked;
    const message =
      'VS Code cannot read your sign-in (The keyring is locked). Unlock the keyring of this machine and reload the window.';
    const later = window();
    await assert.rejects(later.list(), { message });
    await assert.rejects(later.access('bakery'), { message });
  });

  it('tell when another token was given', async () => {
    const here = window();
    const since = async (token: string) => {
      await here.add(bakery, token);
      return (await here.find('bakery'))?.tokenSince ?? 0;
    };
    const first = await since('a');
    await new Promise((resolve) => setTimeout(resolve, 5));
    assert.equal(await since('a'), first);
    assert.ok((await since('b')) > first);
  });

  it('keep all that is added at the same time', async () => {
    const here = window();
    await Promise.all([here.add(bakery, 'a'), here.add(butchery, 'b'), here.add(builtIn)]);
    assert.deepEqual(
      (await here.list()).map(({ id }) => id),
      ['bakery', 'butchery', 'builtIn'],
    );
  });

  it('keep all that several windows add at the same time', async () => {
    const [here, there] = [window(), window()];
    await Promise.all([here.add(bakery, 'a'), there.add(butchery, 'b'), here.add(builtIn)]);
    for (const one of [here, there]) {
      await eventually(async () =>
        assert.deepEqual((await one.list()).map(({ id }) => id).sort(), ['bakery', 'builtIn', 'butchery']),
      );
    }
  });

  it('are none when what is stored cannot be read', async () => {
    for (const text of ['{', '5', '{"id":5}', 'null']) {
      await secrets.store('storyTracker.account.bakery', text);
      assert.deepEqual(await window().list(), []);
    }
  });

  it('are shown as sessions without starting the built-in service', async () => {
    const here = window();
    const sessions = new Sessions(
      here,
      async () => undefined,
      async () => undefined,
    );
    opened.push(sessions);
    await here.add(builtIn);
    await here.add(bakery, 'b4kery');
    const listed = await sessions.getSessions(undefined);
    assert.deepEqual(
      listed.map(({ id, accessToken }) => [id, accessToken]),
      [
        ['builtIn', ''],
        ['bakery', 'b4kery'],
      ],
    );
    assert.equal(started, 0);
    const [asked] = await sessions.getSessions([]);
    assert.equal(asked?.accessToken, 'started 1');
  });

  it('tell as sessions who came and went, without a token', async () => {
    const here = window();
    const sessions = new Sessions(
      here,
      async () => bakery,
      (accountId) => here.remove(accountId),
    );
    opened.push(sessions);
    const seen: unknown[] = [];
    sessions.onDidChangeSessions(({ added, removed }) =>
      seen.push([added, removed].map((ones) => ones?.map(({ id, accessToken }) => id + accessToken))),
    );
    await here.add(bakery, 'b4kery');
    await eventually(() => assert.equal(seen.length, 1));
    await sessions.removeSession('bakery');
    await eventually(() => assert.equal(seen.length, 2));
    assert.deepEqual(seen, [
      [['bakery'], []],
      [[], ['bakery']],
    ]);
  });
});

function withoutMoment({ tokenSince: _since, ...account }: Account): Account {
  return account;
}
