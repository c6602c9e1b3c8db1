import assert from 'node:assert/strict';
import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { createTransport, type SendMailOptions } from 'nodemailer';
import { insertNote } from '../../src/service/store/stories/notes.ts';
import { eventually } from '../support/eventually.ts';
import { PrivateAuthority } from '../support/servers/privateAuthority.ts';
import { type MailServer, startMailServer } from './support/mailServer.ts';
import { addMember, newProject, newStory } from './support/project.ts';
import { texts } from './support/request.ts';
import { storedFiles } from './support/storedFiles.ts';
import {
  type ServiceOptions,
  startTestService,
  type TestService,
  type TestUser,
  temporaryFolder,
} from './support/testService.ts';

/** A service that mails Ben of stories which Ada gives him, and takes his replies. */
class Office {
  readonly service: TestService;
  readonly ada: TestUser;
  readonly ben: TestUser;
  private readonly server: MailServer;

  private constructor(server: MailServer, service: TestService, ada: TestUser, ben: TestUser) {
    this.server = server;
    this.service = service;
    this.ada = ada;
    this.ben = ben;
  }

  static async open(options: Partial<ServiceOptions> = {}): Promise<Office> {
    const server = await startMailServer();
    const mail = {
      from: { name: 'Story Tracker', address: 'tracker@example.org' },
      server: { host: '127.0.0.1', port: server.port, tls: 'never' as const },
      replyDomain: 'reply.example.org',
      replies: { host: '127.0.0.1', port: 0 },
    };
    const service = await startTestService({ mail, ...options });
    return new Office(server, service, await service.user('Ada'), await service.user('Ben'));
  }

  async project(settings = ''): Promise<number> {
    const projectId = await newProject(this.ada, 'Apollo', settings);
    await addMember(this.ada, projectId, this.ben, 'Member');
    return projectId;
  }

  /** A story that Ada gave Ben, and the mail that he got. */
  async assigned(projectId: number, name = 'Land'): Promise<Assigned> {
    const storyId = await newStory(this.ada, projectId, name, '<owned_by>Ben</owned_by>');
    const mail = await eventually(() => {
      const found = this.server.mails.find(({ references }) => references === `<story-${storyId}@example.org>`);
      assert.ok(found);
      return found;
    });
    const path = `/projects/${projectId}/stories/${storyId}`;
    return {
      storyId,
      path,
      replyTo: mail.replyTo?.[0]?.address ?? '',
      text: mail.text ?? '',
      messageId: mail.messageId ?? '',
    };
  }

  get port(): number {
    return Number(this.service.running.replyAddress?.split(':').at(-1));
  }

  /** Sends a mail as a mail program of someone; resolves to the answer of the service. */
  async send(mail: SendMailOptions): Promise<string> {
    const transport = createTransport({ host: '127.0.0.1', port: this.port, ignoreTLS: true });
    const { response } = await transport.sendMail({ from: 'Ben <ben@example.org>', ...mail });
    return response;
  }

  async refused(mail: SendMailOptions, code: number, sentence: RegExp): Promise<void> {
    await assert.rejects(this.send(mail), (error: unknown) => {
      assert.ok(error instanceof Error && 'responseCode' in error);
      assert.equal(error.responseCode, code, error.message);
      assert.match(error.message, sentence);
      return true;
    });
  }

  async comments(path: string): Promise<readonly string[]> {
    return texts(await this.ada.get(`${path}/notes`), 'text');
  }

  /** Names of the files that the service keeps. */
  async files(): Promise<readonly string[]> {
    return storedFiles(this.service.folder);
  }

  async close(): Promise<void> {
    await this.service.stop();
    await this.server.stop();
  }
}

interface Assigned {
  readonly storyId: number;
  readonly path: string;
  readonly replyTo: string;
  readonly text: string;
  readonly messageId: string;
}

describe('Replies to mails', function () {
  this.timeout(20_000);
  let office: Office;
  let projectId: number;

  before(async () => {
    office = await Office.open();
    projectId = await office.project();
  });
  after(() => office.close());

  it('become comments: a reply mail over SMTP becomes a comment of the one who was mailed', async () => {
    const { path, replyTo, text, messageId } = await office.assigned(projectId);
    const quoted = text.split('\n').map((line) => `> ${line}`);
    await office.send({
      to: replyTo,
      inReplyTo: messageId,
      subject: 'Re: Land',
      text: `I am on it.\n\nTomorrow, <b>not</b> today.\n\n-- \nBen\n\nAm 21.11.2026 um 10:00 schrieb Ada (Story Tracker):\n${quoted.join('\n')}\n`,
    });
    assert.deepEqual(await office.comments(path), ['I am on it.\n\nTomorrow, &lt;b&gt;not&lt;/b&gt; today.']);
    assert.deepEqual(texts(await office.ada.get(`${path}/notes`), 'author'), ['Ben']);
    const activity = await office.ada.get(`/projects/${projectId}/activities?limit=1`);
    assert.deepEqual(texts(activity, 'event_type'), ['note_create']);
    assert.deepEqual(texts(activity, 'author')[0], 'Ben');
  });

  it('of HTML only become text', async () => {
    const { path, replyTo } = await office.assigned(projectId);
    const html = '<div dir="ltr"><p>One &amp; <i>two</i></p><div class="gmail_quote">old</div></div>';
    await office.send({ to: replyTo, html });
    assert.deepEqual(await office.comments(path), ['One &amp; two']);
  });

  it('are one comment, however often they are delivered', async () => {
    const { path, replyTo } = await office.assigned(projectId);
    const mail = {
      to: replyTo,
      messageId: '<same@example.org>',
      text: 'Once.',
      attachments: [{ filename: 'a.txt', content: 'a' }],
    };
    const before = await office.files();
    await Promise.all([office.send(mail), office.send(mail)]);
    await office.send(mail);
    await office.send({ ...mail, messageId: '<other@example.org>', text: 'Twice.', attachments: [] });
    assert.deepEqual(await office.comments(path), ['Once.', 'Twice.']);
    assert.deepEqual(texts(await office.ada.get(path), 'filename'), ['a.txt']);
    assert.equal((await office.files()).length, before.length + 1);
  });

  it('bring files, which become attachments byte for byte, whatever they are called', async () => {
    const { path, replyTo } = await office.assigned(projectId);
    const content = Buffer.from(Array.from({ length: 70_000 }, (_, index) => index % 256));
    const names = ['../../../etc/passwd', 'Überblick.pdf', 'a\\b:c*.png', 'c/'];
    await office.send({
      to: replyTo,
      text: 'See there.',
      attachments: names.map((filename) => ({ filename, content })),
    });
    const story = await office.ada.get(path);
    assert.deepEqual(texts(story, 'filename'), ['passwd', 'Überblick.pdf', 'b:c*.png', 'c']);
    assert.deepEqual(texts(story, 'uploaded_by'), ['Ben', 'Ben', 'Ben', 'Ben']);
    for (const id of story.text
      .split('<attachment>')
      .slice(1)
      .map((part) => texts({ text: part }, 'id')[0])) {
      const [url = ''] = texts(await office.ada.get(`${path}/attachments/${id}`), 'url');
      const file = await fetch(url.replaceAll('&amp;', '&'));
      assert.deepEqual(Buffer.from(await file.arrayBuffer()), content);
    }
    assert.deepEqual(await office.comments(path), ['See there.']);
  });

  it('may be files alone, and are refused when there is nothing in them', async () => {
    const { path, replyTo } = await office.assigned(projectId);
    await office.send({ to: replyTo, text: '', attachments: [{ filename: 'a.txt', content: 'a' }] });
    await office.refused({ to: replyTo, text: '> only quoted' }, 550, /nothing but quoted text/);
    assert.deepEqual(await office.comments(path), []);
    assert.deepEqual(texts(await office.ada.get(path), 'filename'), ['a.txt']);
  });

  it('are for the story and the person that the address was made for, and for no other', async () => {
    const one = await office.assigned(projectId);
    const other = await office.assigned(projectId);
    const [, , proof = ''] = /^(story-\d+-\d+)-(.+)@/.exec(one.replyTo) ?? [];
    const forged = [
      one.replyTo.replace(`story-${one.storyId}-`, `story-${other.storyId}-`),
      one.replyTo.replace(proof, [...proof].reverse().join('')),
      one.replyTo.replace(/-[^-]+@/, '@'),
      one.replyTo.replace('reply.example.org', 'example.org'),
      'postmaster@reply.example.org',
    ];
    for (const to of forged) await office.refused({ to, text: 'Forged.' }, 550, /This address does not exist/);
    await office.send({ to: one.replyTo.toUpperCase(), text: 'Good.' });
    assert.deepEqual(await office.comments(one.path), ['Good.']);
    assert.deepEqual(await office.comments(other.path), []);
  });

  it('of strangers are refused, also when they know the address', async () => {
    const { path, replyTo } = await office.assigned(projectId);
    for (const from of ['eve@example.org', '"ben@example.org" <eve@example.org>', 'ada@example.org']) {
      await office.refused(
        { from, to: replyTo, text: 'Not Ben.' },
        550,
        /only accepts emails from the person it was given to/,
      );
    }
    await office.refused(
      { from: ['ben@example.org', 'eve@example.org'], to: replyTo, text: 'Both.' },
      550,
      /only accepts emails from the person/,
    );
    assert.deepEqual(await office.comments(path), []);
  });

  it('of programs are refused, so that no loop begins', async () => {
    const { path, replyTo, messageId } = await office.assigned(projectId);
    const person = /Only emails written by a person/;
    for (const headers of [
      { 'Auto-Submitted': 'auto-replied' },
      { Precedence: 'bulk' },
      { 'List-Id': '<all.example.org>' },
      { 'Return-Path': '<>' },
    ]) {
      await office.refused({ to: replyTo, text: 'I am away.', headers }, 550, person);
    }
    await office.refused({ to: replyTo, text: 'Failed.', envelope: { from: false, to: replyTo } }, 550, person);
    const raw = `From: ben@example.org\r\nContent-Type: multipart/report; boundary=b\r\n\r\n--b\r\n\r\nLate.\r\n--b--\r\n`;
    await office.refused({ raw, envelope: { from: 'ben@example.org', to: replyTo } }, 550, person);
    await office.refused({ to: replyTo, text: 'Round.', messageId }, 554, /would loop/);
    assert.deepEqual(await office.comments(path), []);
  });

  it('are refused when the recipient is no longer a member, may only look, or the story is gone', async () => {
    const elsewhere = await office.project();
    const gone = await office.assigned(elsewhere);
    const { path, replyTo } = await office.assigned(elsewhere);
    await office.ada.delete(gone.path);
    await office.refused({ to: gone.replyTo, text: 'Late.' }, 550, /was deleted/);
    const membership = await addMember(office.ada, elsewhere, office.ben, 'Viewer');
    await office.refused({ to: replyTo, text: 'I look.' }, 550, /Viewer/);
    await office.ada.delete(`/projects/${elsewhere}/memberships/${membership}`);
    await office.refused({ to: replyTo, text: 'I left.' }, 550, /not a member/);
    assert.deepEqual(await office.comments(path), []);
  });

  it('are refused with a sentence when the story has as many comments as it can', async () => {
    const { path, replyTo } = await office.assigned(projectId);
    const storyId = Number(path.split('/').at(-1));
    const note = { projectId, storyId, text: 'Talk.', author: 'Ada', authorId: null, notedAt: 0 };
    await office.service.running.database.write(async (tx) => {
      for (let times = 0; times < 1_000; times += 1) await insertNote(tx, note);
    });
    const kept = await office.files();
    const attachments = [{ filename: 'a.txt', content: 'a' }];
    await office.refused(
      { to: replyTo, text: 'One more.', attachments },
      550,
      /at most 1,000 comments\. Go on in a new/,
    );
    assert.deepEqual(await office.files(), kept);
    assert.equal((await office.comments(path)).length, 1_000);
  });

  it('with files are refused where the project takes none, and nothing of them is kept', async () => {
    const bare = await office.project('<allow_attachments>false</allow_attachments>');
    const { path, replyTo } = await office.assigned(bare);
    const attachments = [{ filename: 'a.txt', content: 'a' }];
    const kept = await office.files();
    await office.refused({ to: replyTo, text: 'See there.', attachments }, 550, /Attachments are turned off/);
    const many = Array.from({ length: 51 }, (_, index) => ({ filename: `${index}.txt`, content: 'a' }));
    const { replyTo: allowing } = await office.assigned(projectId);
    await office.refused({ to: allowing, text: 'See there.', attachments: many }, 552, /at most 50 files/);
    assert.deepEqual(await office.files(), kept);
    const long = `${'word '.repeat(14)}\n`.repeat(1_500);
    await office.refused({ to: allowing, text: long }, 552, /too long for a comment/);
    await office.send({ to: replyTo, text: 'Without.' });
    assert.deepEqual(await office.comments(path), ['Without.']);
  });

  it('to two addresses at once are taken one after the other', async () => {
    const [one, other] = [await office.assigned(projectId), await office.assigned(projectId)];
    const dialogue = ['MAIL FROM:<ben@example.org>', `RCPT TO:<${one.replyTo}>`, `RCPT TO:<${other.replyTo}>`];
    assert.deepEqual(await codes(office.port, dialogue), ['250', '250', '452']);
  });

  it('are taken by nobody else’s mail server', async () => {
    const dialogue = [
      'MAIL FROM:<ben@example.org>',
      'RCPT TO:<eve@example.com>',
      'DATA',
      'VRFY ben',
      'AUTH PLAIN AGEAYg==',
      'STARTTLS',
    ];
    const answers = await codes(office.port, dialogue);
    assert.deepEqual([answers[1], answers[2]], ['550', '503']);
    assert.ok(
      answers.slice(3).every((code) => code !== '250' && code !== '334' && code !== '220'),
      answers.join(),
    );
  });

  it('are cut off after many commands that are refused, or too long', async () => {
    const refused = await codes(office.port, [
      'MAIL FROM:<ben@example.org>',
      ...Array(100).fill('RCPT TO:<eve@example.com>'),
    ]);
    assert.deepEqual([refused.slice(1, 100).every((code) => code === '550'), refused.at(-1)], [true, '421']);
    assert.deepEqual(await codes(office.port, [`NOOP ${'x'.repeat(3_000)}`]), ['421']);
  });

  it('that come in pieces, cut short or as noise change nothing and stop nobody', async () => {
    const { path, replyTo } = await office.assigned(projectId);
    const socket = connect(office.port, '127.0.0.1');
    await once(socket, 'data');
    socket.write(
      `EHLO x\r\nMAIL FROM:<ben@example.org>\r\nRCPT TO:<${replyTo}>\r\nDATA\r\nFrom: ben@example.org\r\n\r\nhalf a`,
    );
    await once(socket, 'data');
    socket.destroy();
    const noise = connect(office.port, '127.0.0.1');
    noise.on('error', () => undefined).resume();
    noise.end(Buffer.from(Array.from({ length: 5_000 }, (_, index) => (index * 7919) % 256)));
    await once(noise, 'close');
    await office.send({ to: replyTo, text: 'Whole.' });
    assert.deepEqual(await office.comments(path), ['Whole.']);
  });
});

describe('Replies to mails, within limits', function () {
  this.timeout(60_000);
  let office: Office;

  before(async () => {
    office = await Office.open({ maxUpload: 1024 * 1024 });
  });
  after(() => office.close());

  it('are refused when a file is larger than the service takes', async () => {
    const { path, replyTo } = await office.assigned(await office.project());
    const file = (bytes: number) => [{ filename: 'a.bin', content: Buffer.alloc(bytes, 1) }];
    await office.refused(
      { to: replyTo, text: 'Large.', attachments: file(1024 * 1024 + 1) },
      552,
      /larger than the service accepts/,
    );
    await office.send({ to: replyTo, text: 'Just so.', attachments: file(1024 * 1024) });
    assert.deepEqual(await office.comments(path), ['Just so.']);
  });

  it('are refused when a mail is too large, announced or not', async () => {
    const { path, replyTo } = await office.assigned(await office.project());
    assert.deepEqual(await codes(office.port, [`MAIL FROM:<ben@example.org> SIZE=${64 * 1024 * 1024}`]), ['552']);
    const huge = `From: ben@example.org\r\n\r\n${`${'x'.repeat(998)}\r\n`.repeat(34 * 1024)}.`;
    const dialogue = ['MAIL FROM:<ben@example.org>', `RCPT TO:<${replyTo}>`, 'DATA', huge];
    assert.deepEqual(await codes(office.port, dialogue), ['250', '250', '354', '552']);
    assert.deepEqual(await office.comments(path), []);
  });

  it('are put off, and not read to their end, while someone sends too many large ones at once', async () => {
    const { path, replyTo } = await office.assigned(await office.project());
    const dialogue = ['MAIL FROM:<ben@example.org>', `RCPT TO:<${replyTo}>`, 'DATA'];
    const mebibyte = `${'x'.repeat(1022)}\r\n`.repeat(1024);
    const sending = await Promise.all(
      Array.from({ length: 5 }, async () => {
        const socket = connect(office.port, '127.0.0.1').setEncoding('utf8');
        let heard = '';
        socket
          .on('error', () => undefined)
          .on('data', (text: string) => {
            heard += text;
          });
        await once(socket, 'data');
        for (const line of ['EHLO test.example.org', ...dialogue]) {
          heard = '';
          socket.write(`${line}\r\n`);
          await eventually(() => assert.match(heard, /^[23]\d\d .*\r\n$/m));
        }
        heard = '';
        socket.write(`From: ben@example.org\r\n\r\n${mebibyte.repeat(8)}`);
        return { socket, answer: () => heard };
      }),
    );
    const refused = () => sending.filter(({ answer }) => answer().startsWith('452 4.3.1'));
    await eventually(() => assert.ok(refused().length > 0));
    await eventually(() => assert.ok(refused().every(({ socket }) => socket.readableEnded)));
    for (const { socket } of sending) socket.destroy();
    await eventually(() => office.send({ to: replyTo, text: 'Then.' }));
    assert.deepEqual(await office.comments(path), ['Then.']);
  });

  /** A connection that the service has taken; rejects where it puts it off. */
  async function greeted(): Promise<Socket> {
    const socket = connect(office.port, '127.0.0.1');
    socket.on('error', () => undefined);
    const [greeting] = await once(socket, 'data');
    assert.match(String(greeting), /^220 /);
    return socket;
  }

  it('are put off while too many are connected', async () => {
    const { path, replyTo } = await office.assigned(await office.project());
    const sockets: Socket[] = [];
    // The service may not have heard yet that the connections of the test before are gone.
    while (sockets.length < 50) await eventually(async () => void sockets.push(await greeted()));
    await office.refused({ to: replyTo, text: 'One too many.' }, 421, /421/);
    for (const socket of sockets) socket.destroy();
    await eventually(() => office.send({ to: replyTo, text: 'Then.' }));
    assert.deepEqual(await office.comments(path), ['Then.']);
  });
});

describe('Replies to mails, where the service has a certificate', function () {
  this.timeout(20_000);

  it('are taken over TLS, by its latest certificate', async () => {
    const authority = new PrivateAuthority();
    const folder = await temporaryFolder();
    const files = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') };
    const certify = async (name: string): Promise<void> => {
      const { cert, key } = authority.identity([name]);
      await Promise.all([writeFile(files.cert, cert), writeFile(files.key, key)]);
    };
    await certify('first.example.org');
    const office = await Office.open({ tls: files });
    const refusedOverTls = (servername: string, answer: RegExp): Promise<void> => {
      const tls = { ca: authority.read(authority.file), servername };
      const transport = createTransport({ host: '127.0.0.1', port: office.port, requireTLS: true, tls });
      const mail = { from: 'ben@example.org', to: 'nobody@reply.example.org', text: 'x' };
      return assert.rejects(transport.sendMail(mail), answer);
    };
    await refusedOverTls('first.example.org', /550 5\.1\.1/);
    await certify('second.example.org');
    await office.service.running.reloadTls();
    await refusedOverTls('second.example.org', /550 5\.1\.1/);
    await refusedOverTls('first.example.org', /does not match certificate/);
    await office.close();
    authority.remove();
    await rm(folder, { recursive: true, force: true });
  });
});

/** The codes with which a server answers what is said to it after EHLO. */
async function codes(port: number, dialogue: readonly string[]): Promise<readonly string[]> {
  const socket = connect(port, '127.0.0.1').setEncoding('utf8');
  let heard = '';
  socket.on('data', (text: string) => {
    heard += text;
  });
  const answer = async (): Promise<string> => {
    const said = await eventually(() => {
      const last = /^(?:\d{3}-.*\r\n)*(\d{3}) .*\r\n$/m.exec(heard);
      assert.ok(last, heard);
      return last[1] ?? '';
    });
    heard = '';
    return said;
  };
  await answer();
  const answers: string[] = [];
  for (const line of ['EHLO test.example.org', ...dialogue]) {
    socket.write(`${line}\r\n`);
    answers.push(await answer());
  }
  socket.end();
  return answers.slice(1);
}
