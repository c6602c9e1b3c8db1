import assert from 'node:assert/strict';
import { addIntegration } from '../../src/service/store/projects/projectParts.ts';
import { addMember, newProject, newStory } from './support/project.ts';
import { type Answer, assertStatus, idOf } from './support/request.ts';
import { startTestService, type TestService, type TestUser } from './support/testService.ts';

/** How recordings have an empty list of other things than stories, projects and activities. */
const NOTHING = '<nil-classes type="array"/>';
/** A Tuesday. */
const NOW = Date.UTC(2026, 0, 6, 9, 30, 5);
const MOMENT = '2026/01/06 09:30:05 UTC';

/** Each element in its place, with its type and its text: answers as the document and the recordings have them. */
describe('the whole of an answer', () => {
  let service: TestService;
  let ada: TestUser;
  let projectId: number;
  let deskId: number;
  let storyId: number;
  let memberId: number;
  const ids: Record<string, number> = {};

  before(async () => {
    service = await startTestService({ clock: () => NOW });
    ada = await service.user('Ada Lovelace');
    projectId = await newProject(
      ada,
      'Apollo &amp; S&#246;hne',
      '<start_date type="date">2026/01/05</start_date><iteration_length type="integer">2</iteration_length>' +
        '<point_scale>0,1,2,4</point_scale><initial_velocity>7</initial_velocity>',
    );
    memberId = await addMember(ada, projectId, await service.user('Grace Hopper'), 'Member');
    const desk = { type: 'Other', name: 'Desk', fieldName: 'desk_id', fieldLabel: 'Desk ticket', active: 1 };
    deskId = await service.running.database.write((tx) =>
      addIntegration(tx, { ...desk, projectId, ticketUrl: 'https://desk.example.org/' }),
    );
    const fields =
      '<estimate>2</estimate><current_state>accepted</current_state><description>Two &amp;lt;b&amp;gt;</description>' +
      '<owned_by>Grace Hopper</owned_by><labels>moon,a &amp; b</labels><desk_id>7</desk_id>';
    storyId = await newStory(ada, projectId, 'Land &lt;softly&gt;', fields);
    const form = new FormData();
    form.set('Filedata', new Blob(['four']), 'plan.txt');
    ids.attachment = idOf(await ada.post(story('/attachments'), form));
    ids.note = idOf(await ada.post(story('/notes'), '<note><text>Né à côté</text></note>'));
    ids.task = idOf(await ada.post(story('/tasks'), '<task><description>Brake</description></task>'));
  });
  after(() => service.stop());

  const story = (path = '') => `/projects/${projectId}/stories/${storyId}${path}`;

  /** Values that only we write are not looked at; the elements are. */
  function assertBody(answer: Answer, expected: string): void {
    assertStatus(answer, 200);
    assert.equal(answer.headers.get('content-type'), 'application/xml; charset=utf-8');
    const opaque = answer.text.replace(/<(rank|order_digest)>[^<]+</g, '<$1>…<');
    assert.equal(opaque, `<?xml version="1.0" encoding="UTF-8"?>\n${expected.trim()}\n`);
  }

  const indented = (text: string, by: number) => text.trim().replace(/^/gm, ' '.repeat(by)).trim();

  const noteXml = () => `
<note>
  <id type="integer">${ids.note}</id>
  <text>Né à côté</text>
  <author>Ada Lovelace</author>
  <noted_at type="datetime">${MOMENT}</noted_at>
</note>`;

  const taskXml = () => `
<task>
  <id type="integer">${ids.task}</id>
  <description>Brake</description>
  <position type="integer">1</position>
  <complete type="boolean">false</complete>
  <created_at type="datetime">${MOMENT}</created_at>
</task>`;

  const storyXml = () => `
<story>
  <id type="integer">${storyId}</id>
  <project_id type="integer">${projectId}</project_id>
  <story_type>feature</story_type>
  <url>${service.url}/story/show/${storyId}</url>
  <estimate type="integer">2</estimate>
  <current_state>accepted</current_state>
  <desk_id>7</desk_id>
  <desk_url>https://desk.example.org/7</desk_url>
  <integration_id type="integer">${deskId}</integration_id>
  <description>Two &amp;lt;b&amp;gt;</description>
  <name>Land &lt;softly&gt;</name>
  <requested_by>Ada Lovelace</requested_by>
  <owned_by>Grace Hopper</owned_by>
  <created_at type="datetime">${MOMENT}</created_at>
  <updated_at type="datetime">${MOMENT}</updated_at>
  <accepted_at type="datetime">${MOMENT}</accepted_at>
  <labels>moon,a &amp; b</labels>
  <rank>…</rank>
  <attachments type="array">
    <attachment>
      <id type="integer">${ids.attachment}</id>
      <filename>plan.txt</filename>
      <description/>
      <uploaded_by>Ada Lovelace</uploaded_by>
      <uploaded_at type="datetime">${MOMENT}</uploaded_at>
      <size type="integer">4</size>
    </attachment>
  </attachments>
  <notes type="array">
    ${indented(noteXml(), 4)}
  </notes>
  <tasks type="array">
    ${indented(taskXml(), 4)}
  </tasks>
</story>`;

  const membershipXml = (id: number, role: string, name: string, more = '') => `
<membership>
  <id>${id}</id>
  <person>
    <email>${name.toLowerCase().replace(' ', '.')}@example.org</email>
    <name>${name}</name>
    <initials>${name.replace(/[^A-Z]/g, '')}</initials>
  </person>
  <role>${role}</role>${more}
</membership>`;

  const projectXml = (ownId: number) => `
<project>
  <id>${projectId}</id>
  <name>Apollo &amp; Söhne</name>
  <iteration_length type="integer">2</iteration_length>
  <week_start_day>Monday</week_start_day>
  <point_scale>0,1,2,4</point_scale>
  <account>Story Tracker</account>
  <start_date type="date">2026/01/05</start_date>
  <first_iteration_start_time type="datetime">2026/01/05 00:00:00 UTC</first_iteration_start_time>
  <current_iteration_number type="integer">1</current_iteration_number>
  <enable_tasks type="boolean">true</enable_tasks>
  <velocity_scheme>Average of 3 iterations</velocity_scheme>
  <current_velocity>7</current_velocity>
  <initial_velocity>7</initial_velocity>
  <number_of_done_iterations_to_show>12</number_of_done_iterations_to_show>
  <labels>a &amp; b,moon</labels>
  <last_activity_at type="datetime">${MOMENT}</last_activity_at>
  <allow_attachments>true</allow_attachments>
  <public>false</public>
  <use_https>false</use_https>
  <bugs_and_chores_are_estimatable>false</bugs_and_chores_are_estimatable>
  <commit_mode>false</commit_mode>
  <memberships type="array">
    ${indented(membershipXml(ownId, 'Owner', 'Ada Lovelace'), 4)}
    ${indented(membershipXml(memberId, 'Member', 'Grace Hopper'), 4)}
  </memberships>
  <integrations type="array">
    <integration>
      <id type="integer">${deskId}</id>
      <type>Other</type>
      <name>Desk</name>
      <field_name>desk_id</field_name>
      <field_label>Desk ticket</field_label>
      <active>true</active>
    </integration>
  </integrations>
  <order_digest>…</order_digest>
</project>`;

  it('of a project, alone and in the list', async () => {
    const own = idOf(await ada.get('/memberships'));
    assertBody(await ada.get(`/projects/${projectId}`), projectXml(own));
    assertBody(await ada.get('/projects'), `<projects type="array">\n  ${indented(projectXml(own), 2)}\n</projects>`);
  });

  it('of a story with all it can have, alone, in the list and in its iteration', async () => {
    assertBody(await ada.get(story()), storyXml());
    const list = `<stories type="array" count="1" total="1">\n  ${indented(storyXml(), 2)}\n</stories>`;
    assertBody(await ada.get(`/projects/${projectId}/stories`), list);
    const iterations = `
<iterations type="array">
  <iteration>
    <id type="integer">1</id>
    <number type="integer">1</number>
    <start type="datetime">2026/01/05 00:00:00 UTC</start>
    <finish type="datetime">2026/01/19 00:00:00 UTC</finish>
    <team_strength type="float">1</team_strength>
    <stories type="array">
      ${indented(storyXml(), 6)}
    </stories>
  </iteration>
</iterations>`;
    for (const group of ['', '/current', '/current_backlog'])
      assertBody(await ada.get(`/projects/${projectId}/iterations${group}`), iterations);
    for (const group of ['done', 'backlog'])
      assertBody(await ada.get(`/projects/${projectId}/iterations/${group}`), NOTHING);
  });

  it('of comments, tasks and members', async () => {
    assertBody(await ada.get(story('/notes')), `<notes type="array">\n  ${indented(noteXml(), 2)}\n</notes>`);
    assertBody(await ada.get(story('/tasks')), `<tasks type="array">\n  ${indented(taskXml(), 2)}\n</tasks>`);
    assertBody(await ada.get(story(`/tasks/${ids.task}`)), taskXml());
    const own = idOf(await ada.get('/memberships'));
    const project = `
  <project>
    <id>${projectId}</id>
    <name>Apollo &amp; Söhne</name>
  </project>`;
    const one = membershipXml(own, 'Owner', 'Ada Lovelace', project);
    const two = membershipXml(memberId, 'Member', 'Grace Hopper', project);
    const list = `<memberships type="array">\n  ${indented(one, 2)}\n  ${indented(two, 2)}\n</memberships>`;
    assertBody(await ada.get(`/projects/${projectId}/memberships`), list);
    assertBody(await ada.get(`/projects/${projectId}/memberships/${memberId}`), two);
    assertBody(await ada.get('/memberships'), `<memberships type="array">\n  ${indented(one, 2)}\n</memberships>`);
  });

  it('of activity: who, what, and what changed with its type', async () => {
    const feed = await ada.get('/activities?limit=1');
    const version = /<version type="integer">(\d+)</.exec(feed.text)?.[1];
    assertBody(
      feed,
      `
<activities type="array">
  <activity>
    <id type="integer">${/<id type="integer">(\d+)</.exec(feed.text)?.[1]}</id>
    <version type="integer">${version}</version>
    <event_type>task_create</event_type>
    <occurred_at type="datetime">${MOMENT}</occurred_at>
    <author>Ada Lovelace</author>
    <project_id type="integer">${projectId}</project_id>
    <description>Ada Lovelace added task: "Brake"</description>
    <stories type="array">
      <story>
        <id type="integer">${storyId}</id>
        <url>${service.url}/services/v3/projects/${projectId}/stories/${storyId}</url>
        <tasks type="array">
          ${indented(taskXml(), 10)}
        </tasks>
      </story>
    </stories>
  </activity>
</activities>`,
    );
  });

  it('of a story with as little as it can have, and of what is empty', async () => {
    const id = await newStory(ada, projectId, 'Bare', '<story_type>bug</story_type>');
    const path = `/projects/${projectId}/stories/${id}`;
    const bare = `
<story>
  <id type="integer">${id}</id>
  <project_id type="integer">${projectId}</project_id>
  <story_type>bug</story_type>
  <url>${service.url}/story/show/${id}</url>
  <current_state>unscheduled</current_state>
  <description/>
  <name>Bare</name>
  <requested_by>Ada Lovelace</requested_by>
  <created_at type="datetime">${MOMENT}</created_at>
  <updated_at type="datetime">${MOMENT}</updated_at>
  <rank>…</rank>
</story>`;
    assertBody(await ada.get(path), bare);
    const list = `<stories type="array" count="1" total="1" filter="type:bug">\n  ${indented(bare, 2)}\n</stories>`;
    assertBody(await ada.get(`/projects/${projectId}/stories?filter=type:bug`), list);
    for (const parts of ['notes', 'tasks']) assertBody(await ada.get(`${path}/${parts}`), NOTHING);
    assertStatus(await ada.delete(path), 200);
    const none = '<stories type="array" count="0" total="0" filter="type:bug"></stories>';
    assertBody(await ada.get(`/projects/${projectId}/stories?filter=type:bug`), none);
    const nobody = await service.user('Nobody Yet');
    assertBody(await nobody.get('/memberships'), NOTHING);
    assertBody(await nobody.get('/projects'), '<projects type="array"/>');
    assertBody(await nobody.get('/activities'), '<activities type="array"/>');
    const delivered = await ada.put(`/projects/${projectId}/stories/deliver_all_finished`);
    assertBody(delivered, '<stories type="array" count="0" total="0"></stories>');
  });
});
