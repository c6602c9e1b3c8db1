import assert from 'node:assert/strict';
import { get, type IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { newBacklog, newProject } from './support/project.ts';
import { startTestService, type TestService, type TestUser } from './support/testService.ts';

interface Seen {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

describe('answers that the caller may have already', () => {
  let service: TestService;
  let user: TestUser;
  let project: number;
  let stories: number[];
  const backlog = () => `/projects/${project}/iterations/current_backlog`;

  before(async () => {
    service = await startTestService();
    user = await service.user('Ada Keeper');
    project = await newProject(user);
    stories = await newBacklog(user, project, ['Buoys', 'Beacons', 'Bells', 'Boats']);
  });
  after(() => service.stop());

  function ask(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Seen> {
    const all = { 'X-ServiceToken': user.token, ...headers };
    return new Promise((resolve, reject) => {
      get(`${service.url}/services/v3${path}`, { headers: all }, async (response) => {
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: await buffer(response) });
      }).on('error', reject);
    });
  }
  const tagOf = ({ headers }: Seen): string => headers.etag ?? '';

  it('say which they are, strongly, and may be kept by the asker only', async () => {
    const seen = await ask(backlog());
    assert.match(tagOf(seen), /^"[\w-]{43}"$/);
    assert.equal(seen.headers['cache-control'], 'private, no-cache');
    assert.equal(seen.headers.vary, 'Accept-Encoding');
    assert.equal(Number(seen.headers['content-length']), seen.body.length);
  });
  it('are not sent again to who names them', async () => {
    const tag = tagOf(await ask(backlog()));
    for (const named of [tag, `"other", ${tag}`, `W/${tag}`, '*']) {
      const seen = await ask(backlog(), { 'If-None-Match': named });
      assert.equal(seen.status, 304, named);
      assert.equal(seen.body.length, 0);
      assert.equal(tagOf(seen), tag);
      assert.equal(seen.headers['content-length'], undefined);
    }
    assert.equal((await ask(backlog(), { 'If-None-Match': '"other"' })).status, 200);
  });
  it('are sent whole after a change', async () => {
    const before = await ask(backlog());
    const [first, second] = stories;
    await user.post(`/projects/${project}/stories/${first}/moves?move[move]=after&move[target]=${second}`);
    const moved = await ask(backlog(), { 'If-None-Match': tagOf(before) });
    assert.equal(moved.status, 200);
    assert.notEqual(tagOf(moved), tagOf(before));
    assert.notDeepEqual(moved.body, before.body);
  });
  it('still need the token and the membership', async () => {
    const tag = tagOf(await ask(backlog()));
    const headers = { 'If-None-Match': tag };
    assert.equal((await ask(backlog(), { ...headers, 'X-ServiceToken': 'wrong' })).status, 401);
    const stranger = await service.user('Otto Stranger');
    assert.equal((await ask(backlog(), { ...headers, 'X-ServiceToken': stranger.token })).status, 404);
  });
  it('come compressed to who asks for that', async () => {
    const plain = await ask(backlog());
    assert.equal(plain.headers['content-encoding'], undefined);
    for (const wish of ['gzip', 'deflate, GZIP;q=0.5', 'x-gzip']) {
      const seen = await ask(backlog(), { 'Accept-Encoding': wish });
      assert.equal(seen.headers['content-encoding'], 'gzip', wish);
      assert.ok(seen.body.length < plain.body.length);
      assert.deepEqual(gunzipSync(seen.body), plain.body);
      assert.notEqual(tagOf(seen), tagOf(plain));
      const again = await ask(backlog(), { 'Accept-Encoding': wish, 'If-None-Match': tagOf(seen) });
      assert.equal(again.status, 304);
    }
  });
  it('come plain to who does not, and when they are short', async () => {
    for (const wish of ['', 'br', '*', 'gzip;q=0', 'gzip;q=0.1, identity', 'gzip;q=x']) {
      assert.equal((await ask(backlog(), { 'Accept-Encoding': wish })).headers['content-encoding'], undefined, wish);
    }
    const short = await ask(`/projects/${project}/stories?limit=0`, { 'Accept-Encoding': 'gzip' });
    assert.equal(short.headers['content-encoding'], undefined);
  });
});
