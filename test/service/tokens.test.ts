import assert from 'node:assert/strict';
import { hashPassword } from '../../src/service/auth/password.ts';
import { TokenAccess } from '../../src/service/cache/tokenAccess.ts';
import { Background, silentServiceLog } from '../../src/service/ground/background.ts';
import type { Database } from '../../src/service/store/database.ts';
import { ownerOfToken, tokenHash } from '../../src/service/store/people/tokens.ts';
import { addUser } from '../../src/service/store/people/users.ts';
import { eventually } from '../support/eventually.ts';
import { assertDenied, assertRefused, assertStatus, request, textOf } from './support/request.ts';
import { storedBytes } from './support/testDatabase.ts';
import { startTestService, type TestService } from './support/testService.ts';

describe('signing in with a password', () => {
  let now = Date.now();
  let service: TestService;

  before(async () => {
    service = await startTestService({ clock: () => now });
    const password = await hashPassword('correct horse');
    await service.running.database.write(async (tx) => {
      await addUser(tx, { name: 'Ada Lovelace', email: 'Ada@example.org', password }, now);
      await addUser(tx, { name: 'No Password', email: 'none@example.org' }, now);
    });
  });
  after(() => service.stop());
  afterEach(() => {
    now += 3_600_000;
  });

  const url = () => `${service.url}/services/v3/tokens/active`;
  const basic = (username: string, password: string, method = 'GET') =>
    request(url(), {
      method,
      headers: { Authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` },
    });
  const form = (username: string, password: string, headers: Record<string, string> = {}) =>
    request(url(), { method: 'POST', body: new URLSearchParams({ username, password }).toString(), headers });

  it('gives a token that works, for Basic and for a form of any type', async () => {
    const answers = [
      await basic('ada@example.org', 'correct horse'),
      await basic('Ada Lovelace', 'correct horse', 'POST'),
      await form('ADA@example.org', 'correct horse', { 'Content-Type': 'application/x-www-form-urlencoded' }),
      await form('ada@example.org', 'correct horse', { 'Content-Type': '' }),
    ];
    for (const answer of answers) {
      assertStatus(answer, 200);
      assert.match(answer.text, /<token>\s*<guid>[\w-]{40}<\/guid>\s*<id type="integer">1<\/id>\s*<\/token>/);
      const token = textOf(answer, 'guid');
      assertStatus(await request(`${service.url}/services/v3/projects`, { token }), 200);
    }
  });

  it('gives a token that ends when it was not used for 90 days, and lasts while it is', async () => {
    const day = 86_400_000;
    const signIn = async () => textOf(await basic('ada@example.org', 'correct horse'), 'guid');
    const status = async (token: string) => (await request(`${service.url}/services/v3/projects`, { token })).status;
    const [used, unused] = [await signIn(), await signIn()];
    now += 60 * day;
    assert.equal(await status(used), 200);
    await eventually(async () => {
      const rows = await service.running.database.read((tx) => tx.selectFrom('tokens').select('lastUsedAt').execute());
      assert.ok(rows.some(({ lastUsedAt }) => lastUsedAt === now));
    });
    now += 31 * day;
    await signIn();
    assert.deepEqual([await status(used), await status(unused)], [200, 401]);
  });

  it('refuses wrong ones alike, whoever exists', async () => {
    const answers = [
      await basic('ada@example.org', 'wrong'),
      await basic('nobody@example.org', 'wrong'),
      await basic('none@example.org', ''),
      await basic('ada@example.org', ''),
    ];
    for (const answer of answers) {
      assertDenied(answer, /Wrong username or password/);
      assert.match(answer.headers.get('www-authenticate') ?? '', /^Basic /);
    }
    assertDenied(await request(url()), /email address and password/);
    assertDenied(await request(`${url()}?username=ada@example.org&password=correct+horse`), /email/);
  });

  it('slows guessing down, the right guess included, and lets people in again later', async () => {
    for (let attempt = 0; attempt < 5; attempt += 1) await basic('ada@example.org', `guess ${attempt}`);
    const answer = await basic('ada@example.org', 'correct horse');
    assertRefused(answer, 429, /Too many attempts/);
    assert.ok(Number(answer.headers.get('retry-after')) >= 1);
    now += 60_000;
    assertStatus(await basic('ada@example.org', 'correct horse'), 200);
  });

  it('is slowed down no longer than otherwise where the clock was ahead for a while', async () => {
    for (const ahead of [10 * 60_000, 300 * 86_400_000]) {
      now += ahead;
      for (let attempt = 0; attempt < 7; attempt += 1) await basic('ada@example.org', `guess ${attempt}`);
      now -= ahead;
      await basic('ada@example.org', 'a guess by the right clock');
      now += 60_000;
      assertStatus(await basic('ada@example.org', 'correct horse'), 200);
      now += 86_400_000;
    }
  });

  it('notes the use of a token again that a clock noted which was ahead', async () => {
    const guid = textOf(await basic('ada@example.org', 'correct horse'), 'guid');
    const used = async () => {
      assertStatus(await request(`${service.url}/services/v3/projects`, { token: guid }), 200);
      const row = await service.running.database.read((tx) => ownerOfToken(tx, tokenHash(guid)));
      return row?.lastUsedAt;
    };
    now += 300 * 86_400_000;
    await eventually(async () => assert.equal(await used(), now));
    now -= 300 * 86_400_000;
    await eventually(async () => assert.equal(await used(), now));
  });

  it('is slowed down by all processes on the same data together', async () => {
    const other = await startTestService({ dataFolder: service.folder, clock: () => now });
    const there = (password: string) =>
      request(`${other.url}/services/v3/tokens/active`, {
        headers: { Authorization: `Basic ${Buffer.from(`ada@example.org:${password}`).toString('base64')}` },
      });
    const statuses: number[] = [];
    for (const sign of [basic.bind(undefined, 'ada@example.org'), there, there, there, there]) {
      statuses.push((await sign('a guess')).status);
    }
    assert.deepEqual(statuses, [401, 401, 401, 401, 401]);
    assertRefused(await basic('ada@example.org', 'correct horse'), 429, /Too many attempts/);
    assertRefused(await there('correct horse'), 429, /Too many attempts/);
    const stored = await service.running.database.read((tx) => tx.selectFrom('signInFailures').select('key').execute());
    for (const { key } of stored) assert.match(key, /^[0-9a-f]{64}$/);
    await other.stop();
  });

  it('is slowed down by one name however it is written', async () => {
    const service = await startTestService({ clock: () => now, trustedProxies: ['127.0.0.1'] });
    const statuses: number[] = [];
    for (const [sender, spaces] of ['', ' ', '  ', '\t', '   ', '    '].entries()) {
      const login = Buffer.from(`${spaces}Bo@example.org${spaces}:guess`).toString('base64');
      const headers = { Authorization: `Basic ${login}`, 'X-Forwarded-For': `192.0.2.${sender}` };
      statuses.push((await request(`${service.url}/services/v3/tokens/active`, { headers })).status);
    }
    await service.stop();
    assert.deepEqual(statuses, [401, 401, 401, 401, 401, 429]);
  });

  it('is not held up by the failures of a clock that is ahead', async () => {
    for (const [failures, ahead, status] of [
      [1, 5_000, 200],
      [6, 86_400_000, 200],
      [6, 1_000, 429],
    ] as const) {
      now += 2 * 86_400_000;
      for (let times = 0; times < failures; times += 1) await basic('ada@example.org', 'a guess');
      now -= ahead;
      assertStatus(await basic('ada@example.org', 'correct horse'), status);
    }
  });

  it('is not slowed by signing in rightly', async () => {
    for (let times = 0; times < 8; times += 1) assertStatus(await basic('ada@example.org', 'correct horse'), 200);
  });
});

describe('tokens', () => {
  it('are kept as hashes only, and no password is kept at all', async () => {
    const service = await startTestService();
    const ada = await service.user('Ada Lovelace');
    const password = await hashPassword('a very secret password');
    await service.running.database.write((tx) => addUser(tx, { name: 'G', email: 'g@example.org', password }, 0));
    assertStatus(await ada.get('/projects'), 200);
    const stored = await storedBytes(service.folder);
    assert.ok(stored.some((bytes) => bytes.includes('g@example.org')));
    for (const bytes of stored) {
      assert.equal(bytes.includes(ada.token), false);
      assert.equal(bytes.includes('a very secret password'), false);
    }
    await service.stop();
  });

  it('are not forgotten for the sake of others that nobody has', async () => {
    const service = await startTestService();
    const ada = await service.user('Ada Lovelace');
    const { database } = service.running;
    let reads = 0;
    const counting: Database = {
      ...database,
      read: (work) => {
        reads += 1;
        return database.read(work);
      },
    };
    const tokens = new TokenAccess(database, new Background(silentServiceLog));
    const now = Date.now();
    const userOf = async (token: string) => (await tokens.ownerOf(token, counting, 1, now))?.user.name;
    assert.equal(await userOf(ada.token), 'Ada Lovelace');
    for (let count = 0; count < 2_100; count += 1) await userOf(`made up ${count}`);
    assert.equal(await userOf('made up 2099'), undefined);
    assert.equal(reads, 2_101);
    assert.equal(await userOf(ada.token), 'Ada Lovelace');
    assert.equal(reads, 2_101);
    await eventually(async () => {
      const used = await database.read((tx) => tx.selectFrom('tokens').select('lastUsedAt').executeTakeFirst());
      assert.equal(used?.lastUsedAt, now);
    });
    await service.stop();
  });

  it('are marked when used, and an old one is not trusted when it is gone', async () => {
    let now = Date.now();
    const service = await startTestService({ clock: () => now });
    const ada = await service.user('Ada Lovelace');
    const used = () =>
      service.running.database.read((tx) => tx.selectFrom('tokens').select('lastUsedAt').executeTakeFirst());
    const eventually = async (expected: number) => {
      while ((await used())?.lastUsedAt !== expected) await new Promise((resolve) => setTimeout(resolve, 5));
    };
    await ada.get('/projects');
    await eventually(now);
    now += 2 * 3_600_000;
    await ada.get('/projects');
    await eventually(now);
    await service.running.database.write((tx) => tx.deleteFrom('tokens').execute());
    assertStatus(await ada.get('/projects'), 401);
    await service.stop();
  });
});
