import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { newProject } from './support/project.ts';
import { rawHead, sendRaw } from './support/raw.ts';
import { assertNotFound, assertRefused, assertStatus, request } from './support/request.ts';
import { startTestService, type TestService, type TestUser } from './support/testService.ts';

describe('guard', () => {
  let service: TestService;
  let ada: TestUser;
  let projectId: number;
  let port: string;

  before(async () => {
    service = await startTestService({ allowedHosts: ['tracker.example.org'] });
    ada = await service.user('Ada Lovelace');
    projectId = await newProject(ada);
    port = new URL(service.url).port;
  });
  after(() => service.stop());

  /** A valid request but for the headers of the test. */
  async function status(...headers: readonly string[]): Promise<number> {
    const lines = [
      'GET /services/v3/projects HTTP/1.1',
      `X-ServiceToken: ${ada.token}`,
      ...headers,
      'Connection: close',
    ];
    return (await sendRaw(service.url, rawHead(...lines))).status;
  }

  it('answers to its own names only, so that no other name can be pointed here', async () => {
    for (const host of ['127.0.0.1', 'localhost', 'LOCALHOST', '[::1]', 'tracker.example.org', 'x.localhost']) {
      assert.equal(await status(`Host: ${host}:${port}`), 200, host);
    }
    for (const host of [
      'evil.example',
      'localhost.evil.example',
      'evil.example:80',
      '127.0.0.1.evil.example',
      '127.999.1.1',
      '192.168.1.4',
      'tracker.example.org.evil.example',
    ]) {
      assert.equal(await status(`Host: ${host}`), 403, host);
    }
  });

  it('refuses a Host that is none, without falling over', async () => {
    for (const host of [
      '',
      '[',
      '[::1',
      ']',
      ':::',
      'a b',
      '@',
      'a@localhost',
      '%00',
      'localhost:port',
      '[zz]',
      '[::1]x',
      '..',
    ]) {
      assert.equal(await status(`Host: ${host}`), 400, JSON.stringify(host));
    }
    assert.equal(await status(), 400);
    assertStatus(await ada.get('/projects'), 200);
  });

  it('refuses what pages of other origins send, and does nothing for them', async () => {
    const host = `Host: 127.0.0.1:${port}`;
    for (const origin of [
      'https://evil.example',
      'null',
      'http://127.0.0.1',
      'file://',
      'vscode-webview://x',
      '%%%',
      '',
    ]) {
      assert.equal(await status(host, `Origin: ${origin}`), 403, origin);
    }
    for (const site of ['cross-site', 'same-site', 'nonsense']) {
      assert.equal(await status(host, `Sec-Fetch-Site: ${site}`), 403, site);
    }
    assert.equal(await status(host, `Origin: http://127.0.0.1:${port}`, 'Sec-Fetch-Site: same-origin'), 200);
    const post = { method: 'POST', token: ada.token, body: '<story><name>Forged</name></story>' };
    const url = `${service.url}/services/v3/projects/${projectId}/stories`;
    assertRefused(await request(url, { ...post, headers: { Origin: 'https://evil.example' } }), 403, /other origins/);
    assert.equal((await ada.get(`/projects/${projectId}/stories`)).text.includes('Forged'), false);
  });

  it('understands a target with its own host in it, and none with another', async () => {
    const asked = async (target: string) => {
      const head = rawHead(`GET ${target} HTTP/1.1`, `Host: 127.0.0.1:${port}`, 'Connection: close');
      return (await sendRaw(service.url, head)).status;
    };
    assert.equal(await asked(`http://127.0.0.1:${port}/healthz`), 200);
    assert.equal(await asked(`HTTP://127.0.0.1:${port}`), 404);
    for (const other of [
      'http://evil.example/healthz',
      `http://127.0.0.1:${port}.evil.example/healthz`,
      'ftp://x/healthz',
    ])
      assert.equal(await asked(other), 400, other);
  });

  it('survives lines that are not HTTP', async () => {
    const lines = ['\r\n\r\n', 'GET', 'GET  HTTP/1.1', '\x00\x01\x02', 'GET /\x7f HTTP/1.1', 'PRI * HTTP/2.0'];
    for (const line of lines) {
      const { status: answered } = await sendRaw(service.url, `${line}\r\nHost: localhost\r\n\r\n`, 500);
      assert.ok(answered === 0 || answered >= 400, JSON.stringify(line));
    }
    for (const target of [
      '*',
      'http://evil.example/services/v3/projects',
      '//evil.example/x',
      '/%',
      '/services/v3/projects/%zz',
    ]) {
      const { status: answered } = await sendRaw(
        service.url,
        rawHead(`GET ${target} HTTP/1.1`, 'Host: localhost', 'Connection: close'),
      );
      assert.ok([400, 404].includes(answered), `${target}: ${answered}`);
    }
    assertStatus(await ada.get('/projects'), 200);
  });

  it('refuses heads that are too long', async () => {
    const { status: answered } = await sendRaw(service.url, rawHead('GET / HTTP/1.1', `X: ${'x'.repeat(100_000)}`));
    assert.equal(answered, 431);
  });

  it('refuses heads of more than a hundred lines, and leaves out nothing of shorter ones', async () => {
    const lines = Array.from({ length: 98 }, (_, index) => `X-Line-${index}: a`);
    const head = ['GET /services/v3/projects HTTP/1.1', 'Host: localhost', ...lines];
    assert.equal((await sendRaw(service.url, rawHead(...head, 'X-ServiceToken: unknown'))).status, 401);
    const shorter = rawHead(...head, `X-ServiceToken: ${ada.token}`);
    assert.equal((await sendRaw(service.url, shorter, 500)).status, 200);
    for (const more of [1, 20, 1_000]) {
      const longer = rawHead(...head, ...Array.from({ length: more }, () => 'X: a'), `X-ServiceToken: ${ada.token}`);
      const { status: refused, text } = await sendRaw(service.url, longer + shorter);
      assert.deepEqual([refused, text.split('HTTP/1.1').length], [431, 2]);
    }
  });
});

describe('status codes', () => {
  let service: TestService;
  let ada: TestUser;
  let stories: string;

  before(async () => {
    service = await startTestService();
    ada = await service.user('Ada Lovelace');
    stories = `/projects/${await newProject(ada)}/stories`;
  });
  after(() => service.stop());

  const call = (path: string, options: Parameters<typeof request>[1] = {}) =>
    request(service.url + path, { token: ada.token, ...options });

  it('404 for paths that are none', async () => {
    for (const path of [
      '/',
      '/services',
      '/services/v3',
      '/services/v3/',
      '/services/v3/nothing',
      '/services/v4/projects',
    ]) {
      assertNotFound(await call(path));
    }
    assertNotFound(await ada.get(`${stories}/1e3`));
    assertNotFound(await ada.get(`${stories}/-1`));
  });

  it('410 for versions that are gone, with a text that names version 3', async () => {
    for (const path of ['/services/v1/projects', '/services/v2/projects', '/services/v2']) {
      assertRefused(await call(path), 410, /version 3: \/services\/v3/);
    }
  });

  it('405 with the methods there are', async () => {
    const answer = await call('/services/v3/projects', { method: 'DELETE' });
    assertRefused(answer, 405, /GET, HEAD, POST/);
    assert.equal(answer.headers.get('allow'), 'GET, HEAD, POST');
    const head = await call('/services/v3/source_commits', { method: 'HEAD' });
    assert.deepEqual([head.status, head.headers.get('allow'), head.text], [405, 'POST', '']);
    assertStatus(await call('/healthz', { method: 'POST' }), 405);
  });

  it('400 for XML that is none, and says where', async () => {
    for (const body of [
      '<story>',
      '<story><name>a</story>',
      '<story/><story/>',
      '<story>&nope;</story>',
      '<!DOCTYPE x><story/>',
    ]) {
      const answer = await ada.post(stories, body);
      assertStatus(answer, 400);
      assert.match(answer.text, /<error>/);
    }
    assertRefused(await ada.post(stories, '<note/>'), 400, /"story" was expected/);
    assertRefused(await ada.post(stories), 400, /root "story"/);
  });

  it('415 for other types than XML', async () => {
    const headers = { 'Content-Type': 'image/png' };
    assertRefused(
      await call(`/services/v3${stories}`, { method: 'POST', body: 'x', headers }),
      415,
      /application\/xml/,
    );
  });

  it('413 for a body over the limit, said before it is all read', async () => {
    const body = `<story><name>x</name><description>${'x'.repeat(5 * 1024 * 1024)}</description></story>`;
    assertRefused(await ada.post(stories, body), 413, /too long/);
    const head = ['POST /services/v3/projects HTTP/1.1', 'Host: localhost', `X-ServiceToken: ${ada.token}`];
    const claimed = rawHead(...head, 'Content-Length: 99999999999', 'Expect: 100-continue');
    const { text } = await sendRaw(service.url, claimed);
    assert.match(text, /^HTTP\/1\.1 413 /);
  });

  it('408 for a body that stops on its way', async () => {
    const impatient = await startTestService({ bodyTime: 100 });
    try {
      const { token } = await impatient.user('Bea Waiting');
      const head = ['POST /services/v3/projects HTTP/1.1', 'Host: localhost', `X-ServiceToken: ${token}`];
      const answer = await sendRaw(impatient.url, `${rawHead(...head, 'Content-Length: 100')}<project>`);
      assert.equal(answer.status, 408);
      assert.match(answer.text, /took too long to arrive/);
    } finally {
      await impatient.stop();
    }
  });

  it('408 for a head that stops on its way, and for a connection on which nothing is ever said', async () => {
    const impatient = await startTestService({ headTime: 300 });
    try {
      for (const bytes of ['GET /services/v3/projects HTTP/1.1\r\nHost: local', '']) {
        const { status } = await sendRaw(impatient.url, bytes, 20_000);
        assert.equal(status, 408);
      }
    } finally {
      await impatient.stop();
    }
  });

  it('lets callers in while others keep a thousand connections open and say nothing', async () => {
    const crowded = await startTestService();
    const silent: Socket[] = [];
    try {
      const { hostname, port: crowdedPort } = new URL(crowded.url);
      while (silent.length < 1_200) {
        const socket = connect(Number(crowdedPort), hostname).on('error', () => undefined);
        await once(socket, 'connect');
        silent.push(socket);
      }
      const head = rawHead('GET /healthz HTTP/1.1', `Host: localhost:${crowdedPort}`, 'Connection: close');
      for (let count = 0; count < 5; count += 1) assert.equal((await sendRaw(crowded.url, head)).status, 200);
      assert.ok(silent.some((socket) => !socket.destroyed));
    } finally {
      for (const socket of silent) socket.destroy();
      await crowded.stop();
    }
  });

  it('tells a sender that waits for it to go on', async () => {
    const body = '<story><name>Patient</name></story>';
    const head = [`POST /services/v3${stories} HTTP/1.1`, 'Host: localhost', `X-ServiceToken: ${ada.token}`];
    const more = [`Content-Length: ${body.length}`, 'Expect: 100-continue', 'Connection: close'];
    const { text } = await sendRaw(service.url, rawHead(...head, ...more) + body);
    assert.match(text, /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK/);
  });

  it('200 for a trailing question mark, raw brackets and a body of length zero', async () => {
    assertStatus(await call(`/services/v3${stories}?`), 200);
    const head = [
      `POST /services/v3${stories}?story[name]=Raw HTTP/1.1`,
      'Host: localhost',
      `X-ServiceToken: ${ada.token}`,
    ];
    const { status } = await sendRaw(service.url, rawHead(...head, 'Content-Length: 0', 'Connection: close'));
    assert.equal(status, 200);
  });

  it('200 or what is wrong for a body that is neither there nor told of', async () => {
    const asked = async (path: string, ...headers: readonly string[]) => {
      const head = [`POST /services/v3${stories}${path} HTTP/1.1`, 'Host: localhost', `X-ServiceToken: ${ada.token}`];
      return sendRaw(service.url, rawHead(...head, ...headers, 'Connection: close'), 10_000);
    };
    assert.equal((await asked('?story[name]=Nothing')).status, 200);
    assert.equal((await asked('')).status, 400);

    const id = (await asked('?story[name]=Bare')).text.match(/<id type="integer">(\d+)/)?.[1];
    const upload = await asked(`/${id}/attachments`, 'Content-Type: multipart/form-data; boundary=b');
    assert.match(upload.text, /^HTTP\/1\.1 400 [\s\S]*ends before its last boundary/);
  });

  it('answers whether it is well, and shows the page of a story without its data', async () => {
    const health = await request(`${service.url}/healthz`);
    assert.deepEqual([health.status, health.text], [200, 'ok\n']);
    await ada.post(stories, '<story><name>Secret name</name></story>');
    const followed = ['Sec-Fetch-Site: cross-site', 'Sec-Fetch-Mode: navigate', 'Connection: close'];
    const page = await sendRaw(service.url, rawHead('GET /story/show/1 HTTP/1.1', 'Host: localhost', ...followed));
    assert.equal(page.status, 200);
    assert.match(page.text, /href="vscode:\/\/story-tracker\.story-tracker\/story\/1"/);
    assert.equal(page.text.includes('Secret'), false);
    assert.match(page.text, /^Content-Security-Policy: default-src 'none'/m);
  });
});
