import assert from 'node:assert/strict';
import { hashPassword } from '../../src/service/auth/password.ts';
import type { ServiceEvent } from '../../src/service/ground/background.ts';
import { addUser, userByEmail } from '../../src/service/store/people/users.ts';
import { Browser, keyIn } from './support/browser.ts';
import { ownAddress } from './support/ownAddress.ts';
import { addMember, newProject, newStory } from './support/project.ts';
import { type Answer, assertRefused, assertStatus, idOf, request, textOf, texts } from './support/request.ts';
import { storedBytes } from './support/testDatabase.ts';
import { startTestService, type TestService, type TestUser } from './support/testService.ts';

const HOUR = 3_600_000;
const PASSWORD = 'nine green bottles';
const HEADERS = {
  'cache-control': /^no-store$/,
  'referrer-policy': /^no-referrer$/,
  'x-frame-options': /^DENY$/,
  'content-security-policy':
    /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'$/,
};

function assertPage(answer: Answer, status: number, content: RegExp): void {
  assertStatus(answer, status);
  assert.equal(answer.headers.get('content-type'), 'text/html; charset=utf-8');
  assert.match(answer.text, content);
  for (const [name, value] of Object.entries(HEADERS)) assert.match(answer.headers.get(name) ?? '', value, name);
  assert.doesNotMatch(answer.text, /<script|<[^>]*\s(?:on\w+|style)=/);
}

function assertGoesTo(answer: Answer, location: string): void {
  assert.deepEqual([answer.status, answer.headers.get('location')], [303, location], answer.text);
}

const passwords = (password = PASSWORD) => ({ password, repeat: password });

describe('pages of the service', () => {
  let now = Date.UTC(2026, 2, 2, 9);
  let service: TestService;
  let ada: TestUser;
  let projectId: number;
  let browser: Browser;
  const log: ServiceEvent[] = [];

  beforeEach(async () => {
    now += 24 * HOUR;
    service = await startTestService({ clock: () => now, logsRequests: true, log: (event) => void log.push(event) });
    ada = await service.user('Ada Lovelace');
    projectId = await newProject(ada);
    browser = new Browser(service.url);
  });
  afterEach(() => service.stop());

  const invite = async (email = 'eve@example.com', to = projectId) => {
    const body = `<membership><person><email>${email}</email></person></membership>`;
    return new URL(textOf(await ada.post(`/projects/${to}/memberships`, body), 'url')).pathname;
  };
  const joined = async (email = 'eve@example.com') => {
    assertGoesTo(await browser.post(await invite(email), { name: 'Eve', ...passwords() }), '../account?done=password');
  };
  const signedIn = async (by = new Browser(service.url), password = PASSWORD) => {
    assertGoesTo(await by.post('/account', { do: 'signIn', email: 'eve@example.com', password }), 'account');
    return by;
  };
  const tokenFor = async (password: string) => {
    const headers = { Authorization: `Basic ${Buffer.from(`eve@example.com:${password}`).toString('base64')}` };
    return request(`${service.url}/services/v3/tokens/active`, { headers });
  };
  const status = async (token: string) => (await request(`${service.url}/services/v3/projects`, { token })).status;

  describe('an invitation', () => {
    it('shows who invites whom to what as often as it is looked at, and works once', async () => {
      const path = await invite();
      for (let times = 0; times < 3; times += 1) {
        assertPage(await browser.get(path), 200, /<bdi>Ada Lovelace<\/bdi> invited you to <strong><bdi>Apollo<\/bdi>/);
      }
      assertGoesTo(await browser.post(path, { name: 'Eve Moneypenny', ...passwords() }), '../account?done=password');
      const account = await browser.get('/account?done=password');
      assertPage(account, 200, /<bdi>Eve Moneypenny<\/bdi><\/strong>, <bdi>eve@example\.com/);
      assert.ok(
        account.text.includes(
          `Sign In to a Server…</em>, and enter this address: <code id="address">${service.url}</code>`,
        ),
      );
      assertPage(await new Browser(service.url).get(path), 404, /was used already, or has ended/);
      assertPage(await browser.post(path, passwords('another password')), 404, /was used already/);
      assertStatus(await tokenFor(PASSWORD), 200);
      const user = await service.running.database.read((tx) => userByEmail(tx, 'eve@example.com'));
      assert.deepEqual([user?.initials, user?.passwordSetAt], ['EM', now]);
    });

    it('gives stories that are theirs already the name that they choose', async () => {
      const path = await invite();
      const storyId = await newStory(ada, projectId, 'Land');
      const story = `/projects/${projectId}/stories/${storyId}`;
      assertStatus(await ada.put(story, '<story><owned_by>eve@example.com</owned_by></story>'), 200);
      assert.equal(textOf(await ada.get(story), 'owned_by'), 'eve@example.com');
      await browser.post(path, { name: 'Eve', ...passwords() });
      assert.equal(textOf(await ada.get(story), 'owned_by'), 'Eve');
      assert.ok(texts(await ada.get(`/projects/${projectId}`), 'name').includes('Eve'));
    });

    it('takes no password that is short, long, common, their own name, or typed differently twice', async () => {
      const path = await invite();
      const wrong = [
        [passwords('short 9..'), /at least 10 characters/],
        [passwords('x1'.repeat(513)), /at most 1,024 characters/],
        [passwords('Password123'), /too easy to guess/],
        [passwords('aaaaaaaaaaaa'), /too easy to guess/],
        [passwords('EVE@example.com'), /other than your name or address/],
        [{ password: PASSWORD, repeat: `${PASSWORD}!` }, /do not match/],
        [{ ...passwords(), name: 'x'.repeat(256) }, /at most 255 characters/],
        [{ ...passwords(), name: 'a\u0000b' }, /one line/],
        [{ ...passwords(), name: 'a\u202eb' }, /one line/],
        [{}, /at least 10 characters/],
      ] as const;
      for (const [fields, sentence] of wrong) {
        assertPage(await browser.post(path, { ...fields }), 422, sentence);
        assert.equal(browser.cookie, '');
      }
      assertGoesTo(await browser.post(path, passwords()), '../account?done=password');
    });

    it('ends after a day, when it is replaced, and when the person joins a project of another owner', async () => {
      const [over, replaced] = [await invite(), await invite('sue@example.com')];
      const last = await invite('sue@example.com');
      assertPage(await browser.get(replaced), 404, /Ask for a new one/);
      now += 24 * HOUR - 1;
      assertPage(await browser.get(over), 200, /eve@example\.com/);
      now += 1;
      assertPage(await browser.get(over), 404, /Ask for a new one/);
      assertPage(await browser.post(last, passwords()), 404, /Ask for a new one/);
      const path = await invite('zoe@example.com');
      const vera = await service.user('Vera Rubin');
      const other = await newProject(vera);
      const { database } = service.running;
      const zoe = await database.read((tx) => userByEmail(tx, 'zoe@example.com'));
      const userId = zoe?.id ?? 0;
      await database.write((tx) =>
        tx.insertInto('memberships').values({ projectId: other, userId, role: 'Member' }).execute(),
      );
      assertPage(await browser.get(path), 404, /Ask for a new one/);
    });

    it('cannot be guessed without end, and guesses hold up neither good links nor sign-ins', async () => {
      const path = await invite();
      const guess = (index: number) => browser.get(`/invite/${String(index).padStart(40, 'x')}`);
      for (let index = 0; index < 5; index += 1) assertPage(await guess(index), 404, /does not exist/);
      const refused = await guess(6);
      assertPage(refused, 429, /Too many attempts/);
      assert.ok(Number(refused.headers.get('retry-after')) >= 1);
      assertPage(await browser.get(path), 200, /eve@example\.com/);
      assertGoesTo(await browser.post(path, passwords()), '../account?done=password');
      await signedIn();
      now += HOUR;
      for (const odd of ['x', '%00', '..%2f', 'a'.repeat(100)]) {
        now += HOUR;
        assertPage(await browser.get(`/invite/${odd}`), 404, /does not exist/);
      }
      assertStatus(await browser.get(`/invite/${'a'.repeat(101)}`), 404);
    });

    it('are in no log, nor are passwords, cookies and tokens', async () => {
      const path = await invite();
      await browser.get(path);
      await browser.get(`/${path}`);
      await browser.post(path, passwords());
      const made = await browser.press('makeToken');
      const told = JSON.stringify(log);
      assert.match(told, /"\/invite\/…"/);
      const secrets = [path.slice('/invite/'.length), PASSWORD, browser.cookie.split('=')[1] ?? '', tokenIn(made)];
      for (const secret of secrets) assert.ok(secret.length > 9 && !told.includes(secret), secret);
      for (const bytes of await storedBytes(service.folder)) {
        for (const secret of secrets) assert.equal(bytes.includes(secret), false);
      }
    });
  });

  const tokenIn = ({ text }: Answer) => /<code id="token">([\w-]{40})<\/code>/.exec(text)?.[1] ?? assert.fail(text);

  describe('the account', () => {
    it('asks who is not signed in to do so, in one sentence whoever exists', async () => {
      await joined();
      const stranger = new Browser(service.url);
      assertPage(await stranger.get('/account'), 200, /<h1>Sign In<\/h1>/);
      for (const email of ['eve@example.com', 'nobody@example.com', ada.email, '']) {
        const answer = await stranger.post('/account', { do: 'signIn', email, password: 'a wrong password' });
        assertPage(answer, 422, /Wrong email address or password\./);
        assert.equal(stranger.cookie, '');
      }
      assertPage(await stranger.press('makeToken'), 422, /no longer signed in/);
    });

    it('names a token as its maker calls it, in a form of its own', async () => {
      await joined();
      const page = await browser.get('/account');
      assert.match(page.text, /<input name="tokenName" form="newToken" maxlength="100"/);
      assert.match(page.text, /<form method="post" id="newToken">\n<input [^>]*name="key"/);
      const key = await browser.key();
      const make = async (tokenName: string) =>
        tokenIn(await browser.post('/account', { key, do: 'makeToken', tokenName }));
      assert.equal(await status(await make(' Laptop <b>\u0000 ')), 200);
      await make('x'.repeat(5000));
      await make('');
      const { text } = await browser.get('/account');
      assert.match(text, /<bdi>Laptop &lt;b&gt;\uFFFD<\/bdi><span class="soft">Created/);
      assert.match(text, /aria-label="Revoke the token Laptop &lt;b&gt;\uFFFD, created 2/);
      assert.match(text, /<bdi>x{99}…<\/bdi>/);
      assert.match(text, /<div>Token<span/);
    });

    it('makes a token that can only read, and says so in the list', async () => {
      await joined();
      const create = { do: 'makeToken', tokenName: 'Agent', readOnly: 'on' };
      const token = tokenIn(await browser.post('/account', { key: await browser.key(), ...create }));
      assert.equal(await status(token), 200);
      const body = '<project><name>Made by an agent</name></project>';
      const refused = await request(`${service.url}/services/v3/projects`, { method: 'POST', token, body });
      assertRefused(refused, 403, /read-only/);
      const writing = tokenIn(await browser.press('makeToken'));
      assertStatus(await request(`${service.url}/services/v3/projects`, { method: 'POST', token: writing, body }), 200);
      const { text } = await browser.get('/account');
      assert.match(text, /<bdi>Agent<\/bdi><span class="soft">Read only\. Created 2/);
      assert.match(text, /<div>Token<span class="soft">Created 2/);
    });

    it('makes a token that works and is shown once, and ends one or all', async () => {
      await joined();
      const tokens = [tokenIn(await browser.press('makeToken')), tokenIn(await browser.press('makeToken'))] as const;
      const listed = await browser.get('/account');
      for (const token of tokens) {
        assert.equal(listed.text.includes(token), false);
        assert.equal(await status(token), 200);
      }
      const [newest = ''] = /endToken:\d+/.exec(listed.text) ?? [];
      assertGoesTo(await browser.press(newest), 'account?done=endToken');
      assert.deepEqual([await status(tokens[0]), await status(tokens[1])], [200, 401]);
      assertGoesTo(await browser.press('endTokens'), 'account?done=endTokens');
      assert.equal(await status(tokens[0]), 401);
      assert.equal(await status(ada.token), 200);
    });

    it('lists sessions with what they came from, ends others, and signs out', async () => {
      await joined();
      const other = await signedIn(new Browser(service.url, { 'User-Agent': '<b>Other</b> browser' }));
      const third = await signedIn();
      const listed = await browser.get('/account');
      assert.match(listed.text, /&lt;b&gt;Other&lt;\/b&gt;/);
      assert.equal(listed.text.match(/Signed in \d{4}-/g)?.length, 3);
      const id = /<bdi>&lt;b&gt;Other.*?value="(endSession:\d+)"/s.exec(listed.text)?.[1] ?? '';
      assertGoesTo(await browser.press(id), 'account?done=endSession');
      assertPage(await other.get('/account'), 200, /<h1>Sign In/);
      assertPage(await third.get('/account'), 200, /<h1>Account/);
      assertGoesTo(await browser.press('endSessions'), 'account?done=endSessions');
      assertPage(await third.get('/account'), 200, /<h1>Sign In/);
      const { cookie } = browser;
      assertGoesTo(await browser.press('signOut'), 'account?done=signOut');
      assert.match(browser.setCookie, /^story-tracker=; .*Max-Age=0/);
      browser.cookie = cookie;
      assertPage(await browser.get('/account'), 200, /<h1>Sign In/);
    });

    it('touches nothing that is someone else’s', async () => {
      await joined();
      const { cookie } = browser;
      await joined('sue@example.com');
      const sue = browser.cookie;
      browser.cookie = cookie;
      const token = tokenIn(await browser.press('makeToken'));
      const { text } = await browser.get('/account');
      const { database } = service.running;
      const sessions = await database.read((tx) => tx.selectFrom('sessions').select('id').execute());
      browser.cookie = sue;
      for (const { id } of sessions.slice(0, 1)) await browser.press(`endSession:${id}`);
      await browser.press(/endToken:\d+/.exec(text)?.[0] ?? '');
      assert.equal(await status(token), 200);
      browser.cookie = cookie;
      assertPage(await browser.get('/account'), 200, /<h1>Account/);
    });

    it('leaves projects, but not as the last owner', async () => {
      await joined();
      const other = await newProject(ada, 'Gemini &lt;i>');
      const eve = { ...ada, name: 'Eve', email: 'eve@example.com' };
      await addMember(ada, other, eve, 'Owner');
      const mine = idOf(await ada.get(`/projects/${other}/memberships`));
      assertStatus(await ada.delete(`/projects/${other}/memberships/${mine}`), 200);
      const page = await browser.get('/account');
      assert.match(page.text, /Gemini &lt;i&gt;/);
      assertPage(await browser.press(`leave:${other}`), 422, /only owner of the project/);
      assertGoesTo(await browser.press(`leave:${projectId}`), 'account?done=leave');
      assert.deepEqual(texts(await ada.get(`/projects/${projectId}/memberships`), 'email'), [ada.email]);
      assertPage(await browser.press(`leave:${projectId}`), 422, /no such project/);
      assertPage(await browser.press('leave:99999999999999'), 422, /no such project/);
      assertPage(await browser.get('/account'), 200, /Gemini/);
    });

    it('goes on for who is removed from a project, and shows nothing of that', async () => {
      await joined();
      const token = tokenIn(await browser.press('makeToken'));
      const members = await ada.get(`/projects/${projectId}/memberships`);
      const id = /<id>(\d+)<\/id>\s*<person>\s*<email>eve@/.exec(members.text)?.[1];
      assertStatus(await ada.delete(`/projects/${projectId}/memberships/${id}`), 200);
      const page = await browser.get('/account');
      assertPage(page, 200, /not a member of any project/);
      assert.doesNotMatch(page.text, /Apollo/);
      assert.equal(await status(token), 200);
      assertStatus(await request(`${service.url}/services/v3/projects/${projectId}`, { token }), 404);
    });

    it('ends a session that was not used for 12 hours, and any after a week', async () => {
      await joined();
      now += 12 * HOUR - 1;
      assertPage(await browser.get('/account'), 200, /<h1>Account/);
      await new Promise((resolve) => setTimeout(resolve, 200));
      for (let times = 0; times < 14; times += 1) {
        now += 11 * HOUR;
        const { text } = await browser.get('/account');
        await new Promise((resolve) => setTimeout(resolve, 100));
        assert.match(text, /<h1>Account/);
      }
      now += 11 * HOUR;
      assertPage(await browser.get('/account'), 200, /<h1>Sign In/);
      await signedIn(browser);
      now += 12 * HOUR;
      assertPage(await browser.get('/account'), 200, /<h1>Sign In/);
    });
  });

  describe('the password', () => {
    const changed = (by: Browser, more: Readonly<Record<string, string>>) =>
      by.post('/password', { email: 'eve@example.com', current: PASSWORD, ...passwords('ten green bottles'), ...more });

    it('is changed by who knows it, signed in or not, and ends sessions and tokens when asked to', async () => {
      await joined();
      const other = await signedIn();
      const token = tokenIn(await browser.press('makeToken'));
      assertPage(await browser.get('/password'), 200, /Signed in as <bdi>Eve/);
      assertGoesTo(await changed(browser, { key: await browser.key() }), 'account?done=password');
      assertPage(await browser.get('/account'), 200, /<h1>Account/);
      assertPage(await other.get('/account'), 200, /<h1>Account/);
      assert.equal(await status(token), 200);
      assertStatus(await tokenFor(PASSWORD), 401);
      const stranger = new Browser(service.url);
      assertPage(await stranger.get('/password'), 200, /name="email"/);
      const back = { current: 'ten green bottles', ...passwords(), others: 'on', tokens: 'on' };
      assertGoesTo(await changed(stranger, back), 'account?done=password');
      for (const each of [browser, other]) assertPage(await each.get('/account'), 200, /<h1>Sign In/);
      assertPage(await stranger.get('/account'), 200, /<h1>Account/);
      assert.equal(await status(token), 401);
      assertStatus(await tokenFor(PASSWORD), 200);
    });

    it('stays for who does not know it, or chooses a bad one', async () => {
      await joined();
      const key = await browser.key();
      assertPage(await changed(browser, { key, current: 'a wrong password' }), 422, /current password is wrong/);
      assertPage(await changed(browser, { key, ...passwords('qwertyuiop') }), 422, /too easy to guess/);
      const stranger = new Browser(service.url);
      assertPage(await changed(stranger, { email: 'nobody@example.com' }), 422, /current password is wrong/);
      assertPage(await changed(stranger, { email: ada.email }), 422, /current password is wrong/);
      assertPage(await changed(stranger, { current: 'x'.repeat(1_025) }), 422, /at most 1,024 characters/);
      assertStatus(await tokenFor(PASSWORD), 200);
    });

    it('is not guessed without end, over all ways to sign in together, and lets people in again later', async () => {
      await joined();
      const stranger = new Browser(service.url);
      for (let times = 0; times < 3; times += 1) await changed(stranger, { current: `guess ${times}` });
      for (let times = 0; times < 2; times += 1) await tokenFor(`guess ${times}`);
      assertPage(await changed(stranger, {}), 429, /Too many attempts/);
      const answer = await stranger.post('/account', { do: 'signIn', email: 'eve@example.com', password: PASSWORD });
      assertPage(answer, 429, /Too many attempts/);
      assertStatus(await tokenFor(PASSWORD), 429);
      now += 16 * 60_000;
      await signedIn(stranger);
    });
  });

  describe('all of them', () => {
    const forms = () => ['/account', '/password'];

    it('take no form without the key of the session, with a wrong one, or with that of another session', async () => {
      await joined();
      const other = keyIn(await (await signedIn()).get('/account'));
      const fields = { do: 'makeToken', current: PASSWORD, ...passwords('ten green bottles') };
      for (const path of forms()) {
        for (const key of [undefined, '', 'x', other, 'ü'.repeat(200)]) {
          assertPage(await browser.post(path, { ...fields, ...(key !== undefined && { key }) }), 403, /out of date/);
        }
      }
      assert.doesNotMatch((await browser.get('/account')).text, /endToken/);
      assertStatus(await tokenFor(PASSWORD), 200);
    });

    it('take no form from a page of elsewhere, whatever it comes with', async () => {
      const path = await invite();
      await joined('sue@example.com');
      const key = await browser.key();
      const foreign: readonly Readonly<Record<string, string>>[] = [
        { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' },
        { Origin: 'null', 'Sec-Fetch-Site': 'cross-site' },
        { Origin: 'null', 'Sec-Fetch-Site': 'same-site' },
        { Origin: 'null', 'Sec-Fetch-Site': '' },
        { Origin: 'https://evil.example', 'Sec-Fetch-Site': '' },
      ];
      for (const headers of foreign) {
        for (const form of [...forms(), path]) {
          assertStatus(await browser.post(form, { key, do: 'makeToken', ...passwords() }, headers), 403);
        }
      }
      assertPage(await browser.get(path), 200, /eve@example\.com/);
      assert.doesNotMatch((await browser.get('/account')).text, /endToken/);
      const link = { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate', Origin: 'https://mail.example' };
      assertPage(await browser.get(path, link), 200, /eve@example\.com/);
    });

    it('answer to no other host, and to GET, HEAD and POST only', async () => {
      for (const path of [...forms(), await invite()]) {
        for (const method of ['PUT', 'DELETE']) {
          const answer = await request(service.url + path, { method });
          assertStatus(answer, 405);
          assert.equal(answer.headers.get('allow'), 'GET, HEAD, POST');
        }
        assertStatus(await request(service.url + path, { method: 'HEAD' }), 200);
      }
    });

    it('set a cookie that no script reads and no other site sends', async () => {
      await joined();
      assert.match(browser.setCookie, /^story-tracker=[\w-]{40}; Path=\/; HttpOnly; SameSite=Strict$/);
      const publicUrl = 'https://tracker.example.org/t';
      const open = await startTestService({ publicUrl });
      const user = await open.user('Ada');
      const body = '<membership><person><email>eve@example.com</email></person></membership>';
      const link = textOf(await user.post(`/projects/${await newProject(user)}/memberships`, body), 'url');
      assert.ok(link.startsWith(`${publicUrl}/invite/`));
      const far = new Browser(open.url);
      assertGoesTo(await far.post(link.slice(publicUrl.length), passwords()), '../account?done=password');
      assert.ok((await far.get('/account')).text.includes(`<code id="address">${publicUrl}</code>`));
      await open.stop();
      assert.match(far.setCookie, /^__Host-story-tracker=[\w-]{40}; Path=\/; HttpOnly; SameSite=Strict; Secure$/);
    });

    it('bound what they are sent before they look at it', async () => {
      const path = await invite();
      const many = Object.fromEntries(Array.from({ length: 4_100 }, (_, index) => [`a${index}`, '']));
      for (const form of [...forms(), path]) {
        assertPage(await browser.post(form, many), 400, /at most 4,096/);
        assertPage(await browser.post(form, { password: 'x'.repeat(70_000) }), 413, /./);
      }
      assertPage(await browser.get(path), 200, /eve@example\.com/);
    });

    it('show hostile names as text', async () => {
      const hostile = '"><img src=x onerror=alert(1)>\u202e';
      await service.running.database.write(async (tx) => {
        const password = await hashPassword(PASSWORD);
        await addUser(tx, { name: hostile, email: '"<b>"@example.com', password }, now);
      });
      const login = { do: 'signIn', email: '"<b>"@example.com', password: PASSWORD };
      assertGoesTo(await browser.post('/account', login), 'account');
      const page = await browser.get('/account');
      assertPage(page, 200, /&lt;img src=x onerror/);
      assert.doesNotMatch(page.text, /<img|\u202e/);
      const wrong = await new Browser(service.url).post('/account', { ...login, password: 'a wrong one' });
      assertPage(wrong, 422, /value="&quot;&lt;b&gt;&quot;@example\.com"/);
      assertPage(await browser.get('/account?done=%3Cb%3E&done=constructor'), 200, /<h1>Account/);
      assertPage(await browser.get('/account?done=constructor'), 200, /<h1>Account/);
    });

    it('are not served over a network in the clear', async function () {
      const address = ownAddress();
      if (address === undefined) return this.skip();
      const open = await startTestService({ host: '0.0.0.0' });
      const far = new Browser(`http://${address}:${new URL(open.url).port}`);
      for (const path of [...forms(), '/invite/x']) {
        assertPage(await far.get(path), 403, /only works over HTTPS/);
        assertPage(await far.post(path, passwords(), { 'Sec-Fetch-Site': '', Origin: '' }), 403, /./);
      }
      await open.stop();
    });
  });
});
