import assert from 'node:assert/strict';
import { TrackerError } from '../../../../src/core/errors.ts';
import { type Seen, serve, type TestServer, trackerFor } from '../../../support/servers/testServer.ts';

const STORY = { projectId: 1, storyId: 2 };
const storyNamed = (name: string) => `<story><id type="integer">2</id><name>${name}</name></story>`;
const TAG = '"v1"';

describe('answers that are still the same', () => {
  const opened: { close(): Promise<void> }[] = [];

  afterEach(async () => {
    for (const one of opened.splice(0).toReversed()) await one.close();
  });

  async function answering(
    answer: Parameters<typeof serve>[0],
    options: Parameters<typeof trackerFor>[1] = {},
  ): Promise<{ server: TestServer; tracker: ReturnType<typeof trackerFor>['tracker'] }> {
    const server = await serve(answer);
    const { tracker } = trackerFor(server.url, options);
    opened.push(server, tracker);
    return { server, tracker };
  }

  /** A server that knows one version of everything, and says so when it is named. */
  const honest: Parameters<typeof serve>[0] = ({ headers, method }, response) => {
    const isKnown = method === 'GET' && headers['if-none-match'] === TAG;
    response.writeHead(isKnown ? 304 : 200, { etag: TAG }).end(isKnown ? undefined : storyNamed('x'));
  };
  const named = ({ headers }: Seen) => headers['if-none-match'] ?? headers['if-modified-since'];

  const assertUnexpected = (work: Promise<unknown>) =>
    assert.rejects(work, (error: unknown) => error instanceof TrackerError && error.kind === 'protocol');

  it('are not sent again: the value is the one given before', async () => {
    const { server, tracker } = await answering(honest);
    const first = await tracker.getStory(STORY);
    assert.equal(await tracker.getStory(STORY), first);
    assert.equal(await tracker.getStory(STORY), first);
    assert.deepEqual(server.seen.map(named), [undefined, TAG, TAG]);
  });

  it('are read anew after a change', async () => {
    const { server, tracker } = await answering((_, response, nth) =>
      response.writeHead(200, { etag: `"v${nth}"` }).end(storyNamed(`name ${nth}`)),
    );
    assert.equal((await tracker.getStory(STORY)).name, 'name 1');
    assert.equal((await tracker.getStory(STORY)).name, 'name 2');
    await tracker.getStory(STORY);
    assert.deepEqual(server.seen.map(named), [undefined, '"v1"', '"v2"']);
  });

  it('are told by address and query', async () => {
    const { server, tracker } = await answering((seen, response) =>
      seen.url.includes('/stories?')
        ? response.writeHead(200, { etag: TAG }).end('<stories/>')
        : honest(seen, response, 0),
    );
    await tracker.getStory(STORY);
    await tracker.getStory({ projectId: 2, storyId: 2 });
    await tracker.listStories(1, { limit: 1 });
    await tracker.listStories(1, { limit: 2 });
    assert.deepEqual(server.seen.map(named), [undefined, undefined, undefined, undefined]);
  });

  it('are never given to who has another token', async () => {
    let token = 'of-ada';
    const { server, tracker } = await answering(honest, { token: async () => token });
    await tracker.getStory(STORY);
    token = 'of-ben';
    await tracker.getStory(STORY);
    token = 'of-ada';
    await tracker.getStory(STORY);
    assert.deepEqual(server.seen.map(named), [undefined, undefined, undefined]);
  });

  it('are not kept when the token changed while they came', async () => {
    let token = 'of-ada';
    let finish: () => void = () => undefined;
    const { server, tracker } = await answering(
      (seen, response, nth) => {
        if (nth > 1) return honest(seen, response, nth);
        response.writeHead(200, { etag: TAG }).write('<story>');
        finish = () => response.end('<id>2</id><name>of Ada</name></story>');
      },
      { token: async () => token },
    );
    const slow = tracker.getStory(STORY);
    while (server.seen.length === 0) await new Promise((go) => setImmediate(go));
    token = 'of-ben';
    await tracker.getStory({ projectId: 9, storyId: 9 });
    finish();
    assert.equal((await slow).name, 'of Ada');
    assert.equal((await tracker.getStory(STORY)).name, 'x');
    assert.equal(named(server.seen[2] ?? assert.fail()), undefined);
  });

  it('are never claimed by a write', async () => {
    const { server, tracker } = await answering(honest);
    await tracker.getStory(STORY);
    await tracker.updateStory(STORY, { name: 'y' });
    await tracker.updateStory(STORY, { name: 'z' });
    assert.deepEqual(server.seen.map(named), [undefined, undefined, undefined]);
  });

  it('are not believed by who did not ask', async () => {
    const { tracker } = await answering((_, response) => response.writeHead(304, { etag: TAG }).end());
    await assertUnexpected(tracker.getStory(STORY));
    await assertUnexpected(tracker.updateStory(STORY, { name: 'y' }));
  });

  it('are not believed of the address that a redirect leads to', async () => {
    let isMoved = false;
    const { server, tracker } = await answering((seen, response, nth) => {
      if (seen.url.endsWith('/elsewhere')) response.writeHead(304).end();
      else if (isMoved) response.writeHead(302, { location: '/elsewhere' }).end();
      else honest(seen, response, nth);
    });
    await tracker.getStory(STORY);
    isMoved = true;
    await assertUnexpected(tracker.getStory(STORY));
    assert.deepEqual(server.seen.map(named), [undefined, TAG, undefined]);
  });

  const minutes = (count: number) => new Date(Date.UTC(2026, 0, 1, 12, count)).toUTCString();
  const offers: readonly (readonly [string, Record<string, string>, string | undefined])[] = [
    ['a weak tag', { etag: 'W/"1"' }, 'W/"1"'],
    ['no tag', {}, undefined],
    ['a tag that is none', { etag: 'v1' }, undefined],
    ['a tag of odd characters', { etag: '"\u00e9"' }, undefined],
    ['a tag without end', { etag: `"${'x'.repeat(4000)}"` }, undefined],
    ['a tag not to be stored', { etag: TAG, 'cache-control': 'private, No-Store' }, undefined],
    ['a date well before', { 'last-modified': minutes(1), date: minutes(5) }, minutes(1)],
    ['a date just before', { 'last-modified': minutes(5), date: minutes(5) }, undefined],
    ['a date that is none', { 'last-modified': 'yesterday', date: minutes(5) }, undefined],
    ['a tag and a date', { etag: TAG, 'last-modified': minutes(1), date: minutes(5) }, TAG],
  ];
  for (const [what, headers, expected] of offers) {
    it(`are asked for by ${what}: ${expected?.slice(0, 40) ?? 'no'}`, async () => {
      const { server, tracker } = await answering((_, response) =>
        response.writeHead(200, headers).end(storyNamed('x')),
      );
      await tracker.getStory(STORY);
      await tracker.getStory(STORY);
      assert.deepEqual(server.seen.map(named), [undefined, expected]);
    });
  }

  it('are kept when they are small, and the last some dozens of them', async () => {
    const { server, tracker } = await answering(({ url }, response) =>
      response.writeHead(200, { etag: TAG }).end(storyNamed('x'.repeat(url.endsWith('/1') ? 70_000 : 60_000))),
    );
    for (let storyId = 1; storyId <= 40; storyId++) await tracker.getStory({ projectId: 1, storyId });
    for (const storyId of [1, 9, 40, 8]) await tracker.getStory({ projectId: 1, storyId });
    assert.deepEqual(server.seen.slice(40).map(named), [undefined, TAG, TAG, undefined]);
  });

  it('are not kept when they cannot be read', async () => {
    const { server, tracker } = await answering((_, response, nth) =>
      response.writeHead(200, { etag: TAG }).end(nth === 1 ? '<story><id>2</id>' : storyNamed('x')),
    );
    await assertUnexpected(tracker.getStory(STORY));
    assert.equal((await tracker.getStory(STORY)).name, 'x');
    assert.deepEqual(server.seen.map(named), [undefined, undefined]);
  });
}).timeout(20_000);
