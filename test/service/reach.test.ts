import assert from 'node:assert/strict';
import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { request as httpsRequest, type RequestOptions } from 'node:https';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { connect as connectTls, type PeerCertificate } from 'node:tls';
import { hashPassword } from '../../src/service/auth/password.ts';
import { addUser } from '../../src/service/store/people/users.ts';
import { eventually } from '../support/eventually.ts';
import { type Identity, PrivateAuthority } from '../support/servers/privateAuthority.ts';
import { newProject, newStory } from './support/project.ts';
import { assertNotFound, assertRefused, assertStatus, request, textOf } from './support/request.ts';
import { runService, serveProcess } from './support/serviceProcess.ts';
import { startTestService, type TestService, temporaryFolder } from './support/testService.ts';

describe('a service that speaks TLS', function () {
  this.timeout(60_000);
  let authority: PrivateAuthority;
  let folder: string;
  let files: { readonly cert: string; readonly key: string };

  before(async () => {
    authority = new PrivateAuthority();
    folder = await temporaryFolder();
    files = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') };
    await write(authority.identity(['127.0.0.1', 'first.example.org']));
  });
  after(async () => {
    authority.remove();
    await rm(folder, { recursive: true, force: true });
  });

  async function write({ cert, key }: Identity): Promise<void> {
    await Promise.all([writeFile(files.cert, cert), writeFile(files.key, key)]);
  }

  async function ask(url: string, options: RequestOptions = {}): Promise<{ status: number; text: string }> {
    const asked = httpsRequest(url, { ca: authority.read(authority.file), agent: false, ...options }).end();
    const [response] = await once(asked, 'response');
    return { status: response.statusCode, text: await text(response) };
  }

  function certificateOf(url: string): Promise<PeerCertificate> {
    const { hostname, port } = new URL(url);
    const socket = connectTls({ host: hostname, port: Number(port), ca: authority.read(authority.file) });
    return once(socket, 'secureConnect').then(() => {
      const certificate = socket.getPeerCertificate();
      socket.destroy();
      return certificate;
    });
  }

  it('writes addresses that begin with https, takes passwords, and answers nobody in the clear', async () => {
    const service = await startTestService({ tls: files });
    try {
      assert.match(service.url, /^https:/);
      const { id, token } = await withStory(service);
      const headers = { 'X-ServiceToken': token };
      const story = await ask(`${service.url}/services/v3/projects/${id.project}/stories/${id.story}`, { headers });
      assert.equal(textOf(story, 'url'), `${service.url}/story/show/${id.story}`);
      await addBo(service);
      const login = { auth: 'bo@example.org:correct horse' };
      assert.equal((await ask(`${service.url}/services/v3/tokens/active`, login)).status, 200);
      await assert.rejects(fetch(service.url.replace('https:', 'http:')));
    } finally {
      await service.stop();
    }
  });

  it('stops though connections are open that never finished to greet', async () => {
    const service = await startTestService({ tls: files });
    const { hostname, port } = new URL(service.url);
    const silent = connect(Number(port), hostname);
    await once(silent, 'connect');
    const idle = connectTls({ host: hostname, port: Number(port), ca: authority.read(authority.file) });
    await once(idle, 'secureConnect');
    const closed = Promise.all([silent, idle].map((socket) => new Promise((resolve) => socket.on('close', resolve))));
    for (const socket of [silent, idle]) socket.on('error', () => undefined).resume();
    await service.stop();
    await closed;
  });

  it('waits for a greeting no longer than for the head of a request, so that silent callers keep nobody out', async () => {
    const service = await startTestService({ tls: files, headTime: 150 });
    const { hostname, port } = new URL(service.url);
    const silent = connect(Number(port), hostname).on('error', () => undefined);
    await once(silent.resume(), 'close');
    assert.equal((await ask(`${service.url}/healthz`)).text, 'ok\n');
    await service.stop();
  });

  it('tells of a certificate that is about to end, when it starts and when it reads it anew', async () => {
    const told: unknown[] = [];
    const service = await startTestService({ tls: files, log: ({ about, message }) => told.push([about, message]) });
    const [first] = told;
    assert.match(String(first), /^certificate,The certificate expires on .*\. Renew it\.$/);
    await service.running.reloadTls();
    await service.stop();
    assert.deepEqual(told, [first, first]);
  });

  it('reads its certificate anew when it is told to, and keeps the old one when the new one is wrong', async () => {
    const data = await temporaryFolder();
    const service = await serveProcess(['--data', data, '--cert', files.cert, '--key', files.key]);
    const lines = createInterface({ input: service.child.stdout });
    const events: string[] = [];
    lines.on('line', (line) => events.push(JSON.parse(line).event));
    const reloaded = async (): Promise<string | undefined> => {
      const count = events.length;
      service.child.kill('SIGHUP');
      const seen = () => events.slice(count).find((event) => event === 'reloaded' || event === 'error');
      await eventually(async () => assert.ok(seen()));
      return seen();
    };
    const first = await certificateOf(service.url);
    const next = authority.identity(['127.0.0.1', 'second.example.org']);
    await writeFile(files.cert, next.cert);
    assert.equal(await reloaded(), 'error', 'the key is that of the old one');
    assert.equal((await certificateOf(service.url)).fingerprint256, first.fingerprint256);
    await write(next);
    assert.equal(await reloaded(), 'reloaded');
    const second = await certificateOf(service.url);
    assert.notEqual(second.fingerprint256, first.fingerprint256);
    await writeFile(files.key, 'no key');
    assert.equal(await reloaded(), 'error');
    assert.equal((await certificateOf(service.url)).fingerprint256, second.fingerprint256);
    assert.equal((await ask(`${service.url}/healthz`)).text, 'ok\n');
    assert.equal(await service.end('SIGTERM'), 0);
    await rm(data, { recursive: true, force: true });
  });

  it('says which file is wrong before it starts', async () => {
    const nowhere = join(folder, 'nowhere.pem');
    await writeFile(join(folder, 'text.pem'), 'text');
    const [alone, missing, wrong] = await Promise.all([
      runService(['serve', '--cert', files.cert]),
      runService(['serve', '--cert', nowhere, '--key', files.key, '--data', folder]),
      runService(['serve', '--cert', join(folder, 'text.pem'), '--key', join(folder, 'text.pem'), '--data', folder]),
    ]);
    assert.deepEqual([alone.code, missing.code, wrong.code], [2, 1, 1]);
    assert.match(alone.stderr, /Pass both --cert and --key/);
    assert.match(missing.stderr, /nowhere\.pem cannot be read/);
    assert.match(wrong.stderr, /text\.pem is not a certificate in PEM format/);
  });
});

describe('a service behind a proxy', () => {
  let now = Date.now();
  let service: TestService;

  before(async () => {
    service = await startTestService({
      publicUrl: 'https://example.org/tracker',
      trustedProxies: ['127.0.0.1'],
      clock: () => now,
    });
  });
  after(() => service.stop());
  afterEach(() => {
    now += 3_600_000;
  });

  /** As a proxy asks that passes the name on, for someone far away. */
  const forwarded = (from: string, proto = 'https') => ({ 'X-Forwarded-For': from, 'X-Forwarded-Proto': proto });

  it('writes the addresses by which others reach it, whether the proxy keeps the path or takes it off', async () => {
    const { id, token } = await withStory(service);
    const path = `/services/v3/projects/${id.project}/stories/${id.story}`;
    for (const url of [`${service.url}${path}`, `${service.url}/tracker${path}`]) {
      const story = await request(url, { token, headers: forwarded('198.51.100.1') });
      assert.equal(textOf(story, 'url'), `https://example.org/tracker/story/show/${id.story}`);
    }
    const page = await request(`${service.url}/tracker/story/show/${id.story}`);
    assertStatus(page, 200);
    assertNotFound(await request(`${service.url}/elsewhere${path}`, { token }));
  });

  it('answers to the name by which others call it, and to its pages', async () => {
    const { port, hostname } = new URL(service.url);
    const answer = async (host: string, origin: string): Promise<string> => {
      const socket = connect(Number(port), hostname);
      socket.write(`GET /healthz HTTP/1.1\r\nHost: ${host}\r\nOrigin: ${origin}\r\nConnection: close\r\n\r\n`);
      return (await text(socket)).slice(9, 12);
    };
    assert.equal(await answer('example.org', 'https://example.org'), '200');
    assert.equal(await answer(`127.0.0.1:${port}`, 'https://example.org'), '200');
    assert.equal(await answer('evil.example.net', 'https://example.org'), '403');
    assert.equal(await answer('example.org', 'https://evil.example.net'), '403');
  });

  it('slows guessing down by who is behind the proxy, and not by the proxy', async () => {
    await addBo(service);
    const guess = (from: string, name: string, password: string) => {
      const login = `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`;
      return request(`${service.url}/services/v3/tokens/active`, {
        headers: { Authorization: login, ...forwarded(from) },
      });
    };
    for (let count = 0; count < 5; count += 1) await guess('198.51.100.1', `somebody${count}`, 'x');
    assertRefused(await guess('198.51.100.1', 'bo@example.org', 'correct horse'), 429, /Too many/);
    assertRefused(await guess(`203.0.113.9, 198.51.100.1`, 'bo@example.org', 'correct horse'), 429, /Too many/);
    assertStatus(await guess('198.51.100.2', 'bo@example.org', 'correct horse'), 200);
  });

  it('takes no password that came to the proxy in the clear', async () => {
    const login = { method: 'POST', body: new URLSearchParams({ username: 'x', password: 'y' }).toString() };
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded', ...forwarded('198.51.100.3', 'http') };
    const answer = await request(`${service.url}/services/v3/tokens/active`, { ...login, headers });
    assertRefused(answer, 403, /over TLS or on this machine/);
  });
});

describe('a service without a proxy', () => {
  it('does not believe who a request says that it is from', async () => {
    const now = Date.now(); // It stands still: a guess may follow a second after the one before on a busy machine.
    const service = await startTestService({ clock: () => now });
    await addBo(service);
    const guess = (from: string, password: string) => {
      const Authorization = `Basic ${Buffer.from(`bo@example.org:${password}`).toString('base64')}`;
      const headers = { Authorization, 'X-Forwarded-For': from, 'X-Forwarded-Proto': 'https' };
      return request(`${service.url}/services/v3/tokens/active`, { headers });
    };
    for (let count = 0; count < 5; count += 1) assertStatus(await guess(`198.51.100.${count}`, 'wrong'), 401);
    assertRefused(await guess('198.51.100.77', 'correct horse'), 429, /Too many/);
    await service.stop();
  });
});

describe('the log of a service', () => {
  it('tells each answered request when it is asked to, without what is secret', async () => {
    const events: Record<string, unknown>[] = [];
    const service = await startTestService({ logsRequests: true, log: (event) => events.push(event) });
    await request(`${service.url}/services/v3/github_commits?token=very-secret`, { method: 'POST', body: '{}' });
    await request(`${service.url}/healthz`);
    await service.stop();
    const requests = events.filter(({ event }) => event === 'request');
    assert.deepEqual(
      requests.map(({ method, path, status }) => [method, path, status]),
      [
        ['POST', '/services/v3/github_commits', 401],
        ['GET', '/healthz', 200],
      ],
    );
    assert.equal(JSON.stringify(events).includes('very-secret'), false);
  });
});

async function addBo(service: TestService): Promise<void> {
  const password = await hashPassword('correct horse');
  await service.running.database.write((tx) => addUser(tx, { name: 'Bo', email: 'bo@example.org', password }, 0));
}

/** A story whose service may not be asked by plain requests. */
async function withStory(service: TestService) {
  const plain = await startTestService({ dataFolder: service.folder });
  const ada = await plain.user('Ada');
  const project = await newProject(ada);
  const story = await newStory(ada, project, 'One');
  await plain.stop();
  return { id: { project, story }, token: ada.token };
}
