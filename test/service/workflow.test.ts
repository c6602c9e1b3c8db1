import assert from 'node:assert/strict';
import { lockProject, type ProjectSettings, updateProject } from '../../src/service/store/projects/projects.ts';
import { newProject, newStory, storyNames } from './support/project.ts';
import { assertRefused, assertStatus, textOf, texts } from './support/request.ts';
import { startTestService, type TestService, type TestUser } from './support/testService.ts';

describe('story states', () => {
  let service: TestService;
  let ada: TestUser;
  let projectId: number;

  before(async () => {
    service = await startTestService();
    ada = await service.user('Ada Lovelace');
    projectId = await newProject(ada);
  });
  after(() => service.stop());

  const created = (fields: string) => ada.post(`/projects/${projectId}/stories`, `<story>${fields}</story>`);
  const named = (fields: string) => created(`<name>A story</name>${fields}`);
  const setState = (id: number, state: string) =>
    ada.put(`/projects/${projectId}/stories/${id}`, `<story><current_state>${state}</current_state></story>`);

  it('names what is wrong with a story', async () => {
    assertRefused(await created(''), 422, /needs a name/);
    assertRefused(await created('<name>  </name>'), 422, /needs a name/);
    assertRefused(await named('<story_type>epic</story_type>'), 422, /one of feature, bug, chore, release/);
    assertRefused(await named('<current_state>done</current_state>'), 422, /states unscheduled, unstarted/);
    assertRefused(
      await named('<story_type>chore</story_type><current_state>delivered</current_state>'),
      422,
      /A chore is in one of the states/,
    );
    assertRefused(await named('<estimate>4</estimate>'), 422, /one of 0, 1, 2, 3/);
    assertRefused(await named('<story_type>bug</story_type><estimate>1</estimate>'), 422, /not estimated/);
    assertRefused(await named('<deadline>2027/01/01</deadline>'), 422, /Only a release has a deadline/);
    assertRefused(await named('<estimate>two</estimate>'), 400, /whole number/);
  });

  it('refuses to start a story that is not estimated', async () => {
    const id = await newStory(ada, projectId, 'Unestimated');
    for (const state of ['started', 'finished', 'accepted', 'rejected']) {
      assertRefused(await setState(id, state), 422, new RegExp(`^Stories in the ${state} state must be estimated\\.$`));
    }
    assert.equal(textOf(await ada.get(`/projects/${projectId}/stories/${id}`), 'current_state'), 'unscheduled');
  });

  it('lets a story with an estimate take any state of its type', async () => {
    const id = await newStory(ada, projectId, 'Estimated', '<estimate>1</estimate>');
    for (const state of ['started', 'finished', 'delivered', 'rejected', 'started', 'unscheduled', 'unstarted']) {
      assert.equal(textOf(await setState(id, state), 'current_state'), state);
    }
  });

  it('needs no estimate where the project estimates none', async () => {
    const id = await newStory(ada, projectId, 'A bug', '<story_type>bug</story_type>');
    const answer = await setState(id, 'delivered');
    assertStatus(answer, 200);
    assert.deepEqual(texts(answer, 'estimate'), []);
  });

  it('knows when a story was accepted, and forgets it when it no longer is', async () => {
    const id = await newStory(ada, projectId, 'Accepted', '<estimate>1</estimate>');
    assert.match(textOf(await setState(id, 'accepted'), 'accepted_at'), / UTC$/);
    assert.deepEqual(texts(await setState(id, 'started'), 'accepted_at'), []);
  });

  it('keeps the moments that an import brings', async () => {
    const answer = await named(
      '<estimate>1</estimate><current_state>accepted</current_state>' +
        '<created_at type="datetime">2025/01/07 09:00:00 EST</created_at><accepted_at>2025-02-03T10:00:00+01:00</accepted_at>',
    );
    assert.equal(textOf(answer, 'created_at'), '2025/01/07 14:00:00 UTC');
    assert.equal(textOf(answer, 'accepted_at'), '2025/02/03 09:00:00 UTC');
    assertRefused(await named('<created_at>2025/01/07 09:00:00 XYZ</created_at>'), 422, /not a date/);
    assertRefused(await named('<created_at>1950/01/01 00:00:00 UTC</created_at>'), 422, /too long ago/);
  });

  it('drops the estimate of a story that becomes a chore and the deadline of one that is no release any more', async () => {
    const id = await newStory(ada, projectId, 'Changing', '<estimate>3</estimate>');
    const path = `/projects/${projectId}/stories/${id}`;
    assert.deepEqual(texts(await ada.put(path, '<story><story_type>chore</story_type></story>'), 'estimate'), []);
    const release = '<story><story_type>release</story_type><deadline>2027/01/02</deadline></story>';
    assert.equal(textOf(await ada.put(path, release), 'deadline'), '2027/01/02 00:00:00 UTC');
    const bug = await ada.put(path, '<story><story_type>bug</story_type></story>');
    assertStatus(bug, 200);
    assert.deepEqual(texts(bug, 'deadline'), []);
  });

  it('refuses another type for a story whose state or given estimate it does not have', async () => {
    const fields = '<estimate>3</estimate><current_state>delivered</current_state>';
    const path = `/projects/${projectId}/stories/${await newStory(ada, projectId, 'Delivered', fields)}`;
    const become = (more: string) => ada.put(path, `<story>${more}</story>`);
    assertRefused(await become('<story_type>chore</story_type>'), 422, /A chore is in one of the states/);
    assertRefused(await become('<story_type>bug</story_type><estimate>3</estimate>'), 422, /A bug is not estimated/);
    assertStatus(await become('<story_type>bug</story_type>'), 200);
    assertRefused(await become('<story_type>chore</story_type>'), 422, /A chore is in one of the states/);
  });

  it('judges only what an edit changes, when the project estimates otherwise than it did', async () => {
    const project = await newProject(ada, 'Otherwise');
    const set = (settings: ProjectSettings) =>
      service.running.database.write(async (tx) => {
        await lockProject(tx, project);
        await updateProject(tx, project, { name: 'Otherwise', ...settings });
      });
    const put = (id: number, fields: string) =>
      ada.put(`/projects/${project}/stories/${id}`, `<story>${fields}</story>`);
    const three = await newStory(ada, project, 'Three', '<estimate>3</estimate>');
    const begun = await newStory(
      ada,
      project,
      'Begun',
      '<story_type>bug</story_type><current_state>started</current_state>',
    );
    await set({ pointScale: '0,2,4', bugsAndChoresAreEstimatable: 1 });
    assertStatus(await put(three, '<name>Still three</name><estimate>3</estimate>'), 200);
    assert.equal(textOf(await put(three, '<current_state>started</current_state>'), 'estimate'), '3');
    assertRefused(await put(three, '<estimate>1</estimate>'), 422, /one of 0, 2, 4/);
    const commit = `<source_commit><message>[fixes #${three}]</message><commit_id>1</commit_id></source_commit>`;
    assertStatus(await ada.post('/source_commits', commit), 200);
    assert.equal(textOf(await ada.get(`/projects/${project}/stories/${three}`), 'current_state'), 'finished');
    assertStatus(await put(begun, '<name>Begun bug</name><current_state>started</current_state>'), 200);
    assertRefused(await put(begun, '<current_state>finished</current_state>'), 422, /must be estimated/);
    assertStatus(await put(begun, '<estimate>4</estimate>'), 200);
    assertRefused(await put(begun, '<estimate/>'), 422, /must be estimated/);
    await set({ bugsAndChoresAreEstimatable: 0 });
    const finished = '<story_type>bug</story_type><current_state>finished</current_state>';
    const wanting = await newStory(ada, project, 'Finished bug', finished);
    await set({ bugsAndChoresAreEstimatable: 1 });
    const all = `/projects/${project}/stories/deliver_all_finished`;
    assertRefused(await ada.put(all), 422, new RegExp(`must be estimated. Estimate #${wanting} "Finished bug" first`));
    await set({ bugsAndChoresAreEstimatable: 0 });
    assert.deepEqual(texts(await put(begun, '<name>Kept</name>'), 'estimate'), []);
    await set({ bugsAndChoresAreEstimatable: 1 });
    assert.equal(textOf(await ada.get(`/projects/${project}/stories/${begun}`), 'estimate'), '4');
  });

  it('puts a story that leaves the icebox at the end of the backlog, and one that goes there at its top', async () => {
    const project = await newProject(ada, 'Icebox');
    const add = (name: string, state: string) =>
      newStory(ada, project, name, `<current_state>${state}</current_state>`);
    await add('Backlog 1', 'unstarted');
    const second = await add('Backlog 2', 'unstarted');
    const cold = await add('Cold 1', 'unscheduled');
    await add('Cold 2', 'unscheduled');
    assert.deepEqual(await storyNames(ada, project), ['Backlog 1', 'Backlog 2', 'Cold 2', 'Cold 1']);
    const put = (id: number, state: string) =>
      ada.put(`/projects/${project}/stories/${id}`, `<story><current_state>${state}</current_state></story>`);
    await put(cold, 'unstarted');
    await put(second, 'unscheduled');
    assert.deepEqual(await storyNames(ada, project), ['Backlog 1', 'Cold 1', 'Backlog 2', 'Cold 2']);
  });
});
