import assert from 'node:assert/strict';
import { tokenHash } from '../../src/service/store/people/tokens.ts';
import { userByEmail } from '../../src/service/store/people/users.ts';
import { eventually } from '../support/eventually.ts';
import { type MailServer, startMailServer } from './support/mailServer.ts';
import { ownAddress } from './support/ownAddress.ts';
import { newProject } from './support/project.ts';
import { type Answer, assertRefused, assertStatus, idOf, textOf, texts } from './support/request.ts';
import { runService } from './support/serviceProcess.ts';
import { storedBytes } from './support/testDatabase.ts';
import { startTestService, type TestService, type TestUser, userOf } from './support/testService.ts';

const HOUR = 3_600_000;
const LINK = /^http:\/\/127\.0\.0\.1:\d+\/invite\/([\w-]{40})$/;

const adding = (by: TestUser, projectId: number, email: string, role = ''): Promise<Answer> =>
  by.post(
    `/projects/${projectId}/memberships`,
    `<membership><role>${role}</role><person><email>${email}</email></person></membership>`,
  );
const linkIn = (answer: Answer): string => LINK.exec(textOf(answer, 'url'))?.[1] ?? assert.fail(answer.text);
const hashesOf = async ({ running }: TestService): Promise<readonly string[]> => {
  const rows = await running.database.read((tx) => tx.selectFrom('invitations').select('hash').orderBy('id').execute());
  return rows.map(({ hash }) => hash);
};

describe('invitations', () => {
  let now = Date.UTC(2026, 2, 2, 9);
  let service: TestService;
  let ada: TestUser;
  let projectId: number;

  beforeEach(async () => {
    service = await startTestService({ clock: () => now });
    ada = await service.user('Ada Lovelace');
    projectId = await newProject(ada);
  });
  afterEach(() => service.stop());

  it('come with a membership of who is no user yet: the owner has a link to pass on, for a day', async () => {
    const answer = await adding(ada, projectId, 'Eve@Example.com');
    assert.deepEqual([textOf(answer, 'email'), textOf(answer, 'role')], ['eve@example.com', 'Member']);
    assert.equal(textOf(answer, 'expires_at'), '2026/03/03 09:00:00 UTC');
    assert.equal(textOf(answer, 'mailed'), 'false');
    assert.deepEqual(await hashesOf(service), [tokenHash(linkIn(answer))]);
    const user = await service.running.database.read((tx) => userByEmail(tx, 'eve@example.com'));
    assert.deepEqual([user?.password, user?.passwordSetAt], [null, null]);
  });

  it('are kept as hashes only', async () => {
    const token = linkIn(await adding(ada, projectId, 'eve@example.com'));
    for (const bytes of await storedBytes(service.folder)) assert.equal(bytes.includes(token), false);
  });

  it('are not for who can sign in already, nor for addresses that reach nobody', async () => {
    const vera = await service.user('Vera Rubin');
    for (const email of [vera.email, 'bo@imported.invalid', 'me@localhost']) {
      const answer = await adding(ada, projectId, email);
      assertStatus(answer, 200);
      assert.doesNotMatch(answer.text, /invitation/);
    }
  });

  it('are replaced when the person is invited again, and stay when their role changes', async () => {
    const first = linkIn(await adding(ada, projectId, 'eve@example.com'));
    const second = linkIn(await adding(ada, projectId, 'eve@example.com'));
    assert.notEqual(first, second);
    assert.deepEqual(await hashesOf(service), [tokenHash(second)]);
    const changed = await adding(ada, projectId, 'eve@example.com', 'Viewer');
    assert.equal(textOf(changed, 'role'), 'Viewer');
    assert.doesNotMatch(changed.text, /invitation/);
    assert.deepEqual(await hashesOf(service), [tokenHash(second)]);
  });

  it('end with the membership', async () => {
    const membership = idOf(await adding(ada, projectId, 'eve@example.com'));
    assertStatus(await ada.delete(`/projects/${projectId}/memberships/${membership}`), 200);
    assert.deepEqual(await hashesOf(service), []);
  });

  it('are made for one person five times an hour, whoever asks; a further project takes them without one', async () => {
    for (let times = 0; times < 5; times += 1) assertStatus(await adding(ada, projectId, 'eve@example.com'), 200);
    const refused = await adding(ada, projectId, 'eve@example.com');
    assertRefused(refused, 429, /invited at most 5 times an hour\. Try again in 3600 s/);
    const other = await adding(ada, await newProject(ada, 'Gemini'), 'eve@example.com');
    assertStatus(other, 200);
    assert.doesNotMatch(other.text, /invitation/);
    now += HOUR;
    assert.match((await adding(ada, projectId, 'eve@example.com')).text, /invitation/);
  });

  it('of one owner are no way into the projects of another', async () => {
    linkIn(await adding(ada, projectId, 'eve@example.com'));
    const vera = await service.user('Vera Rubin');
    const other = await newProject(vera, 'Gemini');
    assertRefused(await adding(vera, other, 'eve@example.com'), 422, /eve@example\.com was invited to another project/);
    assert.deepEqual(texts(await vera.get(`/projects/${other}/memberships`), 'email'), [vera.email]);
    now += 25 * HOUR;
    const added = await adding(vera, other, 'eve@example.com');
    assertStatus(added, 200);
    assert.doesNotMatch(added.text, /invitation/);
    assert.doesNotMatch((await adding(ada, projectId, 'eve@example.com')).text, /invitation/);
  });

  it('are given out over a private line only', async function () {
    const address = ownAddress();
    if (address === undefined) return this.skip();
    const open = await startTestService({ host: '0.0.0.0', clock: () => now });
    const near = await open.user('Ada Lovelace');
    const { port } = new URL(open.url);
    const far = userOf(`http://${address}:${port}`, near.name, near.email, near.token);
    const answer = await adding(far, await newProject(far), 'eve@example.com');
    await open.stop();
    assertStatus(answer, 200);
    assert.doesNotMatch(answer.text, /invitation/);
  });
});

describe('invitations by email', () => {
  let server: MailServer;
  let service: TestService;
  let ada: TestUser;
  const url = 'https://tracker.example.org/t';

  before(async () => {
    server = await startMailServer();
    const from = { name: 'Story Tracker', address: 'tracker@example.org' };
    const mail = { from, server: { host: '127.0.0.1', port: server.port, tls: 'never' } } as const;
    service = await startTestService({ mail, publicUrl: url });
    ada = await service.user('Ada Lovelace');
  });
  after(async () => {
    await service.stop();
    await server.stop();
  });

  const mailTo = (email: string) =>
    eventually(async () => server.mails.findLast(({ recipients }) => recipients[0] === email) ?? assert.fail());
  const linkOf = (text = '') => /https:\/\/tracker\.example\.org\/t\/invite\/([\w-]{40})/.exec(text)?.[1] ?? '';

  it('say who invites to what, and hold a link of their own that works like the one the owner has', async () => {
    const projectId = await newProject(ada, 'Apollo &lt;b>&amp; co');
    const answer = await adding(ada, projectId, 'eve@example.com');
    assert.equal(textOf(answer, 'mailed'), 'true');
    const mail = await mailTo('eve@example.com');
    assert.equal(mail.subject, 'Ada Lovelace invited you to Apollo <b>& co');
    assert.match(mail.html ?? '', /Apollo &lt;b&gt;&amp; co/);
    assert.match(mail.text ?? '', /works once, until \d{4}-\d\d-\d\d \d\d:\d\d UTC/);
    const [handed, mailed] = await hashesOf(service);
    assert.equal(handed, tokenHash(textOf(answer, 'url').slice(`${url}/invite/`.length)));
    assert.equal(mailed, tokenHash(linkOf(mail.text)));
  });

  it('go to the invited person alone where another owner has invited them', async () => {
    const vera = await service.user('Vera Rubin');
    const answer = await adding(vera, await newProject(vera, 'Gemini'), 'eve@example.com');
    assert.deepEqual([textOf(answer, 'mailed'), texts(answer, 'url')], ['true', []]);
    const mail = await eventually(async () => {
      const found = server.mails.find(({ subject }) => subject === 'Vera Rubin invited you to Gemini');
      return found ?? assert.fail();
    });
    assert.equal((await hashesOf(service)).at(-1), tokenHash(linkOf(mail.text)));
  });

  it('do not name a project that requires HTTPS', async () => {
    const projectId = await newProject(ada, 'Secret', '<use_https>true</use_https>');
    const headers = { 'X-ServiceToken': ada.token, 'Content-Type': 'application/xml' };
    const body = '<membership><person><email>sue@example.com</email></person></membership>';
    const path = `${service.url}/services/v3/projects/${projectId}/memberships`;
    assert.equal((await fetch(path, { method: 'POST', headers, body })).status, 200);
    assert.equal((await mailTo('sue@example.com')).subject, 'Ada Lovelace invited you to Story Tracker');
  });
});

describe('the command invite', () => {
  let service: TestService;
  before(async () => {
    service = await startTestService({ notesAddress: true });
  });
  after(() => service.stop());
  const invite = async (...args: readonly string[]) => runService(['invite', ...args, '--data', service.folder]);

  it('prints an address of the service that was last started, for who is a user and who is not', async () => {
    const ada = await service.user('Ada Lovelace');
    for (const email of [ada.email, 'new@example.com']) {
      const { code, stdout, stderr } = await invite('--email', email);
      assert.equal(code, 0, stderr);
      const [sentence = '', link = ''] = stdout.split('\n');
      assert.match(sentence, new RegExp(`<${email}> can set a password until \\d{4}-.*Z at$`));
      assert.ok(link.startsWith(`${service.url}/invite/`), link);
      assert.ok((await hashesOf(service)).includes(tokenHash(link.slice(`${service.url}/invite/`.length))));
    }
  });

  it('adds to a project, in a role, and takes another address of the service', async () => {
    const vera = await service.user('Vera Rubin');
    const projectId = await newProject(vera);
    const args = ['--email', 'o@example.com', '--project', String(projectId), '--role', 'Owner', '--name', 'Ola'];
    const { stdout } = await invite(...args, '--public-url', 'https://t.example.org/', '--json');
    const { url, project } = JSON.parse(stdout);
    assert.match(url, /^https:\/\/t\.example\.org\/invite\/[\w-]{40}$/);
    assert.equal(project, projectId);
    const members = await vera.get(`/projects/${projectId}/memberships`);
    assert.deepEqual(texts(members, 'email'), [vera.email, 'o@example.com']);
    assert.deepEqual(texts(members, 'role'), ['Owner', 'Owner']);
  });

  it('says what is missing or wrong', async () => {
    const sentences = [
      [[], /Missing --email/],
      [['--email', 'x'], /Missing --email/],
      [['--email', 'a@b.c', '--role', 'Owner'], /--role requires --project/],
      [['--email', 'a@b.c', '--project', '999'], /No project has the ID 999/],
      [['--email', 'a@b.c', '--name', 'a\nb'], /--name must be one line/],
    ] as const;
    for (const [args, sentence] of sentences) {
      const { code, stderr } = await invite(...args);
      assert.equal(code, 2, stderr);
      assert.match(stderr, sentence);
    }
  });
});
