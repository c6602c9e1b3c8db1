import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir, readdir, readFile, stat } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import type { ServiceEvent } from '../../src/service/ground/background.ts';
import type { MailSettings } from '../../src/service/mail/mailContext.ts';
import { retryJobs } from '../../src/service/store/jobs/queues.ts';
import { setAssignedMail } from '../../src/service/store/people/users.ts';
import { eventually } from '../support/eventually.ts';
import { type MailServer, startMailServer } from './support/mailServer.ts';
import { addMember, newProject, newStory } from './support/project.ts';
import { assertStatus, request } from './support/request.ts';
import { registered, startTestService, type TestService, type TestUser } from './support/testService.ts';

const from = { name: 'Story Tracker', address: 'tracker@example.org' };

function through({ port }: Pick<MailServer, 'port'>, more: Partial<MailSettings['server']> = {}): MailSettings {
  return {
    from,
    server: { host: '127.0.0.1', port, tls: 'never', ...more },
    replyDomain: 'reply.example.org',
  };
}

/** There is another Ben too, a member of another project. */
async function members(service: TestService): Promise<{ ada: TestUser; ben: TestUser; projectId: number }> {
  const ada = await service.user('Ada');
  await registered(service.running, 'Ben', 'ben@example.com');
  const namesake = '<person><email>ben@example.com</email></person>';
  const elsewhere = `/projects/${await newProject(ada, 'Elsewhere')}/memberships`;
  assertStatus(await ada.post(elsewhere, `<membership>${namesake}</membership>`), 200);
  const ben = await service.user('Ben');
  const projectId = await newProject(ada, 'Apollo');
  await addMember(ada, projectId, ben, 'Member');
  return { ada, ben, projectId };
}

const owned = (name: string) => `<story><owned_by>${name}</owned_by></story>`;

describe('Assignment emails, to a mail server', function () {
  this.timeout(20_000);
  let server: MailServer;
  let service: TestService;
  let ada: TestUser;
  let ben: TestUser;
  let projectId: number;
  const log: ServiceEvent[] = [];
  /** Milliseconds. */
  let ahead = 0;

  before(async () => {
    server = await startMailServer();
    service = await startTestService({
      clock: () => Date.now() + ahead,
      mail: through(server),
      publicUrl: 'https://tracker.example.org/t',
      log: (event) => void log.push(event),
    });
    ({ ada, ben, projectId } = await members(service));
  });
  after(async () => {
    await service.stop();
    await server.stop();
  });

  const assign = async (user: TestUser, storyId: number, name: string) =>
    assertStatus(await user.put(`/projects/${projectId}/stories/${storyId}`, owned(name)), 200);
  const mailAbout = (storyId: number) => server.mails.filter(({ subject }) => subject?.startsWith(`#${storyId} `));
  /** A mail that comes last shows that none came before it that should not have. */
  const fence = async (): Promise<void> => {
    const storyId = await newStory(ada, projectId, 'Fence', '<owned_by>Ben</owned_by>');
    await eventually(() => assert.equal(mailAbout(storyId).length, 1));
  };

  it('tell the new owner, once, who gave them which story', async () => {
    const storyId = await newStory(ada, projectId, 'Land on the Moon');
    await assign(ada, storyId, 'Ben');
    await eventually(() => assert.equal(mailAbout(storyId).length, 1));
    const [mail] = mailAbout(storyId);
    assert.deepEqual(mail?.recipients, ['ben@example.org']);
    assert.equal(mail?.envelopeFrom, 'tracker@example.org');
    assert.equal(mail?.subject, `#${storyId} Land on the Moon`);
    assert.match(
      mail?.text ?? '',
      new RegExp(
        `Ada assigned you a story in Apollo:\\s+#${storyId} Land on the Moon\\s+feature, unscheduled\\s+https://tracker.example.org/t/story/show/${storyId}\\s`,
      ),
    );
    const [reply] = mail?.replyTo ?? [];
    assert.match(reply?.address ?? '', new RegExp(`^story-${storyId}-\\d+-[0-9a-v]{32}@reply\\.example\\.org$`));
  });

  it('tell of a story that is made for someone', async () => {
    const storyId = await newStory(ada, projectId, 'Made for Ben', '<owned_by>Ben</owned_by>');
    await eventually(() => assert.equal(mailAbout(storyId).length, 1));
  });

  it('are not sent to oneself, nor for changes of something else, nor to who is no member', async () => {
    const own = await newStory(ben, projectId, 'Own', '<owned_by>Ben</owned_by>');
    const again = await newStory(ada, projectId, 'Again', '<owned_by>Ben</owned_by>');
    await eventually(() => assert.equal(mailAbout(again).length, 1));
    await assign(ada, again, 'Ben');
    await ada.put(`/projects/${projectId}/stories/${again}`, '<story><name>Renamed</name></story>');
    const stranger = '<story><name>Stranger</name><owned_by>Nobody Here</owned_by></story>';
    assertStatus(await ada.post(`/projects/${projectId}/stories`, stranger), 422);
    await fence();
    assert.deepEqual(
      [own, again].map((id) => mailAbout(id).length),
      [0, 1],
    );
  });

  it('are not sent to addresses at which nobody is', async () => {
    await registered(service.running, 'Old', 'old@imported.invalid');
    const person = '<person><email>old@imported.invalid</email></person>';
    await ada.post(`/projects/${projectId}/memberships`, `<membership>${person}</membership>`);
    await newStory(ada, projectId, 'For nobody', '<owned_by>Old</owned_by>');
    await fence();
    assert.ok(server.mails.every(({ subject }) => !subject?.includes('For nobody')));
  });

  it('show whatever a story is called in one line, and as text', async () => {
    const name = 'A&#10;Bcc: eve@example.org&#13;&#10;&#13;&#10;&lt;script&gt;alert(1)&lt;/script&gt;';
    const storyId = await newStory(ada, projectId, name, '<owned_by>Ben</owned_by>');
    await eventually(() => assert.equal(mailAbout(storyId).length, 1));
    const [mail] = mailAbout(storyId);
    assert.deepEqual(mail?.recipients, ['ben@example.org']);
    assert.equal(mail?.bcc, undefined);
    assert.equal(mail?.subject, `#${storyId} A Bcc: eve@example.org <script>alert(1)</script>`);
    assert.doesNotMatch(mail?.html ?? '', /<script/);
  });

  it('are turned off by the recipient, at the address that each mail names', async () => {
    const storyId = await newStory(ada, projectId, 'Off', '<owned_by>Ben</owned_by>');
    await eventually(() => assert.equal(mailAbout(storyId).length, 1));
    const [mail] = mailAbout(storyId);
    const [, path = ''] =
      /^<https:\/\/tracker\.example\.org\/t(\S+)>$/.exec(
        mail?.headers.find(({ key }) => key === 'list-unsubscribe')?.value ?? '',
      ) ?? [];
    const url = service.url + path;
    const form = { headers: { 'Content-Type': 'application/x-www-form-urlencoded' }, method: 'POST' };
    assert.match((await request(url)).text, /name="everywhere" checked>.*name="project" checked>/s);

    assertStatus(await request(url, { ...form, body: 'List-Unsubscribe=One-Click' }), 200);
    assert.match((await request(url)).text, /name="everywhere" checked>.*name="project">/s);
    const whileOff = await newStory(ada, projectId, 'While off', '<owned_by>Ben</owned_by>');
    assert.match(
      (await request(url, { ...form, body: 'project=on' })).text,
      /name="everywhere">.*name="project" checked>/s,
    );
    const stillOff = await newStory(ada, projectId, 'Still off', '<owned_by>Ben</owned_by>');
    assert.match((await request(url, { ...form, body: 'project=on&everywhere=on' })).text, /Saved/);
    await fence();
    assert.deepEqual(
      [whileOff, stillOff].map((id) => mailAbout(id).length),
      [0, 0],
    );

    const own = { ...form, headers: { ...form.headers, Origin: service.url }, body: 'project=on&everywhere=on' };
    assertStatus(await request(url, own), 200);
    assertStatus(await request(url, { ...own, headers: { ...own.headers, Origin: 'https://eve.example.org' } }), 403);

    const forged = url.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
    assertStatus(await request(forged), 404);
    assertStatus(await request(`${service.url}/mail/preferences`), 404);
    assertStatus(await request(url, { method: 'HEAD' }), 200);
    assertStatus(await request(url, { method: 'DELETE' }), 405);
  });

  it('of a project that keeps to HTTPS say its number only', async () => {
    const secret = await newProject(ada, 'Secret', '<use_https>true</use_https>');
    await addMember(ada, secret, ben, 'Member');
    await newStory(ada, secret, 'Nobody may read this', '<owned_by>Ben</owned_by>');
    await eventually(() => assert.ok(server.mails.some(({ subject }) => subject?.startsWith('Ada assigned story #'))));
    for (const { raw } of server.mails) assert.doesNotMatch(raw, /Nobody may read|Secret/);
    const { text = '' } = server.mails.find(({ subject }) => subject?.startsWith('Ada assigned story #')) ?? {};
    const [, path = ''] = /https:\/\/tracker\.example\.org\/t(\/mail\/preferences\S+)/.exec(text) ?? [];
    const page = await request(service.url + path);
    assert.match(page.text, /Assigned stories of this project/);
    assert.doesNotMatch(page.text, /Secret/);
  });

  it('are not sent when the story is gone, or someone else’s, before the mail is', async () => {
    server.refuse(451);
    const gone = await newStory(ada, projectId, 'Gone', '<owned_by>Ben</owned_by>');
    const given = await newStory(ada, projectId, 'Given on', '<owned_by>Ben</owned_by>');
    const kept = await newStory(ada, projectId, 'Kept', '<owned_by>Ben</owned_by>');
    await eventually(() => assert.ok(log.filter(({ event }) => event === 'deliveryFailed').length >= 3));
    await ada.delete(`/projects/${projectId}/stories/${gone}`);
    await assign(ada, given, 'Ada');
    server.refuse(undefined);
    await eventually(() => assert.equal(mailAbout(kept).length, 1));
    await fence();
    assert.deepEqual(
      [gone, given].map((id) => mailAbout(id).length),
      [0, 0],
    );
  });

  it('are not sent to who wants none any more, though they were queued before', async () => {
    server.refuse(451);
    const storyId = await newStory(ada, projectId, 'Unwanted', '<owned_by>Ben</owned_by>');
    const jobs = () => service.running.database.read((tx) => tx.selectFrom('jobs').selectAll().execute());
    await eventually(async () => assert.ok((await jobs()).some(({ attempts }) => attempts > 0)));
    const choose = async (isWanted: boolean) => {
      const [user] = await service.running.database.read((tx) =>
        tx.selectFrom('users').selectAll().where('email', '=', ben.email).execute(),
      );
      await service.running.database.write((tx) => setAssignedMail(tx, user?.id ?? 0, undefined, isWanted));
    };
    await choose(false);
    // Whatever is still sent fails and stays: only what is not sent is done.
    await eventually(async () => assert.deepEqual(await jobs(), []));
    server.refuse(undefined);
    await choose(true);
    assert.equal(mailAbout(storyId).length, 0);
  });

  it('beyond what a project or a person may bring about go out later, and the log says so; nothing else waits', async () => {
    const setCounter = (name: string, hours: number) =>
      service.running.database.write((tx) => {
        const value = Date.now() + hours * 3_600_000;
        return tx
          .insertInto('counters')
          .values({ name, value })
          .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
          .execute();
      });
    const due = () =>
      service.running.database.read((tx) =>
        tx.selectFrom('queues').select('dueAt').where('kind', '=', 'mail').where('dueAt', '>', Date.now()).execute(),
      );
    const busy = await newProject(ada, 'Busy');
    await addMember(ada, busy, ben, 'Member');
    const adaId = await service.running.database.read((tx) =>
      tx.selectFrom('users').select('id').where('email', '=', ada.email).executeTakeFirstOrThrow(),
    );
    const told = (event: string) => log.filter((each) => each.event === event && each.project === busy).length;
    await newStory(ada, busy, 'At once', '<owned_by>Ben</owned_by>');
    await eventually(() => assert.ok(server.mails.some(({ subject }) => subject?.endsWith('At once'))));
    await setCounter(`mailsOfProject:${busy}`, 2);
    await newStory(ada, busy, 'Later', '<owned_by>Ben</owned_by>');
    await setCounter(`mailsOfProject:${busy}`, 0);
    await setCounter(`mailsOfPerson:${adaId.id}`, 3);
    await newStory(ada, busy, 'Later still', '<owned_by>Ben</owned_by>');
    assert.deepEqual([told('mailHeldBack'), told('mailDropped')], [2, 0]);
    assert.equal((await due()).length, 2);
    await setCounter(`mailsOfPerson:${adaId.id}`, 25);
    const lost = await newStory(ada, busy, 'Never', '<owned_by>Ben</owned_by>');
    assert.deepEqual([told('mailHeldBack'), told('mailDropped'), (await due()).length], [2, 1, 2]);
    const path = `/projects/${busy}/stories/${lost}`;
    assertStatus(await ben.post(`${path}/notes`, '<note><text>Seen all the same.</text></note>'), 200);
    assert.match((await ada.get(path)).text, /<owned_by>Ben<\/owned_by>.*Seen all the same/s);
    await service.running.database.write(async (tx) => {
      await tx.deleteFrom('counters').where('name', 'like', 'mails%').execute();
      await retryJobs(tx, 'all', Date.now());
    });
    const subjects = () => server.mails.map(({ subject }) => subject?.replace(/^#\d+ /, ''));
    await eventually(() => assert.ok(['Later', 'Later still'].every((name) => subjects().includes(name))));
    assert.ok(!subjects().includes('Never'));
  });

  it('are not held back by a clock that was ahead for a while', async () => {
    const hasty = await newProject(ada, 'Hasty');
    await addMember(ada, hasty, ben, 'Member');
    for (const hours of [10, 300 * 24]) {
      ahead = hours * 3_600_000;
      const early = await newStory(ada, hasty, `Early ${hours}`, '<owned_by>Ben</owned_by>');
      ahead = 0;
      const names = [`Early ${hours}`, ...Array.from({ length: 5 }, (_, index) => `In time ${hours} ${index}`)];
      for (const name of names.slice(1)) await newStory(ada, hasty, name, '<owned_by>Ben</owned_by>');
      const subjects = () => server.mails.map(({ subject }) => subject?.replace(/^#\d+ /, ''));
      await eventually(() => assert.ok(names.every((name) => subjects().includes(name))), 10_000);
      assert.equal(mailAbout(early).length, 1);
    }
    assert.equal(log.filter((each) => each.event === 'mailHeldBack' && each.project === hasty).length, 0);
  });

  it('are parked when the server never takes them, and hold up no others', async () => {
    server.refuse(550);
    const refused = await newStory(ada, projectId, 'Refused', '<owned_by>Ben</owned_by>');
    await eventually(() =>
      assert.ok(log.some(({ event, message }) => event === 'deliveryParked' && /550/.test(String(message)))),
    );
    server.refuse(undefined);
    await fence();
    assert.equal(mailAbout(refused).length, 0);
  });

  it('never show in the log where they can be answered', () => {
    assert.ok(log.some(({ event }) => event === 'mail'));
    assert.doesNotMatch(JSON.stringify(log), /story-\d+-\d+-[0-9a-v]{32}|preferences\?of/);
  });
});

describe('Assignment emails, when their server is away', function () {
  this.timeout(30_000);

  it('are sent once it is back, also by the service that was started in the meantime', async () => {
    const first = await startMailServer();
    const { port } = first;
    await first.stop();
    const service = await startTestService({ mail: through(first) });
    const { ada, projectId } = await members(service);
    for (const name of ['One', 'Two']) await newStory(ada, projectId, name, '<owned_by>Ben</owned_by>');
    await service.running.stop();
    const again = await startTestService({ dataFolder: service.folder, mail: through(first) });
    const server = await startMailServer({}, port);
    await eventually(() => assert.equal(server.mails.length, 2), 20_000);
    await again.stop();
    await server.stop();
    const ids = server.mails.map(({ messageId }) => messageId);
    assert.equal(new Set(ids).size, 2);
  });

  it('hold up no stop, however long the server goes on, and are sent by the next start', async () => {
    let isAsked = false;
    const endless = createServer((socket) => {
      isAsked = true;
      const talk = setInterval(() => socket.write('220-wait\r\n'), 100);
      socket.on('error', () => undefined).once('close', () => clearInterval(talk));
    }).listen(0, '127.0.0.1');
    await once(endless, 'listening');
    const { port } = endless.address() as AddressInfo;
    const mail = through({ port });
    const service = await startTestService({ mail, deliveryPatience: 100 });
    const { ada, projectId } = await members(service);
    await newStory(ada, projectId, 'One', '<owned_by>Ben</owned_by>');
    await eventually(() => assert.ok(isAsked));
    await service.running.stop();
    await new Promise((resolve) => endless.close(resolve));

    const server = await startMailServer({}, port);
    const again = await startTestService({ dataFolder: service.folder, mail });
    await eventually(() => assert.equal(server.mails.length, 1), 10_000);
    await again.stop();
    await server.stop();
  }).timeout(15_000);
});

describe('Assignment emails and TLS', function () {
  this.timeout(20_000);

  it('go encrypted where the server offers it', async () => {
    const server = await startMailServer({ disabledCommands: ['AUTH'] });
    const service = await startTestService({ mail: through(server, { tls: 'offered' }) });
    const { ada, projectId } = await members(service);
    await newStory(ada, projectId, 'One', '<owned_by>Ben</owned_by>');
    await eventually(() => assert.equal(server.mails.length, 1));
    assert.equal(server.mails[0]?.isSecure, true);
    await service.stop();
    await server.stop();
  });

  for (const [what, options, tls] of [
    ['offers none', {}, 'required'],
    ['does not prove who it is', { disabledCommands: ['AUTH'] }, 'required'],
    ['does not prove who it is, from the first byte on', { secure: true }, 'implicit'],
  ] as const) {
    it(`do not go to a server that ${what}, nor does the password`, async () => {
      let isAsked = false;
      const onAuth = () => {
        isAsked = true;
      };
      const server = await startMailServer({
        ...options,
        disabledCommands: tls === 'required' && what === 'offers none' ? ['STARTTLS'] : [],
        allowInsecureAuth: true,
        onAuth,
      });
      const log: ServiceEvent[] = [];
      const mail = through(server, { tls, user: 'tracker', password: 'secret of the server' });
      const service = await startTestService({ mail, log: (event) => void log.push(event) });
      const { ada, projectId } = await members(service);
      await newStory(ada, projectId, 'One', '<owned_by>Ben</owned_by>');
      await eventually(() => assert.ok(log.some(({ event }) => event === 'deliveryFailed')));
      assert.deepEqual([server.mails.length, isAsked], [0, false]);
      assert.doesNotMatch(JSON.stringify(log), /secret of the server/);
      await service.stop();
      await server.stop();
    });
  }
});

describe('Assignment emails, without a server', function () {
  this.timeout(20_000);

  it('are files that mail programs open, for their owner only, and the log says so once', async () => {
    const log: ServiceEvent[] = [];
    const service = await startTestService({ log: (event) => void log.push(event) });
    const { ada, projectId } = await members(service);
    for (const name of ['Überflug', 'Landung']) await newStory(ada, projectId, name, '<owned_by>Ben</owned_by>');
    const folder = join(service.folder, 'mail');
    await mkdir(folder, { recursive: true });
    const isWritten = (name: string) => !name.startsWith('.');
    await eventually(async () => assert.equal((await readdir(folder)).filter(isWritten).length, 2));
    const subjects: string[] = [];
    for (const name of await readdir(folder)) {
      assert.match(name, /^[\w-]+\.eml$/);
      if (process.platform !== 'win32') assert.equal((await stat(join(folder, name))).mode & 0o777, 0o600);
      const email = await PostalMime.parse(await readFile(join(folder, name)));
      subjects.push(email.subject?.replace(/^#\d+ /, '') ?? '');
      assert.deepEqual(email.to, [{ name: 'Ben', address: 'ben@example.org' }]);
      assert.match(email.text ?? '', new RegExp(`${service.url}/story/show/`));
    }
    assert.deepEqual(subjects.sort(), ['Landung', 'Überflug']);
    assert.equal(log.filter(({ message }) => String(message).includes('No SMTP server is set')).length, 1);
    await service.stop();
  });

  it('are not made where one person works alone', async () => {
    const service = await startTestService({ embedded: true });
    const { ada, projectId } = await members(service);
    await newStory(ada, projectId, 'One', '<owned_by>Ben</owned_by>');
    const waiting = () => service.running.database.read((tx) => tx.selectFrom('jobs').selectAll().execute());
    await eventually(async () => assert.deepEqual(await waiting(), []));
    assert.ok(!(await readdir(service.folder)).includes('mail'));
    await service.stop();
  });
});
