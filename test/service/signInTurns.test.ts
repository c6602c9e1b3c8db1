import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { hashPassword, passwordTurns } from '../../src/service/auth/password.ts';
import { SignInAttempts } from '../../src/service/auth/passwordSignIn.ts';
import { addUser } from '../../src/service/store/people/users.ts';
import { eventually } from '../support/eventually.ts';
import { rawHead } from './support/raw.ts';
import { type Answer, assertDenied, assertRefused, assertStatus, request, textOf } from './support/request.ts';
import { onPostgres, rowsOfDatabase, runOnDatabase } from './support/testDatabase.ts';
import { startTestService, type TestService } from './support/testService.ts';

describe('sign-ins of many at once', () => {
  let now = Date.now();
  let service: TestService;

  before(async () => {
    service = await startTestService({ clock: () => now, trustedProxies: ['127.0.0.1'] });
    const password = await hashPassword('correct horse');
    await service.running.database.write((tx) => addUser(tx, { name: 'Ada', email: 'ada@example.org', password }, now));
  });
  after(() => service.stop());
  beforeEach(() => {
    now += 3_600_000;
  });

  const url = () => `${service.url}/services/v3/tokens/active`;
  const basic = (login: string) => `Basic ${Buffer.from(login).toString('base64')}`;
  const failures = () =>
    service.running.database.read((tx) =>
      tx.selectFrom('signInFailures').select('count').where('last', '=', now).execute(),
    );

  /** Attempts from an address that can be broken off. */
  function attempts(address: string, count: number) {
    const gone = new AbortController();
    const statuses: number[] = [];
    const all = Array.from({ length: count }, async (_, index) => {
      const headers = { Authorization: basic(`${index}@${address}:a guess`), 'X-Forwarded-For': address };
      const answer = await fetch(url(), { headers, signal: gone.signal }).catch(() => undefined);
      if (answer) statuses.push(answer.status);
    });
    return { statuses, breakOff: () => gone.abort(), all: Promise.all(all) };
  }

  const signIn = (address: string): Promise<Answer> =>
    request(url(), { headers: { Authorization: basic('ada@example.org:correct horse'), 'X-Forwarded-For': address } });

  /** Lets no password be compared until what comes back is called. */
  function holdTurns(): () => void {
    let goOn: () => void = () => undefined;
    const released = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    void passwordTurns.first(() => released);
    return goOn;
  }

  it('wait for a turn or two of others, however many try from another network', async () => {
    const goOn = holdTurns();
    const floods = ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4'].map((address) => attempts(address, 4));
    await eventually(async () => assert.equal((await failures()).length, 4 * 4 + 4));
    const honest = signIn('198.51.100.7');
    await eventually(async () => assert.equal((await failures()).length, 4 * 4 + 4 + 2));
    goOn();
    assertStatus(await honest, 200);
    const answered = floods.flatMap(({ statuses }) => statuses);
    assert.ok(answered.length <= 2, `${answered.length} came first`);
    for (const { breakOff } of floods) breakOff();
    await Promise.all(floods.map(({ all }) => all));
  });

  it('are five of one sender, and one more is not tried: 503 with when to come back', async () => {
    const goOn = holdTurns();
    const five = attempts('192.0.2.1', 5);
    await eventually(async () => assert.equal((await failures()).length, 5 + 1));
    const refused = await signIn('192.0.2.1');
    assertRefused(refused, 503, /Too many sign-ins from your network are waiting. This one was not tried/);
    assert.equal(refused.headers.get('retry-after'), '2');
    assert.equal((await failures()).length, 5 + 1);
    five.breakOff();
    await five.all;
    // Those who have gone take no place, though they did try.
    await eventually(async () => assertRefused(await signIn('192.0.2.1'), 429, /Too many attempts/));
    goOn();
  });

  it('are counted together for all 64 bits of an address of IPv6 that one caller has', async () => {
    const guess = (address: string) =>
      request(url(), { method: 'POST', body: 'username=ada', headers: { 'X-Forwarded-For': address } });
    for (let host = 1; host <= 5; host += 1) assertDenied(await guess(`2001:db8::${host}`), /Sign in with/);
    assertRefused(await guess('2001:db8:0:0:ffff::'), 429, /Too many attempts/);
    assertRefused(await signIn('2001:DB8::abcd'), 429, /Too many attempts/);
    assertDenied(await guess('2001:db8:0:1::1'), /Sign in with/);
  });

  it('are counted in a few transactions when a thousand come at once, each as if it came alone', async () => {
    const { database } = service.running;
    let writes = 0;
    const counted = new SignInAttempts({
      ...database,
      read: (work) => database.read(work),
      write: (work) => {
        writes += 1;
        return database.write(work);
      },
    });
    const waits = await Promise.all(
      Array.from({ length: 1_000 }, (_, index) =>
        counted.count({ keys: [`name ${index % 100}`, `from ${index % 10}`], now }),
      ),
    );
    assert.ok(writes <= 4, `${writes} transactions`);
    // Each of ten senders may fail five times; who has to wait is not counted.
    assert.deepEqual([waits.filter((wait) => wait === 0).length, waits.indexOf(1)], [50, 50]);
    const counts = (await failures()).map(({ count }) => count).sort((one, other) => one - other);
    assert.deepEqual(counts, [...Array.from({ length: 50 }, () => 1), ...Array.from({ length: 10 }, () => 5)]);
    assert.equal(await counted.count({ keys: ['name 7', 'from elsewhere'], now: now + 1_000 }), 0);
    assert.equal(await counted.count({ keys: ['name 7', 'from 7'], now: now + 500 }), 1);
  });

  it('are counted without a look at every failure there was', async () => {
    const { database } = service.running;
    await database.write(async (tx) => {
      for (let part = 0; part < 20; part += 1) {
        const rows = Array.from({ length: 500 }, (_, index) => ({ key: `${part} ${index}`, count: 1, last: now }));
        await tx.insertInto('signInFailures').values(rows).execute();
      }
    });
    if (onPostgres) await runOnDatabase(service.folder, 'analyze "signInFailures"');
    const explain = onPostgres ? 'explain' : 'explain query plan';
    for (const statement of [
      `delete from "signInFailures" where "last" < ${now - 1} or "last" > ${now + 1}`,
      `update "signInFailures" set "last" = 1 where "last" > ${now}`,
    ]) {
      const plan = JSON.stringify(await rowsOfDatabase(service.folder, `${explain} ${statement}`));
      assert.match(plan, /signInFailuresByLast/);
      assert.doesNotMatch(plan, /Seq Scan|SCAN/);
    }
  });

  it('are counted when they are broken off in the middle', async () => {
    const { hostname, port } = new URL(service.url);
    const head = ['Host: localhost', 'Content-Length: 100', 'Expect: 100-continue', 'X-Forwarded-For: 203.0.113.5'];
    for (let times = 0; times < 5; times += 1) {
      const socket = connect(Number(port), hostname);
      socket.write(rawHead('POST /services/v3/tokens/active HTTP/1.1', ...head));
      assert.match(String(await once(socket, 'data')), /100 Continue/);
      socket.write('username=ada@example.org&', () => socket.destroy());
    }
    await eventually(async () =>
      assert.deepEqual(
        (await failures()).map(({ count }) => count),
        [5],
      ),
    );
    assertRefused(await signIn('203.0.113.5'), 429, /Too many attempts/);
    now += 60_000;
    assert.equal(textOf(await signIn('203.0.113.5'), 'id'), '1');
  });
});
