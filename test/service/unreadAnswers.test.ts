import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { eventually } from '../support/eventually.ts';
import { heapInUse } from './support/heapInUse.ts';
import { newProject, newStory } from './support/project.ts';
import { rawHead, sendRaw } from './support/raw.ts';
import { assertRefused, assertStatus, request, texts } from './support/request.ts';
import { startTestService, type TestService, type TestUser } from './support/testService.ts';

const STORIES = 150;
const TEXT = 100_000;
/** Milliseconds. */
const READER_TIME = 9_000;

describe('answers that nobody reads', () => {
  let service: TestService;
  let ada: TestUser;
  let bea: TestUser;
  /** A list of fifteen megabytes: some of them are more than the system keeps for a connection. */
  let list: string;
  let small: string;
  let sockets: Socket[] = [];

  before(async () => {
    service = await startTestService({ readerTime: READER_TIME });
    ada = await service.user('Ada');
    bea = await service.user('Bea');
    const projectId = await newProject(ada);
    list = `/projects/${projectId}/stories`;
    const description = `<description>${'x'.repeat(TEXT)}</description>`;
    for (let count = 0; count < STORIES; count += 1) await newStory(ada, projectId, `Buoy ${count}`, description);
    const other = await newProject(bea);
    small = `/projects/${other}/stories/${await newStory(bea, other, 'Beacon')}`;
  });
  after(() => service.stop());
  afterEach(() => {
    for (const socket of sockets) socket.destroy();
    sockets = [];
  });

  const head = (path: string) =>
    rawHead(`GET /services/v3${path} HTTP/1.1`, `Host: ${new URL(service.url).host}`, `X-ServiceToken: ${ada.token}`);

  /** A connection over which this was asked and of which nothing is read. */
  async function unread(bytes: string): Promise<Socket> {
    const { hostname, port } = new URL(service.url);
    const socket = connect(Number(port), hostname).on('error', () => undefined);
    sockets.push(socket);
    await once(socket, 'connect');
    socket.pause().write(bytes);
    return socket;
  }

  it('hold little memory, however many wait, and keep nobody else waiting', async () => {
    assertStatus(await ada.get(list), 200);
    const before = heapInUse();
    let asked = 0;
    for (let connection = 0; connection < 40; connection += 1) {
      const requests = Array.from({ length: 5 }, () => {
        asked += 1;
        return head(`${list}?limit=${STORIES + asked}`);
      });
      await unread(requests.join(''));
    }
    let answered = 0;
    for (const end = performance.now() + 4_000; performance.now() < end; answered += 1) {
      assertStatus(await bea.get(small), 200);
    }
    const growth = heapInUse() - before;
    assert.ok(growth < 150 * 1024 * 1024, `${growth} bytes for ${asked} lists`);
    assert.ok(answered > 20, `${answered} answered`);
  });

  it('hold little memory also while they are compressed, which takes longer than making them', async () => {
    const path = `/projects/${await newProject(ada)}/stories`;
    for (let count = 0; count < 80; count += 1) {
      const text = randomBytes((TEXT * 3) / 4).toString('base64');
      assertStatus(await ada.post(path, `<story><name>Buoy</name><description>${text}</description></story>`), 200);
    }
    // What was left unread before may take up room until its sender is known to have gone.
    await eventually(async () => assertStatus(await ada.get(path), 200));
    const before = heapInUse();
    for (let asked = 1; asked <= 40; asked += 1) {
      const host = `Host: ${new URL(service.url).host}`;
      const first = `GET /services/v3${path}?limit=${80 + asked} HTTP/1.1`;
      await unread(rawHead(first, host, `X-ServiceToken: ${ada.token}`, 'Accept-Encoding: gzip'));
    }
    let most = 0;
    for (const end = performance.now() + 4_000; performance.now() < end; await wait(20)) {
      most = Math.max(most, process.memoryUsage().arrayBuffers);
    }
    assert.ok(most - before < 150 * 1024 * 1024, `${most} bytes`);
  });

  it('are waited for, refused in words where they find no room, and cut off when nobody takes anything', async () => {
    for (const first of [1_000, 2_000]) {
      await unread([1, 2, 3].map((more) => head(`${list}?limit=${first + more}`)).join(''));
    }
    const another = () =>
      request(`${service.url}/services/v3${list}?limit=3000`, {
        token: ada.token,
        headers: { 'Accept-Encoding': 'identity' },
      });
    await eventually(async () => {
      const refused = await another();
      assertRefused({ ...refused, text: refused.text.slice(0, 1_000) }, 503, /long answers for slow readers/);
      assert.equal(refused.headers.get('retry-after'), '5');
    });
    assertStatus(await bea.get(small), 200);
    // Nobody read anything meanwhile: there is room because the connections were cut off.
    const answer = await eventually(async () => {
      const { status, text } = await another();
      assert.equal(status, 200);
      return { text };
    });
    assert.equal(texts(answer, 'name').length, STORIES);
  }).timeout(60_000);

  it('are not even made for who does not read those that wait already; others are answered', async () => {
    for (let asked = 1; asked <= 30; asked += 1) await unread(head(`${list}?limit=${4_000 + asked}`));
    let limit = 0;
    const another = (user: TestUser) => {
      limit += 1;
      return user.get(`/activities?limit=${limit}`);
    };
    await eventually(async () => {
      assertRefused(await another(ada), 503, /long answers for slow readers/);
      assertStatus(await another(bea), 200);
    });
    for (const socket of sockets) socket.destroy();
    await eventually(async () => assertStatus(await another(ada), 200));
  });

  it('come in the order in which they were asked for, however many were asked for ahead', async () => {
    const ids = texts(await ada.get(list), 'id').slice(0, 50);
    const body = '<note><text>Seen</text></note>';
    const asked = ids.flatMap((id) => [
      head(`${list}/${id}/notes`),
      rawHead(
        `POST /services/v3${list}/${id}/notes HTTP/1.1`,
        ...['Host: localhost', `X-ServiceToken: ${ada.token}`, `Content-Length: ${body.length}`],
      ) + body,
      head(`${list}/${id}/notes`),
    ]);
    const last = rawHead('GET /healthz HTTP/1.1', 'Host: localhost', 'Connection: close');
    const { text } = await sendRaw(service.url, asked.join('') + last, 30_000);
    const answers = text.split('HTTP/1.1 ').slice(1);
    assert.equal(answers.length, asked.length + 1);
    for (const [index, answer] of answers.slice(0, -1).entries()) {
      assert.match(answer, /^200 /);
      assert.equal(answer.includes('<text>Seen</text>'), index % 3 > 0, `answer ${index}`);
    }
  });

  it('are cut off with their connection when too much is asked for ahead', async () => {
    const socket = await unread(head(list) + head('/projects').repeat(2_000));
    await eventually(async () => {
      socket.resume();
      assert.equal(socket.closed, true);
    });
    assertStatus(await ada.get('/projects'), 200);
  });

  it('are sent whole to a reader who is slow', async () => {
    const socket = await unread(head(list));
    let bytes = 0;
    socket.on('data', (some: Buffer) => {
      bytes += some.length;
    });
    const { length } = (await ada.get(list)).text;
    for (let times = 0; bytes < length; times += 1) {
      assert.ok(times < 3_000 && !socket.closed, `${bytes} of ${length}`);
      socket.pause();
      await wait(5);
      socket.resume();
      await wait(1);
    }
  });
});
