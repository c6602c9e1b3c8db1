import assert from 'node:assert/strict';
import { endpoints } from '../../src/v3/endpoints.ts';
import { newProject, newStory } from './support/project.ts';
import {
  assertDenied,
  assertNotFound,
  assertRefused,
  assertStatus,
  idOf,
  request,
  textOf,
  texts,
} from './support/request.ts';
import { startTestService, type TestService, type TestUser } from './support/testService.ts';

describe('endpoints', () => {
  let service: TestService;
  let ada: TestUser;
  let projectId: number;
  let storyId: number;

  before(async () => {
    service = await startTestService();
    ada = await service.user('Ada Lovelace');
    projectId = await newProject(ada);
    storyId = await newStory(ada, projectId, 'Land on the moon', '<estimate>2</estimate>');
  });
  after(() => service.stop());

  const story = (path = '') => `/projects/${projectId}/stories/${storyId}${path}`;

  it('asks for a token before anything else, whatever the endpoint', async () => {
    for (const [name, { method, path }] of Object.entries(endpoints)) {
      if (path === '/tokens/active') continue;
      const answer = await request(`${service.url}/services/v3${path.replace(/:\w+/g, '1')}`, { method });
      assertDenied(answer, /Sign in/);
      assert.ok(answer.headers.get('www-authenticate'), name);
    }
  });

  it('refuses a token that is not known', async () => {
    const url = `${service.url}/services/v3/projects`;
    assertDenied(await request(url, { token: 'nonsense' }), /not valid/);
  });

  it('takes the token in the header that existing clients send', async () => {
    const headers = { 'X-TrackerToken': ada.token };
    assertStatus(await request(`${service.url}/services/v3/projects`, { headers }), 200);
  });

  it('does not take a token in the query of other endpoints than the commit hook', async () => {
    assertStatus(await request(`${service.url}/services/v3/projects?token=${ada.token}`), 401);
  });

  it('answers a project with all that the document and the recordings name, and what is ours behind it', async () => {
    const answer = await ada.get(`/projects/${projectId}`);
    assertStatus(answer, 200);
    assert.equal(answer.headers.get('content-type'), 'application/xml; charset=utf-8');
    const names = [...answer.text.matchAll(/^ {2}<([a-z_]+)/gm)].map((match) => match[1]);
    assert.deepEqual(names, [
      'id',
      'name',
      'iteration_length',
      'week_start_day',
      'point_scale',
      'account',
      'first_iteration_start_time',
      'current_iteration_number',
      'enable_tasks',
      'velocity_scheme',
      'current_velocity',
      'initial_velocity',
      'number_of_done_iterations_to_show',
      'labels',
      'last_activity_at',
      'allow_attachments',
      'public',
      'use_https',
      'bugs_and_chores_are_estimatable',
      'commit_mode',
      'memberships',
      'integrations',
      'order_digest',
    ]);
    assert.deepEqual(texts(answer, 'role'), ['Owner']);
  });

  it('lists the projects of the user only', async () => {
    const grace = await service.user('Grace Hopper');
    assert.match((await grace.get('/projects')).text, /<projects type="array"\/>\n$/);
    assert.deepEqual(texts(await ada.get('/projects'), 'account').length, 1);
  });

  it('makes a project without an owner when asked to, which then nobody sees', async () => {
    const body = '<project><name>Orphan</name><no_owner type="boolean">true</no_owner></project>';
    const created = await ada.post('/projects', body);
    assert.match(created.text, /<memberships type="array"\/>/);
    assertNotFound(await ada.get(`/projects/${idOf(created)}`));
  });

  it('refuses a project without a name and with settings that cannot be', async () => {
    const body =
      '<project><name> </name><iteration_length>9</iteration_length><week_start_day>Someday</week_start_day></project>';
    const answer = await ada.post('/projects', body);
    assertStatus(answer, 422);
    assert.equal(texts(answer, 'error').length, 3);
  });

  it('answers a story in the order of the recordings, and what is ours behind it', async () => {
    const answer = await ada.get(story());
    const names = [...answer.text.matchAll(/^ {2}<([a-z_]+)/gm)].map((match) => match[1]);
    assert.deepEqual(names, [
      'id',
      'project_id',
      'story_type',
      'url',
      'estimate',
      'current_state',
      'description',
      'name',
      'requested_by',
      'created_at',
      'updated_at',
      'rank',
    ]);
    assert.equal(textOf(answer, 'url'), `${service.url}/story/show/${storyId}`);
    assert.equal(textOf(answer, 'requested_by'), 'Ada Lovelace');
    assert.match(textOf(answer, 'created_at'), /^\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d UTC$/);
  });

  it('keeps text as it was written', async () => {
    const id = await newStory(ada, projectId, '007 &lt;b&gt; &amp; &#12486;&#12473;&#12488; 1e5 &eacute;');
    assert.equal(
      textOf(await ada.get(`/projects/${projectId}/stories/${id}`), 'name'),
      '007 &lt;b&gt; &amp; テスト 1e5 é',
    );
    await ada.delete(`/projects/${projectId}/stories/${id}`);
  });

  it('changes only what an edit names and clears what it names as empty', async () => {
    const fields = '<description>Soon</description><owned_by>Ada Lovelace</owned_by><labels>a,b</labels>';
    const id = await newStory(ada, projectId, 'Edited', `${fields}<estimate>3</estimate>`);
    const path = `/projects/${projectId}/stories/${id}`;
    const renamed = await ada.put(path, '<story><name >Renamed</name ></story>');
    assert.deepEqual(
      ['name', 'description', 'owned_by', 'labels', 'estimate'].map((name) => textOf(renamed, name)),
      ['Renamed', 'Soon', 'Ada Lovelace', 'a,b', '3'],
    );
    const cleared = await ada.put(path, '<story><estimate/><owned_by/><labels/><description></description></story>');
    assert.equal(textOf(cleared, 'estimate'), '-1');
    for (const name of ['owned_by', 'labels']) assert.deepEqual(texts(cleared, name), [], name);
    assert.equal(textOf(cleared, 'description'), '');
    await ada.delete(path);
  });

  it('names the labels of a project once each and sorted, while a story has them', async () => {
    const other = await newProject(ada, 'Labelled');
    const labels = async () => textOf(await ada.get(`/projects/${other}`), 'labels');
    assert.equal(await labels(), '');
    await newStory(ada, other, 'One', '<labels>to do,api</labels>');
    const two = await newStory(ada, other, 'Two', '<labels>zoom,api,Big</labels>');
    assert.equal(await labels(), 'Big,api,to do,zoom');
    await ada.put(`/projects/${other}/stories/${two}`, '<story><labels>api</labels></story>');
    assert.equal(await labels(), 'api,to do');
    await ada.put(`/projects/${other}/stories/${two}`, '<story><labels>api,gone soon</labels></story>');
    await ada.delete(`/projects/${other}/stories/${two}`);
    assert.equal(await labels(), 'api,to do');
  });

  it('takes a story as form parameters in the query or the body', async () => {
    const stories = `/projects/${projectId}/stories`;
    const inQuery = await ada.post(`${stories}?story[name]=From+the+query&story[story_type]=bug`);
    assert.deepEqual([textOf(inQuery, 'name'), textOf(inQuery, 'story_type')], ['From the query', 'bug']);
    const inBody = await request(`${service.url}/services/v3${stories}`, {
      method: 'POST',
      token: ada.token,
      body: 'story%5Bname%5D=From+the+form',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    });
    assert.equal(textOf(inBody, 'name'), 'From the form');
    for (const answer of [inQuery, inBody]) await ada.delete(`${stories}/${idOf(answer)}`);
  });

  it('answers the deleted story and then no more', async () => {
    const id = await newStory(ada, projectId, 'Short-lived');
    const path = `/projects/${projectId}/stories/${id}`;
    assert.equal(textOf(await ada.delete(path), 'name'), 'Short-lived');
    assertNotFound(await ada.get(path));
  });

  it('adds and lists comments', async () => {
    const note = await ada.post(story('/notes'), '<note><text>Looks &amp; feels right</text></note>');
    assert.deepEqual([textOf(note, 'text'), textOf(note, 'author')], ['Looks &amp; feels right', 'Ada Lovelace']);
    assert.deepEqual(texts(await ada.get(story('/notes')), 'text'), ['Looks &amp; feels right']);
    assert.deepEqual(texts(await ada.get(story()), 'text'), ['Looks &amp; feels right']);
    assertRefused(await ada.post(story('/notes'), '<note><text> </text></note>'), 422, /must not be empty/);
  });

  it('adds, completes, moves and removes tasks', async () => {
    const first = await ada.post(story('/tasks'), '<task><description>First</description></task>');
    const second = await ada.post(story('/tasks'), '<task><description>Second</description></task>');
    assert.deepEqual([textOf(second, 'position'), textOf(second, 'complete')], ['2', 'false']);
    const path = story(`/tasks/${idOf(second)}`);
    const done = await ada.put(path, '<task><complete>true</complete><position>1</position></task>');
    assert.deepEqual([textOf(done, 'position'), textOf(done, 'complete')], ['1', 'true']);
    assert.deepEqual(texts(await ada.get(story('/tasks')), 'description'), ['Second', 'First']);
    assert.equal(textOf(await ada.get(path), 'description'), 'Second');
    assert.equal(textOf(await ada.delete(path), 'description'), 'Second');
    assertNotFound(await ada.get(path));
    assert.equal(textOf(await ada.get(story(`/tasks/${idOf(first)}`)), 'position'), '1');
  });

  it('delivers every finished story and no other', async () => {
    const finished = await newStory(
      ada,
      projectId,
      'Done',
      '<estimate>1</estimate><current_state>finished</current_state>',
    );
    const answer = await ada.put(`/projects/${projectId}/stories/deliver_all_finished`);
    assert.match(answer.text, /<stories type="array" count="1" total="1">/);
    assert.deepEqual([idOf(answer), textOf(answer, 'current_state')], [finished, 'delivered']);
    const again = await ada.put(`/projects/${projectId}/stories/deliver_all_finished`);
    assert.match(again.text, /<stories type="array" count="0" total="0"><\/stories>/);
  });

  it('lists stories by filter, limit and offset, and says how many there are', async () => {
    const other = await newProject(ada, 'Filters');
    for (const type of ['feature', 'bug', 'chore', 'bug']) {
      await newStory(
        ada,
        other,
        `A ${type}`,
        `<story_type>${type}</story_type><current_state>unstarted</current_state>`,
      );
    }
    const bugs = await ada.get(`/projects/${other}/stories?filter=type:bug&limit=1`);
    assert.match(bugs.text, /<stories type="array" count="1" total="2" limit="1" filter="type:bug">/);
    assert.deepEqual(texts(await ada.get(`/projects/${other}/stories?limit=2&offset=1`), 'name'), ['A bug', 'A chore']);
    assertRefused(await ada.get(`/projects/${other}/stories?filter=colour:red`), 422, /colour/);
    assertRefused(await ada.get(`/projects/${other}/stories?limit=many`), 400, /limit/);
    for (const page of ['limit=-1', 'offset=-1'])
      assertRefused(await ada.get(`/projects/${other}/stories?${page}`), 422, /cannot be negative/);
  });

  it('answers empty lists as recordings do', async () => {
    assert.match((await ada.get(story('/tasks'))).text, /<tasks type="array"/);
    const empty = await newProject(ada, 'Empty');
    assert.match((await ada.get(`/projects/${empty}/iterations/done`)).text, /\n<nil-classes type="array"\/>\n$/);
    assert.match(
      (await ada.get(`/projects/${empty}/stories`)).text,
      /<stories type="array" count="0" total="0"><\/stories>\n$/,
    );
  });
});
