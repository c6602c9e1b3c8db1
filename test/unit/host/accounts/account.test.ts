import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { type Account, AccountStore } from '../../../../src/host/accounts/account.ts';
import { eventually } from '../../../support/eventually.ts';
import { MemorySecrets } from '../../../support/windows/memorySecrets.ts';

const bakery: Account = { id: 'bakery', label: 'Bakery', kind: 'server', baseUrl: 'https://bakery.example' };
const butchery: Account = { id: 'butchery', label: 'Butchery', kind: 'server', baseUrl: 'https://butchery.example' };
const builtIn: Account = { id: 'builtIn', label: 'Built-in', kind: 'builtIn' };

describe('Stored accounts', () => {
  const opened: AccountStore[] = [];
  let secrets: MemorySecrets;

  beforeEach(() => {
    secrets = new MemorySecrets();
  });
  afterEach(() => {
    for (const one of opened.splice(0)) one.dispose();
  });

  /** The accounts as one window has them; all windows share the secrets. */
  function window(): AccountStore {
    const store = new AccountStore(secrets);
    opened.push(store);
    return store;
  }

  const ids = async (store: AccountStore) => (await store.list()).map(({ id }) => id);
  const tokens = async (store: AccountStore) => (await store.stored()).map(({ token }) => token);

  it('are listed in the order in which they were added, without their tokens', async () => {
    const here = window();
    await here.add(butchery, 'b');
    await here.add(bakery, 'a');
    await here.add(builtIn);
    assert.deepEqual(await ids(here), ['butchery', 'bakery', 'builtIn']);
    assert.deepEqual(await tokens(here), ['b', 'a', undefined]);
    assert.ok(!JSON.stringify(await here.list()).includes('token"'));
  });

  describe('that are forgotten', () => {
    let kept: Map<string, unknown>;
    const memory = {
      get: <T>(key: string, fallback: T) => (kept.has(key) ? (kept.get(key) as T) : fallback),
      update: async (key: string, value: unknown) => void kept.set(key, value),
    };
    const start = () => {
      const store = new AccountStore(secrets, memory);
      opened.push(store);
      return store;
    };
    beforeEach(() => {
      kept = new Map();
    });

    it('are noticed at the next start, until someone signs in', async () => {
      assert.equal(await start().isForgotten(), false);
      await start().add(bakery, 'b4kery');
      assert.equal(await start().isForgotten(), false);
      secrets = new MemorySecrets();
      const next = start();
      assert.equal(await next.isForgotten(), true);
      assert.equal(await start().isForgotten(), true);
      await next.add(butchery, 'x');
      assert.equal(await next.isForgotten(), false);
      assert.ok(!JSON.stringify([...kept]).includes('b4kery'));
    });

    it('are not those that someone signed out of', async () => {
      const here = start();
      await here.add(bakery, 'b4kery');
      await here.add(butchery, 'x');
      await here.remove('bakery');
      assert.equal(await here.isForgotten(), false);
      await here.remove('butchery');
      assert.equal(await start().isForgotten(), false);
    });

    it('are also those that were stored before anyone remembered it', async () => {
      await window().add(bakery, 'b4kery');
      assert.equal(await start().isForgotten(), false);
      secrets = new MemorySecrets();
      assert.equal(await start().isForgotten(), true);
    });
  });

  it('are read again after the secrets could not be', async () => {
    const here = window();
    const { keys } = secrets;
    secrets.keys = () => Promise.reject(new Error('locked'));
    await assert.rejects(here.list(), /locked/);
    secrets.keys = keys;
    assert.deepEqual(await here.list(), []);
  });

  it('keep their place when they are added again, and are replaced', async () => {
    const here = window();
    await here.add(bakery, 'a');
    await here.add(butchery, 'b');
    await here.add({ ...bakery, label: 'Bread' }, 'c');
    assert.deepEqual(
      (await here.list()).map(({ label }) => label),
      ['Bread', 'Butchery'],
    );
    assert.deepEqual(await tokens(here), ['c', 'b']);
  });

  it('are gone in every window once they are removed, and with them the token', async () => {
    const [here, there] = [window(), window()];
    await here.add(bakery, 'b4kery');
    await eventually(async () => assert.deepEqual(await ids(there), ['bakery']));
    await here.remove('bakery');
    await eventually(async () => assert.deepEqual(await ids(there), []));
    assert.deepEqual(await secrets.keys(), []);
  });

  it('tell each window once of a change, whichever window made it', async () => {
    const [here, there] = [window(), window()];
    await Promise.all([here.list(), there.list()]);
    const told = { here: 0, there: 0 };
    here.onDidChange(() => told.here++);
    there.onDidChange(() => told.there++);
    await here.add(bakery, 'b4kery');
    await eventually(async () => assert.deepEqual(await tokens(there), ['b4kery']));
    assert.deepEqual(told, { here: 1, there: 1 });
  });

  it('tell of nothing for secrets of others', async () => {
    const here = window();
    let told = 0;
    here.onDidChange(() => told++);
    await secrets.store('another.extension', 'x');
    await setImmediate();
    assert.deepEqual([told, await here.list()], [0, []]);
  });

  it('tell when another token was given, but not when the same was given again', async () => {
    const here = window();
    const since = async (token: string) => {
      await here.add(bakery, token);
      return (await here.list())[0]?.tokenSince ?? 0;
    };
    const first = await since('a');
    await new Promise((resolve) => setTimeout(resolve, 5));
    assert.equal(await since('a'), first);
    assert.ok((await since('b')) > first);
  });

  it('stay when several windows add some at the same time', async () => {
    const [here, there] = [window(), window()];
    await Promise.all([here.add(bakery, 'a'), there.add(butchery, 'b'), here.add(builtIn)]);
    for (const one of [here, there]) {
      await eventually(async () => assert.deepEqual((await ids(one)).toSorted(), ['bakery', 'builtIn', 'butchery']));
    }
  });

  it('are written though the write before failed, which is told', async () => {
    const here = window();
    const { store } = secrets;
    secrets.store = () => Promise.reject(new Error('The keychain is locked.'));
    await assert.rejects(here.add(bakery, 'a'), /keychain/);
    secrets.store = store;
    await here.add(butchery, 'b');
    assert.deepEqual(await ids(here), ['butchery']);
  });

  for (const text of ['{', '5', '{"id":5}', 'null', '{"id":"a","label":"A","kind":"moon","since":1}']) {
    it(`are none where the stored text is ${text}`, async () => {
      await secrets.store('storyTracker.account.bakery', text);
      assert.deepEqual(await window().list(), []);
    });
  }
});
