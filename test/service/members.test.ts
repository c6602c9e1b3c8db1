import assert from 'node:assert/strict';
import { setRule } from '../../src/service/store/projects/projects.ts';
import { endpoints } from '../../src/v3/endpoints.ts';
import { addMember, newProject, newStory } from './support/project.ts';
import {
  type Answer,
  assertNotFound,
  assertRefused,
  assertStatus,
  idOf,
  request,
  textOf,
  texts,
} from './support/request.ts';
import { startTestService, type TestService, type TestUser } from './support/testService.ts';

describe('members', () => {
  let service: TestService;
  let ada: TestUser;
  let vera: TestUser;
  let mary: TestUser;
  let stranger: TestUser;
  let projectId: number;
  let storyId: number;
  let taskId: number;

  before(async () => {
    service = await startTestService();
    ada = await service.user('Ada Lovelace');
    vera = await service.user('Vera Rubin');
    mary = await service.user('Mary Somerville');
    stranger = await service.user('Stranger');
    projectId = await newProject(ada);
    storyId = await newStory(ada, projectId, 'Land');
    taskId = idOf(
      await ada.post(
        `/projects/${projectId}/stories/${storyId}/tasks`,
        '<task><description>Brake</description></task>',
      ),
    );
    await addMember(ada, projectId, vera, 'Viewer');
    await addMember(ada, projectId, mary, 'Member');
  });
  after(() => service.stop());

  const paths = () => {
    const project = `/projects/${projectId}`;
    const story = `${project}/stories/${storyId}`;
    return { project, story };
  };

  /** Every write in a project, as a call of a user. */
  function writes(user: TestUser) {
    const { project, story } = paths();
    return {
      newStory: () => user.post(`${project}/stories`, '<story><name>x</name></story>'),
      edit: () => user.put(story, '<story><name>x</name></story>'),
      move: () => user.post(`${story}/moves?move[move]=before&move[target]=1`),
      deliver: () => user.put(`${project}/stories/deliver_all_finished`),
      comment: () => user.post(`${story}/notes`, '<note><text>x</text></note>'),
      task: () => user.post(`${story}/tasks`, '<task><description>x</description></task>'),
      attach: () => user.post(`${story}/attachments`, fileForm()),
      tick: () => user.put(`${story}/tasks/${taskId}`, '<task><complete>true</complete></task>'),
      removeTask: () => user.delete(`${story}/tasks/${taskId}`),
      link: () => user.put(story, '<story><other_id>7</other_id></story>'),
      remove: () => user.delete(story),
      invite: () =>
        user.post(`${project}/memberships`, '<membership><person><email>a@b.c</email></person></membership>'),
      expel: () => user.delete(`${project}/memberships/1`),
    };
  }

  function fileForm(): FormData {
    const form = new FormData();
    form.set('Filedata', new Blob(['x']), 'x.txt');
    return form;
  }

  it('who only view read everything and write nothing', async () => {
    const { project, story } = paths();
    for (const path of [project, story, `${project}/stories`, `${project}/iterations`, `${project}/memberships`]) {
      assertStatus(await vera.get(path), 200);
    }
    for (const [name, write] of Object.entries(writes(vera))) {
      const answer = await write();
      assert.equal(answer.status, 403, name);
    }
    const seen = await ada.get(story);
    assert.deepEqual([textOf(seen, 'name'), textOf(seen, 'complete')], ['Land', 'false']);
  });

  it('have each endpoint of a project answered as their role says, and strangers none', async () => {
    const other = await newProject(ada, 'Roles');
    await addMember(ada, other, vera, 'Viewer');
    await addMember(ada, other, mary, 'Member');
    const bodies = [
      ...['story[name]=x', 'note[text]=x', 'task[description]=x', 'membership[person][email]=a@b.c'],
      ...['membership[role]=Member', 'project[name]=Roles', 'integration[name]=x'],
    ];
    const query = [...bodies, 'move[move]=after', 'move[target]=1'].join('&');
    for (const [name, { method, path }] of Object.entries(endpoints)) {
      if (!path.includes(':projectId')) continue;
      // Of the rest of the path nothing is there, so that whoever may do it finds nothing to do it to.
      const target = path.replace(':projectId', String(other)).replace(/:\w+/g, '999999');
      const asked = async ({ token }: TestUser) =>
        (await request(`${service.url}/services/v3${target}?${query}`, { method, token })).status;
      const isOfOwners = /\/(?:memberships|integrations|imports)|projectId$/.test(path) && method !== 'GET';
      assert.equal(await asked(stranger), 404, name);
      assert.equal((await asked(vera)) === 403, method !== 'GET', name);
      assert.equal((await asked(mary)) === 403, isOfOwners, name);
      assert.notEqual(await asked(ada), 403, name);
    }
  });

  it('may do what their role lets them from the next request on', async () => {
    const other = await newProject(ada, 'Changing');
    const add = () => vera.post(`/projects/${other}/stories`, '<story><name>Mine</name></story>');
    const invite = () =>
      vera.post(`/projects/${other}/memberships`, `<membership><person>${known}</person></membership>`);
    const known = `<email>${stranger.email}</email>`;
    const statuses = async () => [
      (await vera.get(`/projects/${other}`)).status,
      (await add()).status,
      (await invite()).status,
    ];
    assert.deepEqual(await statuses(), [404, 404, 404]);
    await addMember(ada, other, vera, 'Viewer');
    assert.deepEqual(await statuses(), [200, 403, 403]);
    await addMember(ada, other, vera, 'Member');
    assert.deepEqual(await statuses(), [200, 200, 403]);
    const id = await addMember(ada, other, vera, 'Owner');
    assert.deepEqual(await statuses(), [200, 200, 200]);
    assertStatus(await vera.delete(`/projects/${other}/memberships/${id}`), 200);
    assert.deepEqual(await statuses(), [404, 404, 404]);
  });

  it('are asked for by an address, with a role that there is', async () => {
    const { project } = paths();
    const add = (fields: string) => ada.post(`${project}/memberships`, `<membership>${fields}</membership>`);
    assertRefused(await add('<role>Member</role>'), 422, /needs an email address/);
    assertRefused(await add('<role>member</role><person><email>a@b.c</email></person>'), 422, /Owner, Member, Viewer/);
    const [id] = texts(await vera.get('/memberships'), 'id');
    assertNotFound(await ada.delete(`${project}/memberships/999`));
    assertStatus(await stranger.get(`${project}/memberships/${id}`), 404);
  });

  it('who are none do not see that there is a project', async () => {
    const { project, story } = paths();
    const nowhere = await stranger.get('/projects/999');
    for (const path of [project, story, `${project}/stories`, `${project}/iterations`, `${project}/memberships`]) {
      const answer = await stranger.get(path);
      assertStatus(answer, 404);
      assert.equal(answer.text, nowhere.text);
    }
    for (const [name, write] of Object.entries(writes(stranger))) assert.equal((await write()).status, 404, name);
  });

  it('are changed by owners only', async () => {
    const { project } = paths();
    assertStatus(await mary.post(`${project}/stories`, '<story><name>By a member</name></story>'), 200);
    assertRefused(await writes(mary).invite(), 403, /Only an owner/);
    assertRefused(await writes(mary).expel(), 403, /Only an owner/);
  });

  it('are listed with person, role and project', async () => {
    const list = await ada.get(`${paths().project}/memberships`);
    assert.deepEqual(texts(list, 'role'), ['Owner', 'Viewer', 'Member']);
    assert.deepEqual(texts(list, 'initials'), ['AL', 'VR', 'MS']);
    assert.equal(list.text.match(/<project>\s*<id>1<\/id>\s*<name>Apollo<\/name>/g)?.length, 3);
    const [, , id] = texts(list, 'id');
    assert.equal(textOf(await ada.get(`${paths().project}/memberships/${id}`), 'name'), 'Vera Rubin');
    assert.match((await vera.get('/memberships')).text, /<project>\s*<id>1<\/id>\s*<name>Apollo<\/name>/);
  });

  it('can come from outside where anyone may be added, change their role, and go', async () => {
    await service.running.database.write((tx) => setRule(tx, 'adding-people', 'anyone'));
    const other = await newProject(ada, 'Team');
    const body = (role: string) =>
      `<membership><role>${role}</role><person><name>New Person</name><initials>NP</initials><email>New@Example.org</email></person></membership>`;
    const added = await ada.post(`/projects/${other}/memberships`, body('Member'));
    assert.deepEqual([textOf(added, 'email'), textOf(added, 'initials')], ['new@example.org', 'NP']);
    assert.equal(textOf(await ada.post(`/projects/${other}/memberships`, body('Owner')), 'role'), 'Owner');
    assert.equal(texts(await ada.get(`/projects/${other}/memberships`), 'role').length, 2);
    const removed = await ada.delete(`/projects/${other}/memberships/${idOf(added)}`);
    assert.equal(textOf(removed, 'name'), 'New Person');
    assertNotFound(await ada.get(`/projects/${other}/memberships/${idOf(added)}`));
    assertRefused(await ada.post(`/projects/${other}/memberships`, body('Boss')), 422, /Owner, Member, Viewer/);
  });

  it('keep their role when they are added again without one', async () => {
    const other = await newProject(ada, 'Twice');
    await addMember(ada, other, mary, 'Owner');
    const again = (user: TestUser) =>
      ada.post(
        `/projects/${other}/memberships`,
        `<membership><person><email>${user.email}</email></person></membership>`,
      );
    assert.equal(textOf(await again(mary), 'role'), 'Owner');
    assert.equal(textOf(await again(vera), 'role'), 'Member');
  });

  it('are who requests and owns stories, and nobody else is', async () => {
    const other = await newProject(ada, 'Named');
    const stories = `/projects/${other}/stories`;
    await addMember(ada, other, vera, 'Viewer');
    const make = (fields: string) => ada.post(stories, `<story><name>x</name>${fields}</story>`);
    const refusal = (element: string, name: string) =>
      new RegExp(`^The provided ${element} user '${name}' is not a valid member of the project\\.$`);
    const wrong = (element: string) => `<${element}>James Kirk</${element}>`;
    for (const element of ['requested_by', 'owned_by']) {
      assertRefused(await make(wrong(element)), 422, refusal(element, 'James Kirk'));
    }
    assertRefused(await make(`<owned_by>${mary.name}</owned_by>`), 422, refusal('owned_by', mary.name));
    assert.deepEqual(texts(await ada.get(stories), 'name'), [], 'nothing was made');

    const made = await make('<requested_by> vera  RUBIN</requested_by><owned_by>ada lovelace</owned_by>');
    const people = (answer: Answer) => ['requested_by', 'owned_by'].map((name) => textOf(answer, name));
    assert.deepEqual(people(made), ['Vera Rubin', 'Ada Lovelace']);
    const path = `${stories}/${idOf(made)}`;
    const renamed = `<story><name>y</name>${wrong('owned_by')}</story>`;
    assertRefused(await ada.put(path, renamed), 422, refusal('owned_by', 'James Kirk'));
    assert.equal(textOf(await ada.get(path), 'name'), 'x', 'nothing was changed');
  });

  it('stay named on stories when they have left, until someone else is named', async () => {
    const other = await newProject(ada, 'Left');
    const membershipId = await addMember(ada, other, mary, 'Member');
    const people = `<requested_by>${mary.name}</requested_by><owned_by>${mary.name}</owned_by>`;
    const storyId = await newStory(ada, other, 'Hers', people);
    const path = `/projects/${other}/stories/${storyId}`;
    assertStatus(await ada.delete(`/projects/${other}/memberships/${membershipId}`), 200);
    const whole = (await ada.get(path)).text;
    const version = textOf(await ada.get('/activities?limit=1'), 'version');
    for (const same of [whole, whole.replaceAll(mary.name, mary.name.toUpperCase())]) {
      assertStatus(await ada.put(path, same), 200);
      assert.equal(textOf(await ada.get('/activities?limit=1'), 'version'), version, 'nothing changed');
    }
    const edited = await ada.put(path, whole.replace('>Hers<', '>Still hers<'));
    assert.deepEqual([textOf(edited, 'name'), textOf(edited, 'owned_by')], ['Still hers', mary.name]);
    assertStatus(await ada.put(path, '<story><owned_by/></story>'), 200);
    assertRefused(await ada.put(path, whole), 422, /owned_by user 'Mary Somerville' is not a valid member/);
    assert.equal(textOf(await ada.get(path), 'requested_by'), mary.name);
  });

  it('never leave a project without its last owner', async () => {
    const other = await newProject(ada, 'Alone');
    const [id] = texts(await ada.get(`/projects/${other}/memberships`), 'id');
    assertRefused(await ada.delete(`/projects/${other}/memberships/${id}`), 422, /only owner/);
    const demotion = `<membership><role>Viewer</role><person><email>${ada.email}</email></person></membership>`;
    assertRefused(await ada.post(`/projects/${other}/memberships`, demotion), 422, /only owner/);
  });

  it('lose sight of the project at once when they are removed', async () => {
    const other = await newProject(ada, 'Brief');
    const id = await addMember(ada, other, mary, 'Member');
    assertStatus(await mary.get(`/projects/${other}/iterations`), 200);
    await ada.delete(`/projects/${other}/memberships/${id}`);
    assertStatus(await mary.get(`/projects/${other}/iterations`), 404);
  });
});
