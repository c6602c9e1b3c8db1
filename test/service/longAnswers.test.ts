import assert from 'node:assert/strict';
import { get as httpGet, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { MAX_TEXT, MAX_TEXT_OF_LOOK } from '../../src/core/limits.ts';
import type { ServiceEvent } from '../../src/service/ground/background.ts';
import { readText } from '../../src/v3/read.ts';
import { eventually } from '../support/eventually.ts';
import { readStories } from '../support/v3/lists.ts';
import { newProject, newStory } from './support/project.ts';
import { assertRefused, assertStatus, request, texts } from './support/request.ts';
import { startTestService, type TestService, type TestUser } from './support/testService.ts';

/** Stories whose descriptions are together more than is held at once. */
const STORIES = Math.ceil(MAX_TEXT_OF_LOOK / MAX_TEXT) + 10;

describe('lists that are too long to be held', function () {
  this.timeout(120_000);
  let service: TestService;
  let ada: TestUser;
  let projectId: number;
  let path: string;
  let ids: readonly number[];
  let named = 0;
  const events: ServiceEvent[] = [];

  before(async () => {
    service = await startTestService({ log: (event) => events.push(event) });
    ada = await service.user('Ada Lovelace');
    projectId = await newProject(ada);
    path = `/projects/${projectId}`;
    const first = await newStory(
      ada,
      projectId,
      'Story 0',
      '<current_state>unstarted</current_state><labels>one,two</labels>',
    );
    await ada.post(`${path}/stories/${first}/notes`, '<note><text>Said</text></note>');
    await ada.post(`${path}/stories/${first}/tasks`, '<task><description>To do</description></task>');
    await service.running.database.write(async (tx) => {
      const { id: _, ...row } = await tx
        .selectFrom('stories')
        .selectAll()
        .where('id', '=', first)
        .executeTakeFirstOrThrow();
      const more = Array.from({ length: STORIES - 1 }, (_, index) => ({
        ...row,
        rank: `${row.rank}${String.fromCharCode(98 + Math.floor(index / 20))}${String.fromCharCode(98 + (index % 20))}`,
        name: `Story ${index + 1}`,
        description: `${index} & `.padEnd(50, 'a').repeat(MAX_TEXT).slice(0, MAX_TEXT),
      }));
      for (let at = 0; at < more.length; at += 20)
        await tx
          .insertInto('stories')
          .values(more.slice(at, at + 20))
          .execute();
      await tx
        .updateTable('projects')
        .set(({ ref }) => ({ changes: ref('changes') }))
        .where('id', '=', projectId)
        .execute();
    });
    await ada.put(`${path}/stories/${first}`, '<story><description>Short</description></story>');
    ids = (await stories('?limit=1000')).map(({ id }) => id);
  });
  after(() => service.stop());

  async function stories(query: string) {
    const answer = await ada.get(`${path}/stories${query}`);
    assertStatus(answer, 200);
    return readStories(readText(answer.text));
  }

  /** Users who may look at the project. */
  async function viewers(count: number): Promise<readonly TestUser[]> {
    const users: TestUser[] = [];
    while (users.length < count) {
      named += 1;
      const user = await service.user(`Viewer ${named}`);
      const person = `<person><email>${user.email}</email></person>`;
      assertStatus(await ada.post(`${path}/memberships`, `<membership><role>Viewer</role>${person}</membership>`), 200);
      users.push(user);
    }
    return users;
  }

  /** Reads nothing of the body yet. */
  function opened(query: string, headers: Record<string, string> = {}): Promise<IncomingMessage> {
    const url = `${service.url}/services/v3${path}/stories${query}`;
    return new Promise((resolve, reject) => {
      httpGet(url, { agent: false, headers: { 'X-ServiceToken': ada.token, ...headers } }, resolve).on('error', reject);
    });
  }

  it('are whole and in order, with all that hangs on their stories', async () => {
    const all = await stories('');
    assert.deepEqual(
      all.map(({ name }) => name),
      Array.from({ length: STORIES }, (_, index) => `Story ${index}`),
    );
    const [first, second] = all;
    assert.deepEqual(
      [first?.labels, first?.notes.map(({ text }) => text), first?.tasks.map(({ description }) => description)],
      [['one', 'two'], ['Said'], ['To do']],
    );
    assert.equal(second?.description, '0 & '.padEnd(50, 'a').repeat(MAX_TEXT).slice(0, MAX_TEXT));
  });

  it('come as iterations too', async () => {
    const answer = await ada.get(`${path}/iterations/current_backlog`);
    assertStatus(answer, 200);
    assert.equal(texts(answer, 'id').length > STORIES, true);
    for (const id of ids) assert.ok(answer.text.includes(`<id type="integer">${id}</id>`), String(id));
    readText(answer.text);
  });

  it('are filtered and paged like others', async () => {
    assert.deepEqual(
      (await stories('?filter=label:two')).map(({ name }) => name),
      ['Story 0'],
    );
    assert.deepEqual(
      (await stories('?limit=2&offset=3')).map(({ name }) => name),
      ['Story 3', 'Story 4'],
    );
    assert.match((await ada.get(`${path}/stories?limit=2`)).text, new RegExp(`count="2" total="${STORIES}"`));
    assert.deepEqual((await stories('?filter=%227%20%26%20a%22')).map(({ name }) => name).slice(0, 2), [
      'Story 8',
      'Story 18',
    ]);
  });

  it('are filtered without keeping others from the store', async () => {
    const eve = await service.user('Eve');
    const own = await newProject(eve);
    let ended = 0;
    const filters = (await viewers(6)).flatMap(({ token }) =>
      ['zz', 'yy'].map(async (word) => {
        const url = `${service.url}/services/v3${path}/stories?filter=${word}`;
        assertStatus(await request(url, { token }), 200);
        ended += 1;
      }),
    );
    const all = Promise.all(filters);
    await new Promise((resolve) => setTimeout(resolve, 50));
    assertStatus(await eve.get(`/projects/${own}/stories`), 200);
    assert.equal(ended, 0);
    await all;
  });

  it('are filtered no further for who went away', async () => {
    const calls = Array.from({ length: 40 }, (_, index) => {
      const call = httpGet(`${service.url}/services/v3${path}/stories?filter=went${index}`, {
        agent: false,
        headers: { 'X-ServiceToken': ada.token },
      });
      return call.on('error', () => undefined);
    });
    await new Promise((resolve) => setTimeout(resolve, 50));
    for (const call of calls) call.destroy();
    let isEnded = false;
    const [one] = await viewers(1);
    const other = request(`${service.url}/services/v3${path}/stories?filter=others`, { token: one?.token ?? '' });
    const others = other.then(() => {
      isEnded = true;
    });
    // Those of one user are done two at a time: theirs that are no longer needed would come before this.
    assertStatus(await ada.get(`${path}/stories?limit=1`), 200);
    assert.equal(isEnded, false);
    await others;
    assert.deepEqual(
      events.filter(({ event }) => event === 'error'),
      [],
    );
  });

  it('are sent compressed, and not at all to who has them', async () => {
    const plain = await opened('');
    const body = await buffer(plain);
    assert.equal(plain.headers['content-length'], undefined);
    const compressed = await opened('', { 'Accept-Encoding': 'gzip' });
    assert.equal(compressed.headers['content-encoding'], 'gzip');
    assert.deepEqual(gunzipSync(await buffer(compressed)), body);
    const again = await opened('', { 'If-None-Match': plain.headers.etag ?? '' });
    assert.equal(again.statusCode, 304);
    await ada.put(`${path}/stories/${ids[1]}`, '<story><name>Story 1</name><labels>new</labels></story>');
    const changed = await opened('', { 'If-None-Match': plain.headers.etag ?? '' });
    assert.equal(changed.statusCode, 200);
    assert.ok((await buffer(changed)).includes('<labels>new</labels>'));
  });

  it('leave out what is removed while they are sent, and end for who is sent away', async () => {
    const bob = await service.user('Bob');
    const person = `<person><email>${bob.email}</email></person>`;
    const added = await ada.post(`${path}/memberships`, `<membership><role>Viewer</role>${person}</membership>`);
    const begun = await opened('', { 'X-ServiceToken': bob.token });
    const gone = ids.at(-1) ?? 0;
    const begunByAda = await opened('');
    assertStatus(await ada.delete(`${path}/stories/${gone}`), 200);
    const text = (await buffer(begunByAda)).toString();
    assert.ok(!text.includes(`<id type="integer">${gone}</id>`));
    assert.equal(readStories(readText(text)).length, STORIES - 1);
    assertStatus(await ada.delete(`${path}/memberships/${texts(added, 'id')[0]}`), 200);
    await assert.rejects(buffer(begun));
  });

  it('are two at a time for one caller, who can have parts of them in the meantime, and others theirs', async () => {
    const carl = await service.user('Carl');
    await ada.post(
      `${path}/memberships`,
      `<membership><role>Viewer</role><person><email>${carl.email}</email></person></membership>`,
    );
    const held = [await opened(''), await opened('?offset=1')];
    assert.deepEqual(
      held.map(({ statusCode }) => statusCode),
      [200, 200],
    );
    assertRefused(await ada.get(`${path}/stories?offset=2`), 503, /Try again in a moment/);
    assertStatus(await ada.get(`${path}/stories?limit=1`), 200);
    assertStatus(await request(`${service.url}/services/v3${path}/stories?offset=3`, { token: carl.token }), 200);
    for (const one of held) one.destroy();
    await eventually(async () => assertStatus(await ada.get(`${path}/stories?offset=2`), 200));
  });

  it('keep nobody from a change that answers little', async () => {
    const other = `/projects/${await newProject(ada)}/stories`;
    const held = [await opened('?offset=6'), await opened('?offset=7')];
    const delivered = await ada.put(`${other}/deliver_all_finished`);
    assertStatus(delivered, 200);
    assert.match(delivered.text, /count="0"/);
    const finished = '<current_state>finished</current_state><estimate>1</estimate>';
    await newStory(ada, Number(other.split('/')[2]), 'Little', finished);
    assert.deepEqual(texts(await ada.put(`${other}/deliver_all_finished`), 'current_state'), ['delivered']);
    for (const one of held) one.destroy();
  });

  it('are what a change of all of them answers, which is not done where they cannot be sent', async () => {
    const left = (await stories('?limit=1000')).map(({ id }) => id);
    await service.running.database.write((tx) =>
      tx.updateTable('stories').set({ state: 'finished', estimate: 1 }).where('projectId', '=', projectId).execute(),
    );
    const held = [await opened('?offset=4'), await opened('?offset=5')];
    assertRefused(
      await ada.put(`${path}/stories/deliver_all_finished`),
      503,
      /Nothing was changed.*Try again in a moment/,
    );
    for (const one of held) one.destroy();
    const answer = await eventually(async () => {
      const delivering = await ada.put(`${path}/stories/deliver_all_finished`);
      assertStatus(delivering, 200);
      return delivering;
    });
    assertStatus(answer, 200);
    assert.equal(answer.headers.get('content-length'), null);
    const delivered = readStories(readText(answer.text));
    assert.deepEqual(
      delivered.map(({ id, state }) => [id, state]),
      left.map((id) => [id, 'delivered']),
    );
    assert.equal((await ada.put(`${path}/stories/deliver_all_finished`)).text.includes('count="0"'), true);
  });

  it('hold what happened, too, with whatever long texts it was about', async () => {
    const [id] = ids;
    for (let index = 0; index < 45; index += 1) {
      const description = '&amp;'.repeat(MAX_TEXT - 2) + String(index).padStart(2, '0');
      assertStatus(
        await ada.put(`${path}/stories/${id}`, `<story><description>${description}</description></story>`),
        200,
      );
    }
    for (const feed of [`${path}/activities`, '/activities']) {
      const answer = await ada.get(`${feed}?limit=45`);
      assertStatus(answer, 200);
      assert.equal(answer.headers.get('content-length'), null);
      const ends = [...answer.text.matchAll(/&amp;(\d\d)<\/description>/g)].map((match) => Number(match[1]));
      assert.deepEqual(
        ends,
        Array.from({ length: 45 }, (_, index) => 44 - index),
      );
      readText(answer.text);
    }
    assert.equal(texts(await ada.get(`${path}/activities?limit=3`), 'version').length, 3);
  });

  it('answer a request for the head alone', async () => {
    const url = `${service.url}/services/v3${path}/stories`;
    await eventually(async () => assertStatus(await request(url, { method: 'HEAD', token: ada.token }), 200));
    for (let times = 0; times < 4; times += 1) {
      const { status, text } = await request(url, { method: 'HEAD', token: ada.token });
      assert.deepEqual([status, text], [200, '']);
    }
  });
});
