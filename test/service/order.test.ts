import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { newBacklog, newProject, newStory } from './support/project.ts';
import { textOf, texts } from './support/request.ts';
import { startTestService, type TestService, type TestUser } from './support/testService.ts';

/** A Monday. */
const START = Date.UTC(2026, 0, 5);
const WEEK = 7 * 86_400_000;

describe('order', () => {
  let now = START + 3_600_000;
  let service: TestService;
  let ada: TestUser;
  let projectId: number;
  let ids: readonly number[] = [];
  let frozenId: number;

  before(async () => {
    service = await startTestService({ clock: () => now });
    ada = await service.user('Ada Lovelace');
    projectId = await newProject(ada, 'Apollo', '<initial_velocity>2</initial_velocity>');
    ids = await newBacklog(ada, projectId, ['A', 'B', 'C']);
    for (const id of ids) await put(id, '<estimate>2</estimate>');
    frozenId = await newStory(ada, projectId, 'Cold');
  });
  after(() => service.stop());

  const put = (id: number, fields: string) =>
    ada.put(`/projects/${projectId}/stories/${id}`, `<story>${fields}</story>`);
  const digest = async () => textOf(await ada.get(`/projects/${projectId}`), 'order_digest');
  const rank = async (id: number) => textOf(await ada.get(`/projects/${projectId}/stories/${id}`), 'rank');
  const move = (id: number, place: string, target: number) =>
    ada.post(`/projects/${projectId}/stories/${id}/moves?move[move]=${place}&move[target]=${target}`);

  it('is told by the project as the digest of what its iterations and its icebox hold', async () => {
    const [a = 0, b = 0, c = 0] = ids;
    const at = (weeks: number) => START + weeks * WEEK;
    const lines = [
      `iteration 1 ${at(0)} ${at(1)} 1: ${a}`,
      `iteration 2 ${at(1)} ${at(2)} 1: ${b}`,
      `iteration 3 ${at(2)} ${at(3)} 1: ${c}`,
      `icebox: ${frozenId}`,
    ];
    const hash = createHash('sha256')
      .update(lines.map((line) => `${line}\n`).join(''))
      .digest('base64url');
    assert.equal(await digest(), hash.slice(0, 22));
    assert.equal(textOf(await ada.get('/projects'), 'order_digest'), await digest());
  });

  it('has another digest after a move, and the old one when it is undone', async () => {
    const [a = 0, b = 0, c = 0] = ids;
    const before = await digest();
    await move(c, 'before', a);
    assert.notEqual(await digest(), before);
    await move(c, 'after', b);
    assert.equal(await digest(), before);
    await put(b, '<name>Renamed</name>');
    assert.equal(await digest(), before);
  });

  it('has another digest when the iteration is over', async () => {
    const before = await digest();
    now += WEEK;
    assert.notEqual(await digest(), before);
  });

  it('is told story by story in ranks that sort as the backlog does', async () => {
    const [a = 0, b = 0, c = 0] = ids;
    await move(c, 'before', b);
    const ranks = [await rank(a), await rank(c), await rank(b)];
    assert.deepEqual(ranks.toSorted(), ranks);
    const { text } = await ada.get(`/projects/${projectId}/iterations/current_backlog`);
    assert.deepEqual(texts({ text }, 'rank').toSorted(), ranks);
  });

  it('is told by the activity of a move, and of what else gives a story a new place', async () => {
    const [a = 0, b = 0] = ids;
    const newest = async () => ada.get(`/projects/${projectId}/activities?limit=1`);
    await move(a, 'after', b);
    assert.deepEqual(texts(await newest(), 'rank'), [await rank(a)]);
    await put(frozenId, '<current_state>unstarted</current_state>');
    assert.deepEqual(texts(await newest(), 'rank'), [await rank(frozenId)]);
    const added = await newStory(ada, projectId, 'New');
    assert.deepEqual(texts(await newest(), 'rank'), [await rank(added)]);
    await put(added, '<name>Newer</name>');
    assert.deepEqual(texts(await newest(), 'rank'), []);
  });
});
