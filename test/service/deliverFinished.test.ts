import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { generateNKeysBetween } from 'fractional-indexing';
import { revokeToken } from '../../src/service/store/people/tokens.ts';
import { insertStories, storiesInState } from '../../src/service/store/stories/storyRows.ts';
import { eventually } from '../support/eventually.ts';
import { addMember, newProject, newStory } from './support/project.ts';
import { assertDenied, assertStatus, textOf, texts } from './support/request.ts';
import { startTestService, type TestService, type TestUser } from './support/testService.ts';

/** More than are delivered in a few transactions. */
const STORIES = 500;

describe('delivering a long list of finished stories', () => {
  let service: TestService;
  let ada: TestUser;
  let ben: TestUser;
  let project: number;
  /** Of the stories, in their order. */
  let ids: readonly number[];

  before(async () => {
    service = await startTestService();
    ada = await service.user('Ada Lovelace');
  });
  after(() => service.stop());
  beforeEach(async () => {
    project = await newProject(ada);
    ben = await service.user(`Ben ${project}`);
    await addMember(ada, project, ben, 'Member');
    const rows = await service.running.database.write((tx) => insertStories(tx, finishedStories()));
    ids = rows.toSorted((one, other) => (one.rank < other.rank ? -1 : 1)).map(({ id }) => id);
  });

  const finishedStories = () =>
    generateNKeysBetween(null, null, STORIES).map((rank, index) => ({
      ...{ projectId: project, inIcebox: 0, rank, type: 'feature', state: 'finished', name: `Story ${index}` },
      ...{ estimate: 1, createdAt: 0, updatedAt: 0 },
    }));
  const path = () => `/projects/${project}/stories`;
  const deliver = (user: TestUser) => user.put(`${path()}/deliver_all_finished`);
  const countIn = async (state: string) =>
    Number(/ total="(\d+)"/.exec((await ada.get(`${path()}?filter=state:${state}&limit=1`)).text)?.[1]);

  /** Resolves as soon as some are delivered. */
  async function begun(): Promise<void> {
    const delivered = () => service.running.database.read((tx) => storiesInState(tx, project, 'delivered'));
    while ((await delivered()).length === 0) await nextTurn();
  }

  it('answers all of them in their order', async () => {
    const answer = await deliver(ada);
    assert.match(answer.text, new RegExp(`<stories type="array" count="${STORIES}" total="${STORIES}">`));
    assert.deepEqual(texts(answer, 'id').map(Number), ids);
    assert.deepEqual([...new Set(texts(answer, 'current_state'))], ['delivered']);
    assert.equal(await countIn('finished'), 0);
  });

  it('lets the changes of others be made in between', async () => {
    const other = await newProject(ada);
    const story = await newStory(ada, other, 'Elsewhere');
    const delivered = deliver(ben);
    await begun();
    assertStatus(await ada.post(`/projects/${other}/stories/${story}/notes`, '<note><text>Soon</text></note>'), 200);
    assertStatus(await delivered, 200);
    const newest = await ada.get('/activities?limit=1');
    assert.equal(textOf(newest, 'event_type'), 'story_update');
  });

  it('leaves alone what is no longer finished when its turn comes', async () => {
    const [changed, removed] = ids.slice(-2);
    const delivered = deliver(ben);
    await begun();
    const changes = [
      ada.put(`${path()}/${changed}`, '<story><current_state>rejected</current_state></story>'),
      ada.delete(`${path()}/${removed}`),
    ];
    for (const answer of await Promise.all(changes)) assertStatus(answer, 200);
    assert.deepEqual(texts(await delivered, 'id').map(Number), ids.slice(0, -2));
    assert.equal(await countIn('rejected'), 1);
  });

  it('ends when the token is revoked by then, and goes on when it is asked for again', async () => {
    const delivered = deliver(ben);
    await begun();
    await service.running.database.write((tx) => revokeToken(tx, ben.token));
    assertDenied(await delivered);
    const left = await countIn('finished');
    assert.ok(left > 0 && left < STORIES, `${left} left`);
    assert.equal(await countIn('delivered'), STORIES - left);
    assert.deepEqual(texts(await deliver(ada), 'id').map(Number), ids.slice(STORIES - left));
  });

  it('is done to the end though who asked for it goes away', async () => {
    const going = new AbortController();
    const { signal } = going;
    const headers = { 'X-ServiceToken': ben.token };
    const address = `${service.url}/services/v3${path()}/deliver_all_finished`;
    const gone = assert.rejects(fetch(address, { method: 'PUT', headers, signal }), { name: 'AbortError' });
    await begun();
    going.abort();
    await gone;
    await eventually(async () => assert.equal(await countIn('delivered'), STORIES));
  });
});
