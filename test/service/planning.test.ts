import assert from 'node:assert/strict';
import { newProject, newStory } from './support/project.ts';
import { assertRefused, textOf, texts } from './support/request.ts';
import { startTestService, type TestService, type TestUser } from './support/testService.ts';

const WEEK = 7 * 86_400_000;
/** A Monday. */
const START = Date.UTC(2026, 0, 5);

describe('iterations', () => {
  let now = START + 3_600_000;
  let service: TestService;
  let ada: TestUser;
  let projectId: number;

  before(async () => {
    service = await startTestService({ clock: () => now });
    ada = await service.user('Ada Lovelace');
    projectId = await newProject(
      ada,
      'Apollo',
      '<point_scale>0,1,2,3</point_scale><initial_velocity>4</initial_velocity>',
    );
    for (const name of ['A', 'B', 'C', 'D', 'E']) await add(name, 'unstarted', 2);
    await add('Cold', 'unscheduled', 2);
  });
  after(() => service.stop());

  const add = (name: string, state: string, points: number) =>
    newStory(ada, projectId, name, `<estimate>${points}</estimate><current_state>${state}</current_state>`);

  /** `number: names` of each iteration. */
  async function planned(group: string): Promise<string[]> {
    const { text } = await ada.get(`/projects/${projectId}/iterations${group}`);
    return text
      .split('<iteration>')
      .slice(1)
      .map((iteration) => `${textOf({ text: iteration }, 'number')}: ${texts({ text: iteration }, 'name').join('')}`);
  }

  const accept = (id: number) =>
    ada.put(`/projects/${projectId}/stories/${id}`, '<story><current_state>accepted</current_state></story>');

  it('hold as many points as the velocity, in priority order, without the icebox', async () => {
    assert.deepEqual(await planned('/current'), ['1: AB']);
    assert.deepEqual(await planned('/backlog'), ['2: CD', '3: E']);
    assert.deepEqual(await planned('/current_backlog'), ['1: AB', '2: CD', '3: E']);
    assert.deepEqual(await planned('?group=current_backlog'), ['1: AB', '2: CD', '3: E']);
    assert.deepEqual(await planned('/done'), []);
    assertRefused(await ada.get(`/projects/${projectId}/iterations?group=next`), 400, /"group" must be one of/);
  });

  it('say when they begin and end', async () => {
    const answer = await ada.get(`/projects/${projectId}/iterations/current`);
    assert.deepEqual(
      ['id', 'start', 'finish', 'team_strength'].map((name) => textOf(answer, name)),
      ['1', '2026/01/05 00:00:00 UTC', '2026/01/12 00:00:00 UTC', '1'],
    );
  });

  it('follow every change at once, though answers are kept', async () => {
    const [first] = texts(await ada.get(`/projects/${projectId}/stories`), 'id');
    await ada.put(`/projects/${projectId}/stories/${first}`, '<story><estimate>3</estimate></story>');
    assert.deepEqual(await planned('/current'), ['1: A']);
    await ada.put(`/projects/${projectId}/stories/${first}`, '<story><estimate>2</estimate></story>');
    assert.deepEqual(await planned('/current'), ['1: AB']);
  });

  it('are done when their time is over, and their points make the velocity', async () => {
    const ids = texts(await ada.get(`/projects/${projectId}/stories`), 'id').map(Number);
    for (const id of ids.slice(0, 3)) await accept(id);
    assert.deepEqual(await planned('/current'), ['1: ABC']);
    const currentInList = async () => textOf(await ada.get('/projects'), 'current_iteration_number');
    assert.equal(await currentInList(), '1');
    now += WEEK;
    assert.equal(await currentInList(), '2');
    assert.deepEqual(await planned(''), ['1: ABC', '2: DE']);
    const project = await ada.get(`/projects/${projectId}`);
    assert.deepEqual(
      ['current_iteration_number', 'current_velocity', 'first_iteration_start_time'].map((name) =>
        textOf(project, name),
      ),
      ['2', '6', '2026/01/05 00:00:00 UTC'],
    );
  });

  it('keep what was accepted in them when it is edited later', async () => {
    const [first] = texts(await ada.get(`/projects/${projectId}/stories`), 'id');
    const path = `/projects/${projectId}/stories/${first}`;
    for (const fields of [
      '<description>Done</description>',
      '<current_state>accepted</current_state><labels>a</labels>',
    ])
      assert.equal(textOf(await ada.put(path, `<story>${fields}</story>`), 'accepted_at'), '2026/01/05 01:00:00 UTC');
    assert.deepEqual(await planned('/done'), ['1: ABC']);
  });

  it('can be had in pages; done ones count from the latest with a negative offset', async () => {
    now += 3 * WEEK;
    assert.deepEqual(await planned('/done'), ['1: ABC', '2: ', '3: ', '4: ']);
    assert.deepEqual(await planned('/done?offset=-2'), ['3: ', '4: ']);
    assert.deepEqual(await planned('/done?offset=-3&limit=1'), ['2: ']);
    assert.deepEqual(await planned('/done?limit=1&offset=0'), ['1: ABC']);
    assert.deepEqual(await planned('/done?offset=-6&limit=3'), ['1: ABC']);
    assert.deepEqual(await planned('/done?offset=-8&limit=3'), []);
    assert.deepEqual(await planned('/done?offset=-100&limit=1'), []);
    assert.equal((await planned('/done?offset=-100')).length, 4);
    assert.deepEqual((await planned('?limit=2&offset=1')).length, 2);
  });

  it('count back from the latest among the done ones only', async () => {
    for (const group of ['', '/current', '/backlog', '/current_backlog'])
      assertRefused(await ada.get(`/projects/${projectId}/iterations${group}?offset=-1`), 422, /in "done" only/);
    assert.equal((await planned('?group=done&offset=-1')).length, 1);
    assertRefused(await ada.get(`/projects/${projectId}/iterations?limit=-1`), 422, /cannot be negative/);
    assertRefused(await ada.get(`/projects/${projectId}/iterations/done?offset=last`), 400, /whole number/);
    assert.deepEqual(await planned('/backlog?limit=0'), []);
  });

  it('hide the stories of done iterations from a filter, unless asked for', async () => {
    const names = async (filter: string) =>
      texts(await ada.get(`/projects/${projectId}/stories?filter=${filter}`), 'name').join('');
    assert.equal(await names('type:feature'), 'DECold');
    assert.equal(await names('type:feature%20includedone:true'), 'ABCDECold');
    assert.equal(texts(await ada.get(`/projects/${projectId}/stories`), 'name').join(''), 'ABCDECold');
  });
});
