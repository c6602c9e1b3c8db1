import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { hasNeverLeft } from '../../../../src/client/network/networkError.ts';
import { createTracker, type HttpTracker } from '../../../../src/client/tracker/httpTracker.ts';
import { TrackerError, type TrackerErrorKind } from '../../../../src/core/errors.ts';
import {
  CANARY,
  everythingIn,
  listen,
  type Seen,
  serve,
  type TestServer,
  trackerFor,
} from '../../../support/servers/testServer.ts';
import { silentLog } from '../../../support/silentLog.ts';
import { trackerMethods } from '../../../support/trackers/trackerMethods.ts';

const STORY = { projectId: 1, storyId: 2 };
const story = '<story><id type="integer">2</id><name>007</name></story>';

describe('HttpTracker', () => {
  const servers: TestServer[] = [];
  const trackers: { close(): Promise<void> }[] = [];

  afterEach(async () => {
    await Promise.all(trackers.splice(0).map((tracker) => tracker.close()));
    await Promise.all(servers.splice(0).map((server) => server.close()));
  });

  async function start(...parameters: Parameters<typeof serve>): Promise<TestServer> {
    const server = await serve(...parameters);
    servers.push(server);
    return server;
  }

  function trackerAt(...parameters: Parameters<typeof trackerFor>) {
    const made = trackerFor(...parameters);
    trackers.push(made.tracker);
    return made;
  }

  async function answering(status: number, body: string, headers: Record<string, string> = {}) {
    const server = await start((_, response) => response.writeHead(status, headers).end(body));
    return { server, ...trackerAt(server.url) };
  }

  async function errorOf(promise: Promise<unknown>): Promise<TrackerError> {
    const error = await promise.then(
      () => assert.fail('it did not fail'),
      (thrown: unknown) => thrown,
    );
    assert.ok(error instanceof TrackerError, String(error));
    assert.ok(!everythingIn(error).includes(CANARY), everythingIn(error));
    return error;
  }

  async function assertFails(promise: Promise<unknown>, kind: TrackerErrorKind, message: RegExp): Promise<void> {
    const error = await errorOf(promise);
    assert.equal(error.kind, kind, error.message);
    assert.match(error.message, message);
  }

  describe('requests', () => {
    async function assertSends(
      run: (tracker: ReturnType<typeof trackerFor>['tracker']) => Promise<unknown>,
      expected: string,
      answer: string,
      body = '',
    ): Promise<Seen> {
      const { server, tracker } = await answering(200, answer);
      await run(tracker);
      const [seen] = server.seen;
      assert.ok(seen);
      assert.equal(`${seen.method} ${seen.url}`, expected);
      if (body) assert.equal(seen.body.replace(/^<\?xml.*\n|\n *(?=<)|\n$/g, ''), body);
      return seen;
    }

    it('carry the token in the one header and nothing else of it', async () => {
      const seen = await assertSends(
        (tracker) => tracker.getStory(STORY),
        'GET /services/v3/projects/1/stories/2',
        story,
      );
      assert.equal(seen.headers['x-servicetoken'], CANARY);
      assert.equal(seen.headers['accept-encoding'], 'identity');
      assert.equal(JSON.stringify(seen).split(CANARY).length, 2);
    });

    it('ask for the token each time', async () => {
      const server = await start((_, response) => response.end(story));
      let asked = 0;
      const { tracker } = trackerAt(server.url, { token: async () => `token-${++asked}` });
      await tracker.getStory(STORY);
      await tracker.getStory(STORY);
      assert.deepEqual(
        server.seen.map(({ headers }) => headers['x-servicetoken']),
        ['token-1', 'token-2'],
      );
    });

    it('can use another header', async () => {
      const server = await start((_, response) => response.end(story));
      const { tracker } = trackerAt(server.url, { tokenHeader: 'X-TrackerToken' });
      await tracker.getStory(STORY);
      assert.equal(server.seen[0]?.headers['x-trackertoken'], CANARY);
      assert.equal(server.seen[0]?.headers['x-servicetoken'], undefined);
    });

    it('go below a sub-path', async () => {
      const server = await start((_, response) => response.end('<projects type="array"/>'));
      const { tracker, lines } = trackerAt(`${server.url}/tracker/`);
      assert.deepEqual(await tracker.listProjects(), []);
      assert.equal(server.seen[0]?.url, '/tracker/services/v3/projects');
      assert.match(lines[0] ?? '', /^GET \/tracker\/services\/v3\/projects 200 \d+ ms$/);
    });

    it('use one connection again and again', async () => {
      const { server, tracker } = await answering(200, story);
      for (let count = 0; count < 5; count += 1) await tracker.getStory(STORY);
      assert.ok(server.connections() <= 2, String(server.connections()));
    });

    it('say how a story moves, without a body', async () => {
      const seen = await assertSends(
        (tracker) => tracker.moveStory(STORY, 'after', 5),
        'POST /services/v3/projects/1/stories/2/moves?move%5Bmove%5D=after&move%5Btarget%5D=5',
        story,
      );
      assert.equal(seen.headers['content-length'], '0');
      const put = await assertSends(
        (tracker) => tracker.deliverAllFinished(1),
        'PUT /services/v3/projects/1/stories/deliver_all_finished',
        '<stories type="array"/>',
      );
      assert.equal(put.headers['content-length'], '0');
    });

    it('hold XML', async () => {
      const seen = await assertSends(
        (tracker) => tracker.updateStory(STORY, { name: 'a < b', ownedBy: null, estimate: 2 }),
        'PUT /services/v3/projects/1/stories/2',
        story,
        '<story><estimate type="integer">2</estimate><name>a &lt; b</name><owned_by/></story>',
      );
      assert.equal(seen.headers['content-type'], 'application/xml');
    });

    it('post a commit', () =>
      assertSends(
        (tracker) =>
          tracker.postSourceCommit({ commitId: 'abc', message: '[fixes #2]', author: 'Scotty', url: 'http://x/y' }),
        'POST /services/v3/source_commits',
        '<notes type="array"/>',
        '<source_commit><message>[fixes #2]</message><author>Scotty</author><commit_id>abc</commit_id><url>http://x/y</url></source_commit>',
      ));

    it('name the user of endpoint 7 in the query, which stays out of the log', async () => {
      const { server, tracker, lines } = await answering(422, '<errors><error>No.</error></errors>');
      const error = await errorOf(tracker.postHostedCommits('{"commits":[]}'));
      assert.equal(server.seen[0]?.url, `/services/v3/github_commits?token=${CANARY}`);
      assert.equal(server.seen[0]?.headers['x-servicetoken'], undefined);
      assert.equal(server.seen[0]?.body, 'payload=%7B%22commits%22%3A%5B%5D%7D');
      assert.equal(error.request, 'POST /services/v3/github_commits');
      assert.ok(!lines.join().includes(CANARY));
    });

    it('ask for activity since a version, a day and with a limit', () =>
      assertSends(
        (tracker) =>
          tracker.listActivities({ projectId: 3, newerThanVersion: 7, occurredSince: '2010/05/01', limit: 100 }),
        'GET /services/v3/projects/3/activities?limit=100&newer_than_version=7&occurred_since_date=2010%2F05%2F01',
        '<activities type="array"/>',
      ));

    it('ask for stories by filter and page', () =>
      assertSends(
        (tracker) => tracker.listStories(3, { filter: 'label:"a b" type:bug', limit: 5 }),
        'GET /services/v3/projects/3/stories?filter=label%3A%22a+b%22+type%3Abug&limit=5',
        '<nil-classes type="array"> </nil-classes>',
      ));

    it('reach every path of iterations', async () => {
      const { server, tracker } = await answering(200, '<iterations type="array"/>');
      for (const group of [undefined, 'done', 'current', 'backlog', 'current_backlog'] as const) {
        await tracker.listIterations(1, group, group === 'done' ? { offset: -3 } : {});
      }
      await tracker.currentBacklog(1);
      const base = '/services/v3/projects/1/iterations';
      const paths = ['', '/done?offset=-3', '/current', '/backlog', '/current_backlog', '/current_backlog'];
      assert.deepEqual(
        server.seen.map(({ url }) => url),
        paths.map((path) => base + path),
      );
    });

    it('sign in with name and password', async () => {
      const seen = await assertSends(
        async (tracker) => assert.equal(await tracker.activeToken({ username: 'kirk', password: 'é:x' }), 'abc'),
        'GET /services/v3/tokens/active',
        '<token><guid>abc</guid><id type="integer">1</id></token>',
      );
      assert.equal(seen.headers.authorization, `Basic ${Buffer.from('kirk:é:x').toString('base64')}`);
      assert.equal(seen.headers['x-servicetoken'], undefined);
    });

    it('cover the whole of the port', () => {
      const { tracker } = trackerAt('http://127.0.0.1:1');
      for (const method of trackerMethods) assert.equal(typeof tracker[method], 'function', method);
    });
  });

  describe('answers', () => {
    it('are decoded as they arrive: iterations with their stories', async () => {
      const xml = readFileSync(new URL('../../../fixtures/v3/iterations.xml', import.meta.url), 'utf8');
      const { tracker } = await answering(200, xml);
      const iterations = await tracker.currentBacklog(1);
      assert.deepEqual(
        iterations.map(({ number, stories }) => [number, stories.map(({ id }) => id)]),
        [
          [12, [101, 102]],
          [13, [103]],
          [14, []],
        ],
      );
    });

    it('keep text as text', async () => {
      const { tracker } = await answering(200, story);
      assert.equal((await tracker.getStory(STORY)).name, '007');
    });

    it('may leave out what the document does not show', async () => {
      const server = await start(({ method }, response) => response.end(method === 'GET' ? story : ' '));
      const { tracker } = trackerAt(server.url);
      assert.equal((await tracker.moveStory(STORY, 'before', 1)).id, 2);
      assert.equal((await tracker.updateStory(STORY, { state: 'started' })).id, 2);
      assert.deepEqual(await tracker.postSourceCommit({ commitId: 'a', message: 'b', author: 'c' }), []);
    });
  });

  describe('refusals', () => {
    const said = '<errors><error>Estimate it first.</error><error>Name it.</error></errors>';
    const cases: readonly (readonly [number, string, TrackerErrorKind, RegExp])[] = [
      [400, said, 'refused', /^Estimate it first\. Name it\.$/],
      [401, 'HTTP Basic: Access denied.', 'unauthorized', /does not accept the API token\. Sign in again/],
      [401, '<message>Access denied.</message>', 'unauthorized', /does not accept the API token\. Sign in again/],
      [401, '<html><body>Access denied.</body></html>', 'unauthorized', /does not accept the API token/],
      [403, '', 'forbidden', /your role/],
      [403, '<message>Viewers only look.</message>', 'forbidden', /^Viewers only look\.$/],
      [404, '<html>not here</html>', 'notFound', /does not have this/],
      [404, '<message>Resource not found</message>', 'notFound', /does not have this, or it is in a project you/],
      [404, '<message>The story is gone.</message>', 'notFound', /^The story is gone\.$/],
      [405, '', 'protocol', /does not offer this/],
      [410, '<message>Use v3.</message>', 'notFound', /^Use v3\.$/],
      [413, '', 'tooLarge', /too large for/],
      [422, said, 'refused', /^Estimate it first\. Name it\.$/],
      [422, '<message>unknown attribute: title</message>', 'refused', /^unknown attribute: title$/],
      [422, '{"json": true}', 'refused', /without a reason/],
      [429, '', 'busy', /is busy\. Try again in a moment/],
      [500, '<html>oops</html>', 'server', /failed with status 500/],
      [503, '', 'busy', /is busy/],
      [418, '', 'refused', /status 418/],
      [304, '', 'protocol', /status 304/],
    ];
    for (const [status, body, kind, message] of cases) {
      it(`${status} with ${body || 'no body'} is ${kind}`, async () => {
        const { tracker } = await answering(status, body);
        const error = await errorOf(tracker.createStory(1, { name: 'x' }));
        assert.equal(error.kind, kind);
        assert.equal(error.status, status);
        assert.equal(error.request, 'POST /services/v3/projects/1/stories');
        assert.match(error.message, message);
      });
    }

    it('do not repeat the token when the server does', async () => {
      const { tracker, lines } = await answering(422, `<errors><error>Bad token ${CANARY}!</error></errors>`);
      const error = await errorOf(tracker.createStory(1, { name: 'x' }));
      assert.match(error.message, /Bad token …!/);
      assert.ok(!lines.join().includes(CANARY));
    });

    it('are given even when their body is endless or breaks off', async () => {
      const server = await start((_, response) => {
        response.writeHead(422);
        const more = () => {
          while (response.write('x'.repeat(65536)));
          response.once('drain', more);
        };
        more();
      });
      await assertFails(trackerAt(server.url).tracker.createStory(1, { name: 'x' }), 'refused', /without a reason/);
    });
  });

  describe('what is not an answer of a tracker', () => {
    it('a web page', async () => {
      const { tracker } = await answering(200, '<!DOCTYPE html><html></html>', {
        'content-type': 'text/html; charset=utf-8',
      });
      await assertFails(tracker.getStory(STORY), 'protocol', /a web page/);
    });
    it('a web page that does not say so', async () => {
      const { tracker } = await answering(200, '<!DOCTYPE html><html></html>');
      await assertFails(tracker.getStory(STORY), 'protocol', /DOCTYPE/);
    });
    it('something else in XML', async () => {
      const { tracker } = await answering(200, '<rss><channel/></rss>');
      await assertFails(tracker.getStory(STORY), 'protocol', /"rss", and "story" was expected/);
      await assertFails(tracker.listStories(1, {}), 'protocol', /a list of stories was expected/);
    });
    it('compressed data that was not asked for', async () => {
      const { tracker } = await answering(200, 'x', { 'content-encoding': 'gzip' });
      await assertFails(tracker.getStory(STORY), 'protocol', /compressed/);
    });
    it('XML that ends too early', async () => {
      const { tracker } = await answering(200, '<story><id>2</id>');
      await assertFails(tracker.getStory(STORY), 'protocol', /not well-formed/);
    });
    it('an endless body', async () => {
      const server = await start((_, response) => {
        response.write('<stories type="array">');
        const more = () => {
          while (response.write(`<story><id>1</id><name>${'x'.repeat(60_000)}</name></story>`));
          response.once('drain', more);
        };
        more();
      });
      await assertFails(trackerAt(server.url).tracker.listStories(1, {}), 'protocol', /larger than/);
    });
    it('another protocol', async () => {
      const raw = createServer((socket) => void socket.end('SSH-2.0-OpenSSH_9.9\r\n'));
      await new Promise<void>((resolve) => raw.listen(0, '127.0.0.1', resolve));
      const address = raw.address();
      const port = typeof address === 'object' ? address?.port : 0;
      await assertFails(
        trackerAt(`http://127.0.0.1:${port}`).tracker.createStory(1, { name: 'x' }),
        'protocol',
        /does not speak HTTP/,
      );
      await assertFails(
        trackerAt(`https://127.0.0.1:${port}`).tracker.createStory(1, { name: 'x' }),
        'protocol',
        /does not speak TLS/,
      );
      raw.close();
    });
  });

  describe('trouble on the way', () => {
    it('nobody listens', async () => {
      const server = await start(() => undefined);
      await server.close();
      const { tracker, slept } = trackerAt(server.url);
      await assertFails(
        tracker.getStory(STORY),
        'unreachable',
        /Nothing answers at 127\.0\.0\.1:\d+\. Check that the server is running there\./,
      );
      assert.deepEqual(slept, [125, 250, 500]);
    });

    it('an unknown name', () =>
      assertFails(
        trackerAt('http://no-such-host.invalid').tracker.createStory(1, { name: 'x' }),
        'unreachable',
        /no-such-host\.invalid/,
      ));

    it('silence before the answer, and within it', async () => {
      const silent = await start(() => undefined);
      const halting = await start((_, response) => void response.write('<story>'));
      const before = trackerAt(silent.url, { timeouts: { headers: 100 } }).tracker;
      const within = trackerAt(halting.url, { timeouts: { body: 100 } }).tracker;
      await Promise.all(
        [before, within].map((tracker) =>
          assertFails(tracker.createStory(1, { name: 'x' }), 'timeout', /did not answer in time/),
        ),
      );
    });

    it('is known never to have left without a connection only', async () => {
      const closed = await start(() => undefined);
      await closed.close();
      const cut = await start((_, response) => void response.destroy());
      const silent = await start(() => undefined);
      const failures = await Promise.all(
        [closed.url, 'http://no-such-host.invalid', cut.url, silent.url].map((url) =>
          errorOf(trackerAt(url, { timeouts: { headers: 100 } }).tracker.deleteStory(STORY)),
        ),
      );
      assert.deepEqual(failures.map(hasNeverLeft), [true, true, false, false]);
    });

    it('is not known so of a change that was made, where nobody answers for what came of it', async () => {
      const changes = [
        (tracker: HttpTracker) => tracker.updateStory(STORY, { name: 'x' }),
        (tracker: HttpTracker) => tracker.moveStory(STORY, 'before', 3),
        (tracker: HttpTracker) => tracker.updateTask(STORY, 5, { complete: true }),
      ];
      for (const change of changes) {
        const server = await start((_, response) => {
          response.setHeader('connection', 'close').end(() => void server.close());
        });
        const failure = await errorOf(change(trackerAt(server.url).tracker));
        assert.match(failure.message, /Nothing answers/);
        assert.deepEqual([server.seen.length, failure.kind, hasNeverLeft(failure)], [1, 'unreachable', false]);
      }
    });

    it('an answer that drips for ever', async () => {
      const server = await start((_, response) => {
        const timer = setInterval(() => response.write(' '), 10);
        response.on('close', () => clearInterval(timer));
      });
      const { tracker } = trackerAt(server.url, { timeouts: { total: 150 } });
      await assertFails(tracker.getStory(STORY), 'timeout', /did not finish its answer in time/);
      assert.equal(server.seen.length, 1);
    });

    it('a body that is cut off', async () => {
      const server = await start((_, response) => {
        response.writeHead(200, { 'content-length': '500' });
        response.write('<story><id>', () => response.destroy());
      });
      await assertFails(trackerAt(server.url).tracker.createStory(1, { name: 'x' }), 'unreachable', /was interrupted/);
      assert.equal(server.seen.length, 1);
      await assertFails(trackerAt(server.url).tracker.getStory(STORY), 'unreachable', /was interrupted/);
      assert.equal(server.seen.length, 5);
    });

    it('a token that cannot be had', async () => {
      const server = await start(() => undefined);
      const { tracker } = trackerAt(server.url, { token: () => Promise.reject(new Error(`no ${CANARY}`)) });
      await assertFails(tracker.getStory(STORY), 'unauthorized', /Sign in\.$/);
    });

    it('a tracker that was closed', async () => {
      const { tracker } = await answering(200, story);
      await tracker.close();
      await assertFails(tracker.createStory(1, { name: 'x' }), 'unreachable', /./);
    });
  });

  describe('retries', () => {
    async function failingFirst(times: number, status: number, headers: Record<string, string> = {}) {
      const server = await start((_, response, nth) => {
        if (nth <= times) response.writeHead(status, headers).end();
        else response.end(story);
      });
      return { server, ...trackerAt(server.url) };
    }

    it('a read is tried four times, with growing pauses', async () => {
      const { server, tracker, slept } = await failingFirst(3, 503);
      assert.equal((await tracker.getStory(STORY)).id, 2);
      assert.deepEqual(slept, [125, 250, 500]);
      assert.equal(server.seen.length, 4);
    });
    it('and then no more', async () => {
      const { server, tracker } = await failingFirst(9, 502);
      await assertFails(tracker.getStory(STORY), 'server', /502/);
      assert.equal(server.seen.length, 4);
    });
    it('waits the seconds that the server asks for', async () => {
      const { tracker, slept } = await failingFirst(1, 429, { 'retry-after': '7' });
      await tracker.getStory(STORY);
      assert.deepEqual(slept, [7000]);
    });
    it('waits until the date that the server names', async () => {
      const { tracker, slept } = await failingFirst(1, 429, {
        'retry-after': new Date(Date.now() + 20_000).toUTCString(),
      });
      await tracker.getStory(STORY);
      assert.ok((slept[0] ?? 0) > 15_000 && (slept[0] ?? 0) <= 20_000, String(slept));
    });
    it('does not wait an hour', async () => {
      const { tracker, slept } = await failingFirst(1, 429, { 'retry-after': '3600' });
      const error = await errorOf(tracker.getStory(STORY));
      assert.equal(error.retryAfter, 3_600_000);
      assert.match(error.message, /in 3600 s/);
      assert.deepEqual(slept, []);
    });
    it('a refusal is final', async () => {
      const { server, tracker } = await failingFirst(1, 404);
      await assertFails(tracker.getStory(STORY), 'notFound', /./);
      assert.equal(server.seen.length, 1);
    });
    it('nor is a name that nobody knows looked up again', async () => {
      const { tracker, slept } = trackerAt('http://nowhere.invalid');
      await assertFails(tracker.getStory(STORY), 'unreachable', /Could not find the name nowhere\.invalid/);
      assert.deepEqual(slept, []);
    });
    it('a write is never repeated', async () => {
      const { server, tracker } = await failingFirst(9, 503);
      await assertFails(tracker.createStory(1, { name: 'x' }), 'busy', /./);
      await assertFails(tracker.updateStory(STORY, { name: 'x' }), 'busy', /./);
      await assertFails(tracker.deleteStory(STORY), 'busy', /./);
      assert.equal(server.seen.length, 3);
    });
  });

  describe('cancelling', () => {
    it('ends a request', async () => {
      const stop = new AbortController();
      const server = await start(() => stop.abort());
      await assertFails(
        trackerAt(server.url).tracker.getStory(STORY, { signal: stop.signal }),
        'cancelled',
        /^Canceled\.$/,
      );
      assert.equal(server.seen.length, 1);
    });
    it('ends a pause between two tries', async () => {
      const stop = new AbortController();
      const server = await start((_, response) => response.writeHead(503).end());
      const pace = {
        random: () => 1,
        sleep: async (_: number, signal: AbortSignal) => {
          stop.abort();
          signal.throwIfAborted();
        },
      };
      const { tracker } = trackerAt(server.url, { pace });
      await assertFails(tracker.getStory(STORY, { signal: stop.signal }), 'cancelled', /./);
      assert.equal(server.seen.length, 1);
    });
    it('before the start sends nothing', async () => {
      const { server, tracker } = await answering(200, story);
      await assertFails(tracker.getStory(STORY, { signal: AbortSignal.abort() }), 'cancelled', /./);
      assert.equal(server.connections(), 0);
    });
  });

  describe('redirects', () => {
    async function redirecting(location: string | undefined, status: number) {
      const made = await start(({ url }, response) => {
        if (url.endsWith('/moved')) response.end(story);
        else response.writeHead(status, location === undefined ? {} : { location }).end();
      });
      return { server: made, ...trackerAt(made.url) };
    }

    for (const status of [301, 302, 303, 307, 308]) {
      it(`${status} never carries the token to another origin`, async () => {
        const other = await start((_, response) => response.end(story));
        const { tracker, lines } = await redirecting(`${other.url}/steal?x=1`, status);
        await assertFails(tracker.getStory(STORY), 'protocol', new RegExp(`redirects the request to ${other.url}, `));
        await assertFails(tracker.createStory(1, { name: 'x' }), 'protocol', /redirects the request to/);
        const source = { kind: 'bytes', bytes: Buffer.from('x'), filename: 'a' } as const;
        await assertFails(tracker.uploadAttachment(STORY, source), 'protocol', /redirects the request to/);
        assert.equal(other.connections(), 0);
        assert.ok(!lines.join().includes(CANARY) && !lines.join().includes('steal'));
      });
    }
    it('knows look-alike hosts from the same host', async () => {
      for (const location of [
        '//evil.invalid/x',
        'http://127.0.0.1.evil.invalid/',
        'https://127.0.0.1/',
        'http://u@localhost/',
      ]) {
        const { tracker } = await redirecting(location, 302);
        await assertFails(tracker.getStory(STORY), 'protocol', /does not get your API token/);
      }
    });
    it('within the origin is followed for a read', async () => {
      const { server, tracker } = await redirecting('/moved', 301);
      assert.equal((await tracker.getStory(STORY)).id, 2);
      assert.equal(server.seen[1]?.headers['x-servicetoken'], CANARY);
    });
    it('within the origin is not followed for a write', async () => {
      const { tracker } = await redirecting('/moved', 307);
      await assertFails(tracker.createStory(1, { name: 'x' }), 'protocol', /redirects changes to another path/);
    });
    it('in a circle ends', async () => {
      const { server, tracker } = await redirecting('/round', 302);
      await assertFails(tracker.getStory(STORY), 'protocol', /in a loop/);
      assert.equal(server.seen.length, 4);
    });
    it('to nowhere', async () => {
      const { tracker } = await redirecting(undefined, 302);
      await assertFails(tracker.getStory(STORY), 'protocol', /without an address/);
    });
  });

  describe('input', () => {
    for (const token of ['', 'a b', 'a\r\nX-Evil: 1', 'tökén', `${CANARY}\n${CANARY}`]) {
      it(`refuses the token ${JSON.stringify(token)} and does not repeat it`, async () => {
        const server = await start((_, response) => response.end(story));
        const { tracker } = trackerAt(server.url, { token: async () => token });
        await assertFails(tracker.getStory(STORY), 'input', /^The API token is empty or contains/);
        assert.equal(server.connections(), 0);
      });
    }
    for (const baseUrl of [
      '',
      'ftp://x',
      'x',
      'http://',
      'http://u:p@x',
      'http://x?a',
      'http://x#a',
      'javascript:1',
      'http://x/?',
    ]) {
      it(`refuses the address ${JSON.stringify(baseUrl)}`, () => {
        assert.throws(() => createTracker({ baseUrl, token: async () => '', log: silentLog }), {
          name: 'TrackerError',
          kind: 'input',
        });
      });
    }
    for (const tokenHeader of ['a b', 'a:', 'Host', 'content-length', '']) {
      it(`refuses the header name ${JSON.stringify(tokenHeader)}`, () => {
        const options = { baseUrl: 'http://x', token: async () => '', log: silentLog, tokenHeader };
        assert.throws(() => createTracker(options), { name: 'TrackerError', kind: 'input' });
      });
    }
    it('sends no password over a line that others can read', () =>
      assertFails(
        trackerAt('http://tracker.example').tracker.activeToken({ username: 'a', password: 'b' }),
        'input',
        /https/,
      ));
  });

  it('never puts the token into a log line', async () => {
    const server = await listen((request, response) => {
      response.writeHead(request.url?.includes('stories') ? 500 : 200).end('nonsense');
    });
    servers.push(server);
    const { tracker, lines } = trackerAt(server.url);
    await errorOf(tracker.getStory(STORY));
    await errorOf(tracker.listProjects());
    await errorOf(tracker.createStory(1, { name: 'x' }));
    assert.equal(lines.length, 3);
    assert.ok(!lines.join().includes(CANARY), lines.join('\n'));
  });
}).timeout(20_000);
