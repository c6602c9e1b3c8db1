import assert from 'node:assert/strict';
import type { TrackerError } from '../../src/core/errors.ts';
import { zonedDate } from '../../src/v3/dates.ts';
import { trackerFor } from '../support/servers/testServer.ts';
import { addMember, newIntegration, newProject, newStory } from './support/project.ts';
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

/** A Monday. */
const START = Date.UTC(2026, 0, 5);
const HOOK = 'https://ci.example.org/activity?key=s3cret';

/** The elements that a refusal names, with its sentences. */
function fieldsOf({ text }: Answer): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [...text.matchAll(/<error field="([a-z_]+)">([^<]*)</g)].map(([, field, sentence]) => [field, sentence]),
  );
}

describe('the settings of a project', () => {
  let now = START;
  let service: TestService;
  let ada: TestUser;
  let mary: TestUser;
  let vera: TestUser;
  let gone: TestUser;
  let stranger: TestUser;

  before(async () => {
    service = await startTestService({ clock: () => now });
    [ada, mary, vera] = [await service.user('Ada'), await service.user('Mary'), await service.user('Vera')];
    [gone, stranger] = [await service.user('Gone'), await service.user('Stranger')];
  });
  after(() => service.stop());
  beforeEach(() => {
    now = START + 3_600_000;
  });

  const change = (user: TestUser, projectId: number, fields: string, query = '') =>
    user.put(`/projects/${projectId}${query}`, `<project>${fields}</project>`);
  const settings = (projectId: number, user = ada) => user.get(`/projects/${projectId}/settings`);
  const ifMatch = (projectId: number, tag: string, fields: string) =>
    request(`${service.url}/services/v3/projects/${projectId}`, {
      method: 'PUT',
      token: ada.token,
      body: `<project>${fields}</project>`,
      headers: { 'If-Match': tag },
    });

  /** With everyone in it whom a role can be asked of; the last was removed. */
  async function sharedProject(): Promise<number> {
    const projectId = await newProject(ada, 'Shared');
    await addMember(ada, projectId, mary, 'Member');
    await addMember(ada, projectId, vera, 'Viewer');
    const membership = await addMember(ada, projectId, gone, 'Owner');
    assertStatus(await ada.delete(`/projects/${projectId}/memberships/${membership}`), 200);
    return projectId;
  }

  async function planned(projectId: number): Promise<string[]> {
    const { text } = await ada.get(`/projects/${projectId}/iterations/current_backlog`);
    const iterations = text.split('<iteration>').slice(1);
    return iterations.map((one) => `${textOf({ text: one }, 'number')}: ${texts({ text: one }, 'name').join('')}`);
  }

  async function plannedProject(): Promise<number> {
    const projectId = await newProject(ada, 'Planned', '<initial_velocity>3</initial_velocity>');
    for (const name of ['A', 'B', 'C']) {
      await newStory(ada, projectId, name, '<current_state>unstarted</current_state><estimate>3</estimate>');
    }
    assert.deepEqual(await planned(projectId), ['1: A', '2: B', '3: C']);
    return projectId;
  }

  it('are changed, each of them, in one request', async () => {
    const projectId = await newProject(ada);
    const fields = {
      name: 'Gemini',
      account: 'Space',
      point_scale: '0,1,2,4,8',
      iteration_length: '2',
      week_start_day: 'Wednesday',
      start_date: '2026/01/07',
      velocity_scheme: 'Average of 2 iterations',
      initial_velocity: '12',
      number_of_done_iterations_to_show: '4',
      bugs_and_chores_are_estimatable: 'true',
      enable_tasks: 'false',
      allow_attachments: 'false',
      use_https: 'true',
      commit_mode: 'true',
      web_hook_url: HOOK,
    };
    const body = Object.entries(fields).map(([name, value]) => `<${name}>${value}</${name}>`);
    const strength = '<iteration><number>3</number><team_strength>0.5</team_strength></iteration>';
    const all = `${body.join('')}<iteration_strengths>${strength}</iteration_strengths>`;
    const answer = await change(ada, projectId, all);
    assertStatus(answer, 200);
    const read = await settings(projectId);
    for (const each of [answer, read]) {
      for (const [name, value] of Object.entries(fields)) assert.equal(textOf(each, name), value, name);
      assert.deepEqual([textOf(each, 'number'), textOf(each, 'team_strength')], ['3', '0.5']);
      assert.equal(textOf(each, 'own_role'), 'Owner');
    }
    assert.equal(answer.headers.get('etag'), read.headers.get('etag'));
    const project = await ada.get(`/projects/${projectId}`);
    assert.deepEqual([textOf(project, 'name'), textOf(project, 'point_scale')], ['Gemini', '0,1,2,4,8']);
    assert.doesNotMatch(project.text, /web_hook|s3cret/);
  });

  it('stay as they are where nothing is said of them, and some can be taken back', async () => {
    const start = '<start_date>2026/01/07</start_date><point_scale>0,2</point_scale>';
    const projectId = await newProject(ada, 'Kept', start);
    const strength = (value: string) =>
      `<iteration_strengths><iteration><number>2</number><team_strength>${value}</team_strength></iteration></iteration_strengths>`;
    await change(ada, projectId, `<web_hook_url>${HOOK}</web_hook_url>${strength('0.5')}`);
    const before = await settings(projectId);
    assertStatus(await change(ada, projectId, '<initial_velocity>7</initial_velocity>'), 200);
    const after = await settings(projectId);
    assert.equal(after.text, before.text.replace('<initial_velocity>10<', '<initial_velocity>7<'));
    await change(ada, projectId, `<start_date/><web_hook_url/>${strength('1')}`);
    const cleared = await settings(projectId);
    assert.deepEqual(texts(cleared, 'start_date'), []);
    assert.equal(textOf(cleared, 'web_hook_url'), '');
    assert.deepEqual(texts(cleared, 'team_strength'), []);
  });

  it('are refused together, each at its element, with nothing changed', async () => {
    const projectId = await newProject(ada);
    const before = (await settings(projectId)).text;
    const strength = '<iteration><number>0</number><team_strength>11</team_strength></iteration>';
    const answer = await change(
      ada,
      projectId,
      [
        '<name> </name><point_scale>3,1</point_scale><iteration_length>many</iteration_length>',
        '<week_start_day>Moonday</week_start_day><start_date>soon</start_date><velocity_scheme>none</velocity_scheme>',
        '<initial_velocity>0.5</initial_velocity><web_hook_url>ftp://x</web_hook_url>',
        `<web_hook_secret>short</web_hook_secret><iteration_strengths>${strength}</iteration_strengths>`,
        '<number_of_done_iterations_to_show>-1</number_of_done_iterations_to_show>',
      ].join(''),
    );
    assertStatus(answer, 422);
    const fields = fieldsOf(answer);
    assert.deepEqual(Object.keys(fields).toSorted(), [
      ...['initial_velocity', 'iteration_length', 'iteration_strengths', 'name', 'number_of_done_iterations_to_show'],
      ...['point_scale', 'start_date', 'velocity_scheme', 'web_hook_secret', 'web_hook_url', 'week_start_day'],
    ]);
    assert.equal(fields.point_scale, 'A point scale is a list of ascending whole numbers such as 0,1,2,3.');
    assert.equal(fields.iteration_length, 'An iteration lasts from 1 to 4 weeks.');
    assert.equal((await settings(projectId)).text, before);
    assert.deepEqual(Object.keys(fieldsOf(await change(ada, projectId, '<point_scale/>'))), ['point_scale']);
  });

  it('are told in the activity, without what opens the web hook', async () => {
    const projectId = await newProject(ada);
    await change(ada, projectId, `<point_scale>0,1</point_scale><initial_velocity>4</initial_velocity>`);
    await change(ada, projectId, `<web_hook_url>${HOOK}</web_hook_url>`);
    await change(ada, projectId, '<name>Apollo</name>');
    const activities = await ada.get(`/projects/${projectId}/activities`);
    assert.deepEqual(texts(activities, 'description'), [
      'Ada changed the web hook',
      'Ada changed the point scale and the initial velocity',
    ]);
    assert.deepEqual(texts(activities, 'event_type'), ['project_update', 'project_update']);
    assert.equal(textOf(await ada.get(`/projects/${projectId}`), 'last_activity_at'), '2026/01/05 01:00:00 UTC');
  });

  it('change the plan at once', async () => {
    const projectId = await plannedProject();
    await change(ada, projectId, '<initial_velocity>6</initial_velocity>');
    assert.deepEqual(await planned(projectId), ['1: AB', '2: C']);
    const strength = '<iteration><number>1</number><team_strength>0</team_strength></iteration>';
    await change(ada, projectId, `<iteration_strengths>${strength}</iteration_strengths>`);
    assert.deepEqual(await planned(projectId), ['1: ', '2: AB', '3: C']);
  });

  it('tell beforehand which stories would change their iteration, and change nothing', async () => {
    const projectId = await plannedProject();
    const before = (await settings(projectId)).text;
    const dry = await change(ada, projectId, '<initial_velocity>6</initial_velocity>', '?dry_run=true');
    assertStatus(dry, 200);
    assert.match(dry.text, /<plan_change>/);
    assert.deepEqual(texts(dry, 'name'), ['B', 'C']);
    assert.deepEqual(texts(dry, 'former_iteration_number'), ['2', '3']);
    assert.deepEqual(texts(dry, 'iteration_number'), ['1', '2']);
    assert.deepEqual([textOf(dry, 'former_velocity'), textOf(dry, 'current_velocity')], ['3', '6']);
    assert.equal(textOf(dry, 'story_count'), '2');
    const renamed = await change(ada, projectId, '<name>X</name>', '?dry_run=true');
    assert.equal(textOf(renamed, 'story_count'), '0');
    assertRefused(
      await change(ada, projectId, '<initial_velocity>0</initial_velocity>', '?dry_run=true'),
      422,
      /velocity/,
    );
    assert.equal((await settings(projectId)).text, before);
    assert.deepEqual(await planned(projectId), ['1: A', '2: B', '3: C']);
  });

  it('tell beforehand how many stories would have estimates beside the scale, of those that are not accepted', async () => {
    const projectId = await plannedProject();
    const accepted = '<current_state>accepted</current_state>';
    for (const rest of ['', accepted]) await newStory(ada, projectId, 'Two', `<estimate>2</estimate>${rest}`);
    const offScale = async (scale: string) => {
      const dry = await change(ada, projectId, `<point_scale>${scale}</point_scale>`, '?dry_run=true');
      return [textOf(dry, 'off_scale_count'), textOf(dry, 'story_count')];
    };
    assert.deepEqual(await offScale('0,1,3'), ['1', '0']);
    assert.deepEqual(await offScale('0,1,2'), ['3', '0']);
    assert.deepEqual(await offScale('0,1,2,3,5'), ['0', '0']);
  });

  it('count no accepted story among those that change their iteration', async () => {
    const projectId = await plannedProject();
    assertStatus(await change(ada, projectId, '<start_date type="datetime">2026/01/05 00:00:00 UTC</start_date>'), 200);
    now += 7 * 24 * 3_600_000;
    await newStory(ada, projectId, 'Done', '<estimate>3</estimate><current_state>accepted</current_state>');
    now += 2 * 7 * 24 * 3_600_000;
    const dry = await change(ada, projectId, '<iteration_length>4</iteration_length>', '?dry_run=true');
    assert.deepEqual(texts(dry, 'name'), ['A', 'B', 'C']);
    assert.equal(textOf(dry, 'story_count'), '3');
  });

  it('are not overwritten by who has not seen them', async () => {
    const projectId = await newProject(ada);
    const tag = (await settings(projectId)).headers.get('etag') ?? '';
    await newStory(ada, projectId, 'Not a setting', '<labels>new</labels>');
    assertStatus(await ifMatch(projectId, tag, '<initial_velocity>5</initial_velocity>'), 200);
    assertStatus(await ifMatch(projectId, tag, '<initial_velocity>6</initial_velocity>'), 412);
    assert.equal(textOf(await settings(projectId), 'initial_velocity'), '5');
    const next = (await settings(projectId)).headers.get('etag') ?? '';
    assertStatus(await ifMatch(projectId, next, '<initial_velocity>6</initial_velocity>'), 200);
  });

  it('are read by members, changed by owners, and not there for others', async () => {
    const projectId = await sharedProject();
    await change(ada, projectId, `<web_hook_url>${HOOK}</web_hook_url>`);
    const integrationId = await newIntegration(ada, projectId);
    const membershipId = idOf(await ada.get(`/projects/${projectId}/memberships`));
    const project = `/projects/${projectId}`;
    const asked = async (user: TestUser) => {
      const role = '<membership><role>Owner</role></membership>';
      const integration = '<integration><name>Issues</name></integration>';
      const answers = [
        await settings(projectId, user),
        await change(user, projectId, '<initial_velocity>9</initial_velocity>'),
        await change(user, projectId, '<initial_velocity>9</initial_velocity>', '?dry_run=true'),
        await user.put(`${project}/memberships/${membershipId}`, role),
        await user.post(`${project}/integrations`, integration),
        await user.put(`${project}/integrations/${integrationId}`, integration),
        await user.delete(`${project}/integrations/${idOf(await ada.post(`${project}/integrations`, integration))}`),
      ];
      return answers.map(({ status }) => status);
    };
    assert.deepEqual(await asked(ada), [200, 200, 200, 200, 200, 200, 200]);
    for (const user of [mary, vera]) assert.deepEqual(await asked(user), [200, 403, 403, 403, 403, 403, 403]);
    for (const user of [stranger, gone]) {
      assert.deepEqual(await asked(user), [404, 404, 404, 404, 404, 404, 404]);
      assertNotFound(await settings(projectId, user));
    }
    for (const user of [mary, vera]) assert.doesNotMatch((await settings(projectId, user)).text, /web_hook|s3cret/);
    assert.equal(textOf(await settings(projectId, vera), 'own_role'), 'Viewer');
  });

  it('are read and changed by the client, which is told what is wrong with which field', async () => {
    const projectId = await plannedProject();
    const { tracker } = trackerFor(service.url, { token: async () => ada.token });
    try {
      const { value, tag = '' } = await tracker.getProjectSettings(projectId);
      assert.deepEqual([value.name, value.initialVelocity, value.role, value.webHookUrl], ['Planned', 3, 'Owner', '']);
      const { count, stories } = await tracker.planAfterEdit(projectId, { initialVelocity: 6 });
      assert.deepEqual(
        [count, stories.map(({ name, from, to }) => [name, from, to])],
        [
          2,
          [
            ['B', 2, 1],
            ['C', 3, 2],
          ],
        ],
      );
      const strengths = [{ number: 4, teamStrength: 0.5, length: 2 }];
      const edit = { initialVelocity: 6, startDate: zonedDate(START), strengths, webHookUrl: HOOK };
      const changed = await tracker.updateProject(projectId, edit, { ifMatch: tag });
      assert.deepEqual(changed.value.strengths, strengths);
      assert.deepEqual([changed.value.initialVelocity, changed.value.webHookUrl], [6, HOOK]);
      assert.deepEqual(await tracker.getProjectSettings(projectId), changed);
      await assert.rejects(tracker.updateProject(projectId, { name: 'X' }, { ifMatch: tag }), { kind: 'conflict' });
      const wrong = { name: '', pointScale: [2, 1], strengths: [{ number: 0, teamStrength: 1 }] };
      await assert.rejects(tracker.updateProject(projectId, wrong), (error: TrackerError) => {
        assert.deepEqual(
          error.fields.map(({ field }) => field),
          ['name', 'pointScale', 'strengths'],
        );
        return error.kind === 'refused';
      });
      const cleared = await tracker.updateProject(projectId, { startDate: null });
      assert.equal(cleared.value.startDate, undefined);
      const added = await tracker.addIntegration(projectId, { name: 'Bugs', baseUrl: 'https://bugs.example.org/' });
      const retired = await tracker.updateIntegration(projectId, added.id, { active: false });
      assert.deepEqual(retired, { ...added, active: false });
      await assert.rejects(tracker.updateIntegration(projectId, added.id, { baseUrl: 'x' }), (error: TrackerError) => {
        assert.deepEqual(
          error.fields.map(({ field }) => field),
          ['baseUrl'],
        );
        return true;
      });
      assert.equal((await tracker.removeIntegration(projectId, added.id)).name, 'Bugs');
      const person = { email: mary.email };
      const { id } = await tracker.addMembership(projectId, { role: 'Viewer', person });
      assert.equal((await tracker.updateMembership(projectId, id, 'Owner')).role, 'Owner');
      assert.equal(await tracker.giveNameTo(projectId, id, { name: 'Nobody', isTrial: true }), 0);
      assert.equal(await tracker.giveNameTo(projectId, id, { name: 'Nobody' }), 0);
    } finally {
      await tracker.close();
    }
  });

  it('say of the web hook whether it is signed, and never with what', async () => {
    const projectId = await newProject(ada);
    assert.equal(textOf(await settings(projectId), 'web_hook_signed'), 'false');
    const secret = 'correct horse battery';
    const answer = await change(ada, projectId, `<web_hook_secret>${secret}</web_hook_secret>`);
    assert.equal(textOf(answer, 'web_hook_signed'), 'true');
    assert.doesNotMatch(answer.text, /horse/);
    assert.equal(textOf(await change(ada, projectId, '<web_hook_secret/>'), 'web_hook_signed'), 'false');
  });

  it('match a name that an import kept to a member', async () => {
    const table = [
      'Id,Title,Current State,Requested By,Owned By,Comment',
      '9001,One,unstarted,Ben Bitdiddle,Ben Bitdiddle,"Yes (Ben Bitdiddle - Jan 6, 2026)"',
      '9002,Two,unstarted,Ada,,"No (Ben Bitdiddle - Jan 6, 2026)"',
      '9003,Three,unstarted,Alyssa,Ada,',
    ].join('\n');
    const options = { method: 'POST', token: ada.token, body: table, headers: { 'Content-Type': 'text/csv' } };
    const projectId = idOf(await request(`${service.url}/services/v3/imports?project_name=Moved`, options));
    const ben = await service.user('Ben');
    const benId = await addMember(ada, projectId, ben, 'Member');
    await addMember(ada, projectId, vera, 'Viewer');
    const names = async (user = ada) => {
      const told = /<kept_names[\s\S]*<\/kept_names>/.exec((await settings(projectId, user)).text)?.[0] ?? '';
      return [texts({ text: told }, 'name'), texts({ text: told }, 'stories')];
    };
    assert.deepEqual(await names(), [
      ['Alyssa', 'Ben Bitdiddle'],
      ['1', '1'],
    ]);
    assert.deepEqual(await names(vera), [[], []], 'only owners are told');

    const path = `/projects/${projectId}/memberships/${benId}`;
    const wanted = '<membership><kept_name>Ben Bitdiddle</kept_name></membership>';
    const before = (await ada.get(`/projects/${projectId}/stories`)).text;
    const trial = await ada.put(`${path}?dry_run=true`, wanted);
    assert.deepEqual([textOf(trial, 'named_stories'), textOf(trial, 'name')], ['2', 'Ben']);
    assert.equal((await ada.get(`/projects/${projectId}/stories`)).text, before);
    for (const query of ['', '?dry_run=true']) assertStatus(await ben.put(path + query, wanted), 403);
    const both = '<membership><role>Owner</role><kept_name>Ben Bitdiddle</kept_name></membership>';
    assertStatus(await ada.put(path, both), 422);
    assertStatus(await ada.put(path, '<membership><kept_name/></membership>'), 422);
    assertStatus(await ada.put(`${path}?dry_run=true`, '<membership><role>Owner</role></membership>'), 422);
    assertStatus(await ben.put(`/projects/${projectId}`, '<project><name>X</name></project>'), 403);
    assertNotFound(await ada.put(`${path}99`, wanted));

    assert.equal(textOf(await ada.put(path, wanted), 'named_stories'), '2');
    const stories = await ada.get(`/projects/${projectId}/stories`);
    assert.deepEqual(texts(stories, 'requested_by'), ['Ben', 'Ada', 'Alyssa']);
    assert.deepEqual(texts(stories, 'owned_by'), ['Ben', 'Ada']);
    assert.deepEqual(texts(stories, 'author'), ['Ben', 'Ben']);
    assert.deepEqual(texts(await ben.get(`/projects/${projectId}/stories?filter=owner:Ben`), 'name'), ['One']);
    assert.equal(textOf(await settings(projectId), 'owned_stories'), '1', 'they are Ada’s');
    assert.deepEqual(await names(), [['Alyssa'], ['1']]);
    const [told] = texts(await ada.get(`/projects/${projectId}/activities`), 'description');
    assert.equal(told, 'Ada matched "Ben Bitdiddle" in 2 stories to "Ben"');
    assert.equal(textOf(await ada.put(path, wanted), 'named_stories'), '0');
  });

  it('call a member who was added by an address alone by the name that an import kept, until they have one', async () => {
    const table = 'Id,Title,Requested By\n9101,One,Cy Fect\n9102,Two,Fect\n';
    const options = { method: 'POST', token: ada.token, body: table, headers: { 'Content-Type': 'text/csv' } };
    const projectId = idOf(await request(`${service.url}/services/v3/imports?project_name=Kept`, options));
    const memberships = `/projects/${projectId}/memberships`;
    const person = '<membership><person><email>cy@example.org</email></person><role>Member</role></membership>';
    const path = `${memberships}/${idOf(await ada.post(memberships, person))}`;
    await newStory(ada, projectId, 'Three', '<owned_by>cy@example.org</owned_by>');
    const kept = (name: string) => `<membership><kept_name>${name}</kept_name></membership>`;
    assert.equal(textOf(await ada.put(path, kept('Cy Fect')), 'name'), 'Cy Fect');
    assert.equal(textOf(await ada.put(path, kept('Fect')), 'name'), 'Cy Fect', 'they have a name now');
    const stories = await ada.get(`/projects/${projectId}/stories`);
    assert.deepEqual(texts(stories, 'requested_by'), ['Ada', 'Cy Fect', 'Cy Fect']);
    assert.deepEqual(texts(stories, 'owned_by'), ['Cy Fect']);
    assert.match((await ada.get(memberships)).text, /<name>Cy Fect<\/name>\s*<initials>CF</);
  });

  it('hold the members, with their roles and what they have to do', async () => {
    const projectId = await newProject(ada);
    const maryId = await addMember(ada, projectId, mary, 'Member');
    for (const name of ['One', 'Two']) await newStory(ada, projectId, name, `<owned_by>${mary.name}</owned_by>`);
    const own = `<owned_by>${mary.name}</owned_by><estimate>1</estimate><current_state>accepted</current_state>`;
    await newStory(ada, projectId, 'Done', own);
    assert.deepEqual(texts(await settings(projectId), 'owned_stories'), ['0', '2']);
    const path = `/projects/${projectId}/memberships/${maryId}`;
    const role = (name: string) => `<membership><role>${name}</role></membership>`;
    assert.equal(textOf(await ada.put(path, role('Owner')), 'role'), 'Owner');
    assert.deepEqual(fieldsOf(await ada.put(path, role('Captain'))), {
      role: 'A role must be one of Owner, Member, Viewer.',
    });
    assertStatus(await ada.put(path, role('Member')), 200);
    const adaPath = `/projects/${projectId}/memberships/${idOf(await ada.get(`/projects/${projectId}/memberships`))}`;
    assertRefused(await ada.put(adaPath, role('Viewer')), 422, /only owner/);
    assertRefused(await ada.delete(`${adaPath}?dry_run=true`), 422, /only owner/);
    assertNotFound(await ada.put(`/projects/${projectId}/memberships/999999`, role('Viewer')));
    const dry = await ada.delete(`${path}?dry_run=true`);
    assert.equal(textOf(dry, 'owned_stories'), '2');
    assertStatus(await mary.get(`/projects/${projectId}`), 200);
    assert.equal(textOf(await ada.delete(path), 'owned_stories'), '2');
    assertStatus(await mary.get(`/projects/${projectId}`), 404);
  });

  it('hold the integrations, which are added, changed, retired, and removed while unused', async () => {
    const projectId = await newProject(ada);
    const url = 'https://jira.example.org/browse/';
    const jira = `<type>JIRA</type><field_name>jira_id</field_name><base_url>${url}</base_url>`;
    const id = await newIntegration(ada, projectId, 'Issues', jira);
    const story = await newStory(ada, projectId, 'Linked', '<jira_id>AB-1</jira_id>');
    const linked = () => ada.get(`/projects/${projectId}/stories/${story}`);
    assert.equal(textOf(await linked(), 'jira_url'), `${url}AB-1`);
    const path = `/projects/${projectId}/integrations/${id}`;
    const edit = (fields: string) => ada.put(path, `<integration>${fields}</integration>`);
    const changed = await edit('<name>Bugs</name><base_url>https://bugs.example.org/</base_url>');
    assert.deepEqual(
      ['name', 'type', 'field_name', 'field_label', 'base_url', 'active', 'story_count'].map((name) =>
        textOf(changed, name),
      ),
      ['Bugs', 'JIRA', 'jira_id', 'Issues', 'https://bugs.example.org/', 'true', '1'],
    );
    assert.equal(textOf(await linked(), 'jira_url'), 'https://bugs.example.org/AB-1');
    assertRefused(await ada.delete(path), 422, /1 story has a ticket of this integration\. Retire it/);
    assert.equal(textOf(await edit('<active>false</active>'), 'active'), 'false');
    assert.equal(textOf(await linked(), 'jira_id'), 'AB-1');
    const other = `/projects/${projectId}/stories/${await newStory(ada, projectId, 'Late')}`;
    assertStatus(await ada.put(other, '<story><jira_id>AB-2</jira_id></story>'), 422);
    const wrong = '<name/><field_name>Jira</field_name><base_url>javascript:alert(1)</base_url>';
    const refused = await ada.post(`/projects/${projectId}/integrations`, `<integration>${wrong}</integration>`);
    assert.deepEqual(Object.keys(fieldsOf(refused)).toSorted(), ['base_url', 'field_name', 'name']);
    const unused = `/projects/${projectId}/integrations/${await newIntegration(ada, projectId, 'Unused')}`;
    assert.equal(textOf(await ada.delete(unused), 'name'), 'Unused');
    assertNotFound(await ada.delete(unused));
    assert.equal(textOf(await settings(projectId), 'story_count'), '1');
  });
});
