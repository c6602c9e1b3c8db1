import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import type { ServiceEvent } from '../../src/service/ground/background.ts';
import { lockProject } from '../../src/service/store/projects/projects.ts';
import { eventually } from '../support/eventually.ts';
import { newProject, newStory } from './support/project.ts';
import { rawHead } from './support/raw.ts';
import { assertRefused, assertStatus, request, textOf, texts } from './support/request.ts';
import { type ServiceProcess, serveProcess } from './support/serviceProcess.ts';
import { ageFiles, incomingFiles, storedFiles, sweptFiles } from './support/storedFiles.ts';
import { dropDatabaseOf } from './support/testDatabase.ts';
import { startTestService, type TestService, type TestUser, temporaryFolder, userOf } from './support/testService.ts';

const DAY = 24 * 60 * 60 * 1000;
const clockAhead = new URL('support/clockAhead.ts', import.meta.url).href;

/** An upload of which the first half has been sent. */
class HalfUpload {
  private readonly socket: Socket;
  private text = '';

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.setEncoding('latin1').on('data', (piece: string) => {
      this.text += piece;
    });
  }

  /** The file has begun to arrive when this resolves. */
  static async begin(folder: string, url: string, token: string, path: string): Promise<HalfUpload> {
    const before = (await incomingFiles(folder)).length;
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    const upload = new HalfUpload(socket);
    socket.write(
      rawHead(
        `POST /services/v3${path}/attachments HTTP/1.1`,
        'Host: localhost',
        `X-ServiceToken: ${token}`,
        'Content-Type: multipart/form-data; boundary=b',
        'Transfer-Encoding: chunked',
        'Connection: close',
      ),
    );
    upload.send('--b\r\nContent-Disposition: form-data; name="Filedata"; filename="whole.txt"\r\n\r\nfirst half, ');
    await eventually(async () => assert.equal((await incomingFiles(folder)).length, before + 1));
    return upload;
  }

  /** Sends the rest and gives the answer. */
  async finish(): Promise<{ readonly status: number; readonly text: string }> {
    this.send('second half\r\n--b--\r\n');
    this.socket.write('0\r\n\r\n');
    await once(this.socket, 'close');
    return { status: Number(this.text.split(' ')[1]), text: this.text };
  }

  private send(text: string): void {
    this.socket.write(`${text.length.toString(16)}\r\n${text}\r\n`);
  }
}

describe('an upload under way in one process', () => {
  let folder: string;
  let one: ServiceProcess;
  let ada: TestUser;
  let story: string;

  before(async () => {
    folder = await temporaryFolder();
    one = await serveProcess(['--data', folder, '--demo']);
    ada = userOf(one.url, 'Ada', '', one.token);
    const projectId = await newProject(ada);
    story = `/projects/${projectId}/stories/${await newStory(ada, projectId, 'With files')}`;
  });
  after(async () => {
    await one.end('SIGTERM');
    await rm(folder, { recursive: true, force: true });
    await dropDatabaseOf(folder);
  });

  async function startAhead(milliseconds: number): Promise<ServiceProcess> {
    const NODE_OPTIONS = `--import=${clockAhead}`;
    return serveProcess(['--data', folder], undefined, { NODE_OPTIONS, CLOCK_AHEAD: String(milliseconds) });
  }

  it('is left alone by another one whose clock is forty days ahead, as are files and trash of today', async () => {
    const upload = await HalfUpload.begin(folder, one.url, one.token, story);
    const [unnamed, swept] = ['1'.repeat(32), '2'.repeat(32)];
    const today = join(folder, 'attachments', 'trash', new Date().toISOString().slice(0, 10));
    await mkdir(today, { recursive: true });
    await writeFile(join(folder, 'attachments', unnamed), 'young');
    await writeFile(join(today, swept), 'young');
    const other = await startAhead(40 * DAY);
    assert.match(other.url, /^http/);
    assert.equal(await other.end('SIGTERM'), 0, 'it sweeps at its start, and stops when it is done');
    const { status, text } = await upload.finish();
    assert.equal(status, 200, text);
    const attachment = await ada.get(`${story}/attachments/${textOf({ text }, 'id')}`);
    const file = await request(textOf(attachment, 'url').replaceAll('&amp;', '&'));
    assert.deepEqual([file.status, file.text], [200, 'first half, second half']);
    assert.ok((await storedFiles(folder)).includes(unnamed));
    assert.deepEqual(await sweptFiles(folder), [swept]);
    for (const path of [join(folder, 'attachments', unnamed), join(today, swept)]) await rm(path);
  });

  it('leaves when it is killed what goes a day later, also where the clock of the process that sweeps is a year behind', async () => {
    const killed = await startAhead(0);
    const path = story;
    await HalfUpload.begin(folder, killed.url, one.token, path);
    assert.equal(await killed.end('SIGKILL'), 'SIGKILL');
    const other = await startAhead(0);
    assert.equal(await other.end('SIGTERM'), 0);
    assert.equal((await incomingFiles(folder)).length, 1, 'it may be of a process that lives');
    const named = await storedFiles(folder);
    await ageFiles(folder, 2);
    const behind = await startAhead(-365 * DAY);
    assert.equal(await behind.end('SIGTERM'), 0);
    assert.deepEqual([await incomingFiles(folder), await storedFiles(folder)], [[], named]);
  });
});

describe('an upload whose file goes missing', () => {
  let service: TestService;
  let ada: TestUser;
  let projectId: number;
  let story: string;
  const events: ServiceEvent[] = [];

  before(async () => {
    service = await startTestService({ log: (event) => void events.push(event) });
    ada = await service.user('Ada');
    projectId = await newProject(ada);
    story = `/projects/${projectId}/stories/${await newStory(ada, projectId, 'Without files')}`;
  });
  after(() => service.stop());

  const remove = async (place: string) => {
    const folder = join(service.folder, 'attachments', place);
    const [name = ''] = place === '.' ? await storedFiles(service.folder) : await incomingFiles(service.folder);
    await rm(join(folder, name));
  };

  /** 503 and a sentence, nothing recorded, the log without a stack. */
  async function assertNothingAttached({
    status,
    text,
  }: {
    readonly status: number;
    readonly text: string;
  }): Promise<void> {
    assert.equal(status, 503, text);
    assert.match(text, /The file was lost before it was attached\. Nothing was changed\. Send it again\./);
    assert.deepEqual(texts(await ada.get(story), 'filename'), []);
    const [event] = events.splice(0);
    assert.match(String(event?.message), /^The file was lost.* ENOENT/);
    assert.doesNotMatch(String(event?.message), /\n/);
  }

  it('while it is sent is refused', async () => {
    const upload = await HalfUpload.begin(service.folder, service.url, ada.token, story);
    await remove('incoming');
    await assertNothingAttached(await upload.finish());
  });

  it('while its project is waited for is refused', async () => {
    const upload = await HalfUpload.begin(service.folder, service.url, ada.token, story);
    const [locked, left] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const held = service.running.database.write(async (tx) => {
      await lockProject(tx, projectId);
      locked.resolve();
      await left.promise;
    });
    await locked.promise;
    const answer = upload.finish();
    await eventually(async () => assert.equal((await storedFiles(service.folder)).length, 1));
    await remove('.');
    left.resolve();
    await held;
    await assertNothingAttached(await answer);
  });
});

describe('attached files whose folder goes away while a service runs', () => {
  let service: TestService;
  const events: ServiceEvent[] = [];

  before(async () => {
    service = await startTestService({ log: (event) => void events.push(event) });
  });
  after(() => service.stop());

  it('are out of reach: uploads and downloads are 503 in a sentence, all else goes on, and comes back with the folder', async () => {
    const ada = await service.user('Ada');
    const projectId = await newProject(ada);
    const story = `/projects/${projectId}/stories/${await newStory(ada, projectId, 'With files')}`;
    const attach = () => {
      const form = new FormData();
      form.set('Filedata', new Blob(['bytes']), 'x.txt');
      return ada.post(`${story}/attachments`, form);
    };
    const url = async (id: string) =>
      textOf(await ada.get(`${story}/attachments/${id}`), 'url').replaceAll('&amp;', '&');
    const [first, second] = [textOf(await attach(), 'id'), textOf(await attach(), 'id')];
    const health = () => request(`${service.url}/healthz`);
    assertStatus(await health(), 200);
    const [folder, aside] = [join(service.folder, 'attachments'), join(service.folder, 'aside')];
    await rename(folder, aside);
    const sentence =
      /attached files of this service are not available right now\. Nothing was changed\. Try again later\./;
    for (const answer of [await attach(), await request(await url(first)), await health()]) {
      assertRefused(answer, 503, sentence);
      assert.ok(Number(answer.headers.get('retry-after')) > 0);
    }
    await mkdir(folder);
    assertRefused(await attach(), 503, sentence);
    assertStatus(await ada.post(`${story}/notes`, '<note><text>Still here</text></note>'), 200);
    assertStatus(await ada.get(story), 200);
    await rm(folder, { recursive: true });
    await rename(aside, folder);
    assertStatus(await attach(), 200);
    assert.equal((await request(await url(first))).text, 'bytes');
    assertStatus(await health(), 200);
    for (const name of await storedFiles(service.folder)) await rm(join(folder, name));
    const answers = await Promise.all([first, second].map(async (id) => request(await url(id))));
    for (const answer of answers) assertRefused(answer, 404, /file of this attachment is missing/);
    const log = events.map(({ message }) => String(message));
    assert.ok(log.some((line) => /not available .* ENOENT.* Put the folder back, or restart the service/.test(line)));
    for (const line of log) assert.doesNotMatch(line, /\n/, 'no stack');
  });
});
