import assert from 'node:assert/strict';
import { copyFile, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { createTransport } from 'nodemailer';
import { eventually } from '../support/eventually.ts';
import { PrivateAuthority } from '../support/servers/privateAuthority.ts';
import { startMailServer } from './support/mailServer.ts';
import { newProject, newStory } from './support/project.ts';
import { texts } from './support/request.ts';
import { type ServiceProcess, serveProcess } from './support/serviceProcess.ts';
import { describeOnSqlite } from './support/testDatabase.ts';
import { type TestUser, temporaryFolder, userOf } from './support/testService.ts';

const dist = fileURLToPath(new URL('../../dist/', import.meta.url));

/** What a service in a process of its own tells, as it tells it. */
function toldBy(service: ServiceProcess): Readonly<Record<string, unknown>>[] {
  const told: Readonly<Record<string, unknown>>[] = [];
  createInterface({ input: service.child.stdout }).on('line', (line) => told.push(JSON.parse(line)));
  return told;
}

describeOnSqlite('The part of the service for mail, as it ships', () => {
  let folder: string;

  /** A copy of the service with these parts beside it. */
  async function copyWith(parts: readonly string[]): Promise<string> {
    const program = await mkdir(join(folder, parts.join()), { recursive: true });
    const target = program ?? join(folder, parts.join());
    for (const file of ['service.js', 'xml.js', ...parts]) await copyFile(join(dist, file), join(target, file));
    return join(target, 'service.js');
  }

  beforeEach(async () => {
    folder = await temporaryFolder();
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  /** Signs in the demo's first member and has them give a story to another one. */
  async function assign({ url, token }: ServiceProcess): Promise<{ user: TestUser; path: string }> {
    const user = userOf(url, 'Nora Vesper', 'nora.vesper@example.com', token);
    const projectId = await newProject(user, 'Apollo');
    const person = '<person><email>tobin.ashgrove@example.com</email></person>';
    await user.post(`/projects/${projectId}/memberships`, `<membership>${person}</membership>`);
    const storyId = await newStory(user, projectId, 'Land', '<owned_by>Tobin Ashgrove</owned_by>');
    return { user, path: `/projects/${projectId}/stories/${storyId}` };
  }

  it('sends mails and takes replies to them, refusals included', async () => {
    const server = await startMailServer();
    const smtp = ['--smtp', `smtp://127.0.0.1:${server.port}?tls=never`, '--mail-from', 'tracker@example.org'];
    const args = [
      '--data',
      join(folder, 'data'),
      '--demo',
      ...smtp,
      '--reply-domain',
      'reply.example.org',
      '--reply-port',
      '0',
    ];
    const service = await serveProcess(args, await copyWith(['mail.js', 'mailReader.js']));
    const told = toldBy(service);
    const { user, path } = await assign(service);
    const [mail] = await eventually(() => {
      // Who is added by address is invited by a mail, too, which takes no replies.
      const assigned = server.mails.filter(({ replyTo = [] }) => replyTo.length > 0);
      assert.equal(assigned.length, 1);
      return assigned;
    });
    const port = Number(service.replies.split(':').at(-1));
    const transport = createTransport({ host: '127.0.0.1', port, ignoreTLS: true });
    const reply = { from: 'tobin.ashgrove@example.com', to: mail?.replyTo?.[0]?.address ?? '', text: 'I am on it.' };
    await transport.sendMail(reply);
    await assert.rejects(transport.sendMail({ ...reply, from: 'eve@example.org' }), /550 5\.7\.1/);
    assert.deepEqual(texts(await user.get(`${path}/notes`), 'text'), ['I am on it.']);
    server.refuse(550);
    await assign(service);
    await eventually(() => assert.ok(told.some(({ event }) => event === 'deliveryParked')));
    assert.equal(await service.end('SIGTERM'), 0);
    await server.stop();
  }).timeout(60_000);

  it('hands mails to a server that proves who it is, with a password that no list of processes shows', async () => {
    const authority = new PrivateAuthority();
    const logins: string[] = [];
    const server = await startMailServer({
      ...authority.identity(['localhost']),
      disabledCommands: [],
      onAuth: ({ username, password }, _session, done) => {
        logins.push(`${username} ${password}`);
        done(null, { user: username });
      },
    });
    const smtp = [
      '--smtp',
      `smtp://tracker@localhost:${server.port}?tls=required`,
      '--mail-from',
      'tracker@example.org',
    ];
    const env = { SMTP_PASSWORD: 'of the server', NODE_EXTRA_CA_CERTS: authority.file };
    const args = ['--data', join(folder, 'data'), '--demo', ...smtp];
    const service = await serveProcess(args, await copyWith(['mail.js', 'mailReader.js']), env);
    service.child.stdout.resume();
    await assign(service);
    await eventually(() => assert.equal(server.mails.length, 2));
    assert.ok(server.mails.every(({ isSecure }) => isSecure));
    assert.deepEqual([...new Set(logins)], ['tracker of the server']);
    assert.equal(await service.end('SIGTERM'), 0);
    await server.stop();
    authority.remove();
  }).timeout(60_000);

  it('is not missed where one person works alone', async () => {
    const service = await serveProcess(['--data', join(folder, 'data'), '--demo', '--embedded'], await copyWith([]));
    const told = toldBy(service);
    await assign(service);
    assert.equal(await service.end('SIGTERM'), 0);
    assert.deepEqual(
      told.map(({ event }) => event),
      ['stopping'],
    );
  }).timeout(60_000);

  it('is asked for in words where it is missing, and mails wait', async () => {
    const service = await serveProcess(['--data', join(folder, 'data'), '--demo'], await copyWith([]));
    const told = toldBy(service);
    await assign(service);
    const { message } = await eventually(() => {
      const failed = told.find(({ event }) => event === 'deliveryFailed');
      assert.ok(failed);
      return failed;
    });
    assert.match(String(message), /This copy of the service came without mail\.js, its part for mail/);
    assert.equal(await service.end('SIGTERM'), 0);
  }).timeout(60_000);
});
