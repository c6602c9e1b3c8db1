import assert from 'node:assert/strict';
import { lockProject, updateProject } from '../../src/service/store/projects/projects.ts';
import { newProject, newStory } from './support/project.ts';
import { assertRefused, textOf, texts } from './support/request.ts';
import { startTestService, type TestService, type TestUser } from './support/testService.ts';

const WEEK = 7 * 86_400_000;
/** A Monday. */
const START = Date.UTC(2026, 0, 5);

describe('a project plans by its settings', () => {
  let now = START;
  let service: TestService;
  let ada: TestUser;

  before(async () => {
    service = await startTestService({ clock: () => now });
    ada = await service.user('Ada Lovelace');
  });
  after(() => service.stop());
  beforeEach(() => {
    now = START + 3_600_000;
  });

  const add = (projectId: number, name: string, fields: string) =>
    newStory(ada, projectId, name, `<current_state>unstarted</current_state>${fields}`);
  const points = (estimate: number, type = 'feature') =>
    `<story_type>${type}</story_type><estimate>${estimate}</estimate>`;
  const setState = (projectId: number, id: number, state: string) =>
    ada.put(`/projects/${projectId}/stories/${id}`, `<story><current_state>${state}</current_state></story>`);

  /** `number: names` of the current iteration and the backlog. */
  async function planned(projectId: number): Promise<string[]> {
    const { text } = await ada.get(`/projects/${projectId}/iterations/current_backlog`);
    const iterations = text.split('<iteration>').slice(1);
    return iterations.map((one) => `${textOf({ text: one }, 'number')}: ${texts({ text: one }, 'name').join('')}`);
  }

  async function velocityAfter(scheme: string, accepted: readonly number[]): Promise<string> {
    const projectId = await newProject(ada, 'Velocity', `${scheme}<point_scale>0,1,2,3,5,8</point_scale>`);
    for (const estimate of accepted) {
      await setState(projectId, await add(projectId, 'Done', points(estimate)), 'accepted');
      now += WEEK;
    }
    return textOf(await ada.get(`/projects/${projectId}`), 'current_velocity');
  }

  it('with the velocity averaged over as many iterations as its scheme says', async () => {
    const scheme = (count: number) => `<velocity_scheme>Average of ${count} iterations</velocity_scheme>`;
    assert.equal(await velocityAfter('', [8, 1, 2, 3]), '2');
    assert.equal(await velocityAfter(scheme(1), [8, 1, 2, 3]), '3');
    assert.equal(await velocityAfter(scheme(4), [8, 1, 2, 3]), '3');
    assert.equal(await velocityAfter(scheme(2), [8, 5]), '6');
    const project = await ada.get(`/projects/${await newProject(ada, 'Two', scheme(2))}`);
    assert.equal(textOf(project, 'velocity_scheme'), 'Average of 2 iterations');
    for (const wrong of ['as it comes', 'Average of 0 iterations', 'Average of 99 iterations']) {
      const body = `<project><name>x</name><velocity_scheme>${wrong}</velocity_scheme></project>`;
      assertRefused(await ada.post('/projects', body), 422, /velocity scheme is such as/);
    }
  });

  it('with points for bugs and chores where it estimates them, and none elsewhere', async () => {
    const estimated = '<bugs_and_chores_are_estimatable>true</bugs_and_chores_are_estimatable>';
    const three = '<initial_velocity>3</initial_velocity>';
    const all = await newProject(ada, 'All', three + estimated);
    for (const [name, type] of Object.entries({ F: 'feature', B: 'bug', C: 'chore' }))
      await add(all, name, points(2, type));
    assert.deepEqual(await planned(all), ['1: F', '2: B', '3: C']);
    const features = await newProject(ada, 'Features', three);
    await add(features, 'F', points(3));
    for (const [name, type] of Object.entries({ B: 'bug', C: 'chore', R: 'release' })) {
      await add(features, name, `<story_type>${type}</story_type>`);
    }
    assert.deepEqual(await planned(features), ['1: FBCR']);
    const estimates = async () => texts(await ada.get(`/projects/${all}/stories`), 'estimate');
    assert.deepEqual(await estimates(), ['2', '2', '2']);
    await service.running.database.write(async (tx) => {
      await lockProject(tx, all);
      await updateProject(tx, all, { name: 'All', bugsAndChoresAreEstimatable: 0 });
    });
    assert.deepEqual(await planned(all), ['1: FBC'], 'nor do those that they were given before');
    assert.deepEqual(await estimates(), ['2']);
  });

  it('from its week start day on, for as many weeks as it says', async () => {
    const settings = '<week_start_day>Wednesday</week_start_day><iteration_length type="integer">2</iteration_length>';
    const answer = await ada.get(`/projects/${await newProject(ada, 'Fortnights', settings)}/iterations/current`);
    assert.deepEqual(
      [textOf(answer, 'start'), textOf(answer, 'finish')],
      ['2025/12/31 00:00:00 UTC', '2026/01/14 00:00:00 UTC'],
    );
  });

  it('with iterations that are longer, or that a weaker team works in', async () => {
    const projectId = await newProject(ada, 'Overridden', '<initial_velocity>4</initial_velocity>');
    for (const name of ['A', 'B', 'C', 'D', 'E', 'F']) await add(projectId, name, points(2));
    await service.running.database.write(async (tx) => {
      await tx
        .insertInto('iterationOverrides')
        .values([
          { projectId, number: 1, teamStrength: 0.5, weeks: null },
          { projectId, number: 2, teamStrength: 1, weeks: 2 },
        ])
        .execute();
      await tx
        .updateTable('projects')
        .set((column) => ({ changes: column('changes', '+', 1) }))
        .where('id', '=', projectId)
        .execute();
    });
    assert.deepEqual(await planned(projectId), ['1: A', '2: BCDE', '3: F']);
    const answer = await ada.get(`/projects/${projectId}/iterations/current_backlog`);
    assert.deepEqual(texts(answer, 'team_strength'), ['0.5', '1', '1']);
    assert.deepEqual(
      texts(answer, 'start').map((start) => start.slice(0, 10)),
      ['2026/01/05', '2026/01/12', '2026/01/26'],
    );
    for (const id of texts(await ada.get(`/projects/${projectId}/stories?limit=1`), 'id')) {
      await setState(projectId, Number(id), 'accepted');
    }
    now += WEEK;
    assert.equal(textOf(await ada.get(`/projects/${projectId}`), 'current_velocity'), '4', '2 points by half a team');
  });

  it('from a start date that is to come on, and from this week on once a story is accepted before', async () => {
    const projectId = await newProject(ada, 'Ahead', '<start_date type="date">2026/02/18</start_date>');
    const id = await add(projectId, 'A', points(2));
    const starts = async () => [
      textOf(await ada.get(`/projects/${projectId}`), 'first_iteration_start_time'),
      textOf(await ada.get(`/projects/${projectId}/iterations/current`), 'start'),
    ];
    assert.deepEqual(await starts(), ['2026/02/16 00:00:00 UTC', '2026/02/16 00:00:00 UTC']);
    now = Date.UTC(2026, 1, 24);
    assert.deepEqual(await starts(), ['2026/02/16 00:00:00 UTC', '2026/02/23 00:00:00 UTC']);
    now = START + 3_600_000;
    await setState(projectId, id, 'accepted');
    assert.deepEqual(await starts(), ['2026/01/05 00:00:00 UTC', '2026/01/05 00:00:00 UTC']);
  });

  it('with nothing but what was begun in the current iteration in commit mode', async () => {
    const settings = '<initial_velocity>4</initial_velocity><commit_mode>true</commit_mode>';
    const projectId = await newProject(ada, 'Committed', settings);
    assert.equal(textOf(await ada.get(`/projects/${projectId}`), 'commit_mode'), 'true');
    await add(projectId, 'A', points(2));
    const begun = await add(projectId, 'B', points(2));
    assert.deepEqual(await planned(projectId), ['1: ', '2: AB']);
    await setState(projectId, begun, 'started');
    assert.deepEqual(await planned(projectId), ['1: B', '2: A']);
  });

  it('and tells all its settings as it was told them', async () => {
    const settings: Readonly<Record<string, string>> = {
      allow_attachments: 'false',
      use_https: 'true',
      enable_tasks: 'false',
      bugs_and_chores_are_estimatable: 'true',
      number_of_done_iterations_to_show: '4',
    };
    const elements = Object.entries(settings).map(([name, value]) => `<${name}>${value}</${name}>`);
    const project = await ada.get(`/projects/${await newProject(ada, 'Set', elements.join(''))}`);
    for (const [name, value] of Object.entries(settings)) assert.equal(textOf(project, name), value, name);
    for (const shown of [-1, 1_001]) {
      const element = `<number_of_done_iterations_to_show>${shown}</number_of_done_iterations_to_show>`;
      const answer = await ada.post('/projects', `<project><name>x</name>${element}</project>`);
      assertRefused(answer, 422, /done iterations can be shown/);
    }
  });

  it('without tasks or files where they are switched off', async () => {
    const settings = '<allow_attachments>false</allow_attachments><enable_tasks>false</enable_tasks>';
    const projectId = await newProject(ada, 'Bare', settings);
    const story = `/projects/${projectId}/stories/${await add(projectId, 'A', '')}`;
    assertRefused(
      await ada.post(`${story}/tasks`, '<task><description>x</description></task>'),
      422,
      /Tasks are turned off/,
    );
    const form = new FormData();
    form.set('Filedata', new Blob(['x']), 'x.txt');
    assertRefused(await ada.post(`${story}/attachments`, form), 422, /Attachments are turned off/);
    assert.deepEqual(texts(await ada.get(story), 'attachment'), []);
  });
});
