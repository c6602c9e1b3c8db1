import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import { eventually } from '../support/eventually.ts';
import { type MailServer, startMailServer } from './support/mailServer.ts';
import { addMember, newProject, newStory } from './support/project.ts';
import { texts } from './support/request.ts';
import { runService, type ServiceProcess, serveProcess } from './support/serviceProcess.ts';
import { type TestUser, temporaryFolder, userOf } from './support/testService.ts';

describe('Mail, as the command line sets it up', function () {
  this.timeout(90_000);
  let folder: string;
  let server: MailServer;
  let service: ServiceProcess;
  let replyPort = 0;
  let ada: TestUser;
  let projectId: number;
  const logins: string[] = [];

  const user = async (name: string, url: string): Promise<TestUser> => {
    const email = `${name.toLowerCase()}@example.org`;
    const added = await runService(['user', 'add', '--name', name, '--email', email, '--data', folder]);
    return userOf(url, name, email, added.stdout.trim().split('\n').at(-1) ?? '');
  };
  const command = (...args: readonly string[]) => runService([...args, '--data', folder]);
  const assigned = async (name: string): Promise<void> => {
    await newStory(ada, projectId, name, '<owned_by>Ben</owned_by>');
  };
  const subjects = () => server.mails.map(({ subject }) => subject?.replace(/^#\d+ /, ''));

  before(async () => {
    folder = await temporaryFolder();
    server = await startMailServer({
      disabledCommands: ['STARTTLS'],
      allowInsecureAuth: true,
      onAuth: ({ username, password }, _session, done) => {
        logins.push(`${username} ${password}`);
        done(null, { user: username });
      },
    });
    const passwordFile = join(folder, 'smtp-password');
    await writeFile(passwordFile, 'of the server\n', { mode: 0o600 });
    const smtp = ['--smtp', `smtp://tracker@127.0.0.1:${server.port}`, '--smtp-password-file', passwordFile];
    const replies = ['--reply-domain', 'reply.example.org', '--reply-port', '0'];
    service = await serveProcess([
      '--data',
      folder,
      ...smtp,
      '--mail-from',
      'Tracker <tracker@example.org>',
      ...replies,
    ]);
    replyPort = Number(service.replies.split(':').at(-1));
    service.child.stdout.resume();
    ada = await user('Ada', service.url);
    const ben = await user('Ben', service.url);
    projectId = await newProject(ada, 'Apollo');
    await addMember(ada, projectId, ben, 'Member');
  });
  after(async () => {
    assert.equal(await service.end('SIGTERM'), 0);
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('goes out with the password of the file, and comes back on the port that is told', async () => {
    await assigned('Land');
    await eventually(() => assert.deepEqual(subjects(), ['Land']));
    assert.deepEqual(logins, ['tracker of the server']);
    const [reply] = server.mails[0]?.replyTo ?? [];
    const transport = createTransport({ host: '127.0.0.1', port: replyPort, ignoreTLS: true });
    await transport.sendMail({ from: 'ben@example.org', to: reply?.address ?? '', text: 'I am on it.' });
    const storyId = /^story-(\d+)-/.exec(reply?.address ?? '')?.[1];
    const notes = await ada.get(`/projects/${projectId}/stories/${storyId}/notes`);
    assert.deepEqual(texts(notes, 'text'), ['I am on it.']);
  });

  it('is turned off and on for a user, in one project or all', async () => {
    const ben = ['--email', 'ben@example.org'];
    const off = await command('user', 'mail', ...ben, '--assigned', 'off');
    assert.deepEqual([off.code, off.stdout], [0, 'Ben gets no emails about assigned stories.\n']);
    await assigned('While off');
    await command('user', 'mail', ...ben, '--assigned', 'on');
    const project = ['--project', String(projectId)];
    await command('user', 'mail', ...ben, '--assigned', 'off', ...project);
    await assigned('While off in the project');
    assert.match(
      (await command('user', 'mail', ...ben, '--assigned', 'on', ...project)).stdout,
      /gets emails about assigned/,
    );
    await assigned('On again');
    await eventually(() => assert.deepEqual(subjects(), ['Land', 'On again']));
    const wrong = [
      [...ben, '--assigned', 'maybe'],
      [...ben, '--assigned', 'on', '--project', '99'],
      ['--assigned', 'on'],
    ];
    const refused = await Promise.all(wrong.map((args) => command('user', 'mail', ...args)));
    assert.deepEqual(
      refused.map(({ code }) => code),
      [2, 2, 2],
    );
  });

  it('that was parked is listed, and sent when that is asked for', async () => {
    server.refuse(550);
    await assigned('Refused');
    const parked = await eventually(async () => {
      const { stdout } = await command('deliveries', 'list', '--parked', '--json');
      const [first] = JSON.parse(stdout);
      assert.ok(first);
      return first;
    });
    assert.deepEqual([parked.kind, parked.attempts], ['mail', 1]);
    assert.match(parked.lastError, /550 Refused by the test/);
    server.refuse(undefined);
    assert.equal((await command('deliveries', 'retry', '--id', String(parked.id))).code, 0);
    await eventually(() => assert.equal(subjects().at(-1), 'Refused'));
  });

  it('is refused in words when it is not understood, which name no password', async () => {
    const from = ['--mail-from', 'tracker@example.org'];
    const wrong = [
      [/Everyone on this machine can read/, '--smtp', 'smtp://tracker:hidden@mail.example.org', ...from],
      [/--mail-from/, '--smtp', 'smtp://mail.example.org'],
      [/--reply-domain/, '--reply-port', '0'],
    ] as const;
    const answers = await Promise.all(
      wrong.map(async ([sentence, ...args]) => ({ sentence, ...(await command('serve', ...args)) })),
    );
    for (const { sentence, code, stderr } of answers) {
      assert.equal(code, 2, stderr);
      assert.match(stderr, sentence);
      assert.doesNotMatch(stderr, /hidden/);
    }
  });

  it('ends the start when someone else listens on the port for replies', async () => {
    const args = ['--reply-domain', 'reply.example.org', '--reply-port', String(replyPort)];
    const { code, stderr } = await command('serve', ...args);
    assert.equal(code, 1, stderr);
    assert.match(stderr, new RegExp(`Could not receive replies on port ${replyPort} of 127.0.0.1`));
  });
});
