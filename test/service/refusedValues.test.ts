import assert from 'node:assert/strict';
import { newProject, newStory } from './support/project.ts';
import { assertRefused, assertStatus, texts } from './support/request.ts';
import { startTestService, type TestService, type TestUser } from './support/testService.ts';

describe('values that a story or task cannot have', () => {
  let service: TestService;
  let user: TestUser;
  let project: number;
  let story: string;

  before(async () => {
    service = await startTestService();
    user = await service.user('Ada Keeper');
    project = await newProject(user);
    story = `/projects/${project}/stories/${await newStory(user, project, 'Buoys')}`;
  });
  after(() => service.stop());

  const cases: readonly (readonly [string, RegExp])[] = [
    ['<created_at>9999/12/31 23:30:00 EST</created_at>', /too far away/],
    ['<deadline>9999/12/31 23:59:59 -0500</deadline>', /too far away/],
    ['<current_state>accepted</current_state><accepted_at>2999/01/01 00:00:00 UTC</accepted_at>', /in the future/],
    ['<estimate>-2</estimate>', /cannot be negative/],
  ];
  for (const [fields, sentence] of cases) {
    it(`such as ${fields} are refused with a sentence`, async () => {
      assertRefused(await user.put(story, `<story>${fields}</story>`), 422, sentence);
      const created = `<story><name>X</name>${fields}</story>`;
      assertRefused(await user.post(`/projects/${project}/stories`, created), 422, sentence);
    });
  }
  it('a project starts on the day it is told, if that can be', async () => {
    const created = '<project><name>P</name><start_date type="date">2026/01/07</start_date></project>';
    const answer = await user.post('/projects', created);
    assert.deepEqual(texts(answer, 'start_date'), ['2026/01/07']);
    assert.deepEqual(texts(answer, 'first_iteration_start_time'), ['2026/01/05 00:00:00 UTC']);
    for (const day of ['soon', '0800/01/01', '9999/12/31 23:00:00 EST']) {
      const refused = await user.post('/projects', created.replace('2026/01/07', day));
      assertRefused(refused, 422, /start_date/);
    }
  });
  it('a project starts on the day that is written, in whatever zone', async () => {
    for (const day of ['2026/03/02', '2026/03/02 00:00:00 CET', '2026-03-02T23:00:00-05:00', 'Mar 2, 2026']) {
      const answer = await user.post('/projects', `<project><name>P</name><start_date>${day}</start_date></project>`);
      assert.deepEqual(texts(answer, 'start_date'), ['2026/03/02'], day);
    }
  });
  it('a project that starts on the last day there is can be planned', async () => {
    const last = '<project><name>P</name><start_date>9999/12/31</start_date></project>';
    const [id] = texts(await user.post('/projects', last), 'id');
    assertStatus(await user.get(`/projects/${id}/iterations`), 200);
  });
  it('an initial velocity is a whole number from 1', async () => {
    const made = (velocity: string) =>
      user.post('/projects', `<project><name>P</name><initial_velocity>${velocity}</initial_velocity></project>`);
    for (const velocity of ['0', '-3', '1.5', '10001']) assertRefused(await made(velocity), 422, /initial velocity is/);
    assert.deepEqual(texts(await made('1'), 'initial_velocity'), ['1']);
  });
  it('a point scale has numbers only, and is the usual one when it is empty', async () => {
    const made = (scale: string) =>
      user.post('/projects', `<project><name>P</name><point_scale>${scale}</point_scale></project>`);
    for (const scale of ['a', '0,1,x,3', '0,0.5,1', '3,2,1']) assertRefused(await made(scale), 422, /A point scale is/);
    assert.deepEqual(texts(await made(''), 'point_scale'), ['0,1,2,3']);
  });
  it('a project belongs to the account that is named, if any is', async () => {
    const made = (account: string) =>
      user.post('/projects', `<project><name>P</name><account>${account}</account></project>`);
    assert.deepEqual(texts(await made(' Acme '), 'account'), ['Acme']);
    assert.deepEqual(texts(await made(''), 'account'), ['Story Tracker']);
    assertRefused(await made('x'.repeat(201)), 422, /name of an account has/);
  });
  it('-1 means not estimated', async () => {
    assertStatus(await user.put(story, '<story><estimate>-1</estimate></story>'), 200);
  });
  it('an edit of a task that changes nothing is not told of', async () => {
    const task = await user.post(`${story}/tasks`, '<task><description>Oil it</description></task>');
    const [id = ''] = texts(task, 'id');
    const versions = async () => texts(await user.get(`/projects/${project}/activities`), 'version');
    const before = await versions();
    assertStatus(await user.put(`${story}/tasks/${id}`, '<task><description>Oil it</description></task>'), 200);
    assert.deepEqual(await versions(), before);
    assertStatus(await user.put(`${story}/tasks/${id}`, '<task><complete>true</complete></task>'), 200);
    assert.equal((await versions()).length, before.length + 1);
  });
  it('an edit of a task may say where it goes and nothing else, or nothing at all', async () => {
    const [first = ''] = texts(
      await user.post(`${story}/tasks`, '<task><description>First</description></task>'),
      'id',
    );
    const [last = ''] = texts(await user.post(`${story}/tasks`, '<task><description>Last</description></task>'), 'id');
    assertStatus(await user.put(`${story}/tasks/${last}`, '<task><position>1</position></task>'), 200);
    assertStatus(await user.put(`${story}/tasks/${last}`, '<task/>'), 200);
    const order = texts(await user.get(`${story}/tasks`), 'id');
    assert.equal(order[0], last);
    assert.ok(order.indexOf(last) < order.indexOf(first));
    const placed = async (position: number) =>
      texts(await user.put(`${story}/tasks/${last}`, `<task><position>${position}</position></task>`), 'position')[0];
    assert.deepEqual([await placed(99), await placed(0), await placed(-1)], [String(order.length), '1', '1']);
  });
});
