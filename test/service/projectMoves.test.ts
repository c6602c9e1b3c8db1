import assert from 'node:assert/strict';
import { MAX_LABELS_OF_PROJECT } from '../../src/core/limits.ts';
import { addIntegration } from '../../src/service/store/projects/projectParts.ts';
import { addMember, newProject, newStory, storyNames } from './support/project.ts';
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

const HOUR = 3_600_000;
const UNSTARTED = '<current_state>unstarted</current_state>';

describe('a story that moves to another project', () => {
  let service: TestService;
  let ada: TestUser;
  let grace: TestUser;
  let now = Date.UTC(2026, 0, 5);
  let apollo: number;
  let gemini: number;

  before(async () => {
    service = await startTestService({ clock: () => now });
    ada = await service.user('Ada Lovelace');
    grace = await service.user('Grace Hopper');
  });
  beforeEach(async () => {
    now += HOUR; // So many projects are more than one makes in an hour.
    apollo = await newProject(ada);
    gemini = await newProject(ada, 'Gemini');
  });
  after(() => service.stop());

  const at = (projectId: number, storyId: number) => `/projects/${projectId}/stories/${storyId}`;
  const to = (projectId: number) => `<project_id type="integer">${projectId}</project_id>`;
  const move = (storyId: number, more = '', user = ada) =>
    user.put(at(apollo, storyId), `<story>${to(gemini)}${more}</story>`);
  const newest = async (projectId: number) => (await ada.get(`/projects/${projectId}/activities?limit=1`)).text;

  it('takes its number, comments, tasks, files and commits along', async () => {
    const storyId = await newStory(ada, apollo, 'Land', '<labels>moon,dust</labels><description>Softly</description>');
    await addMember(ada, apollo, grace, 'Member');
    assertStatus(await grace.post(`${at(apollo, storyId)}/notes`, '<note><text>Mind the dust</text></note>'), 200);
    assertStatus(await ada.post(`${at(apollo, storyId)}/tasks`, '<task><description>Brake</description></task>'), 200);
    const form = new FormData();
    form.set('Filedata', new Blob(['four']), 'plan.txt');
    const attachmentId = idOf(await ada.post(`${at(apollo, storyId)}/attachments`, form));
    const commit = `<source_commit><message>[#${storyId}] Legs</message><commit_id>c1</commit_id></source_commit>`;
    assertStatus(await ada.post('/source_commits', commit), 200);
    const before = (await ada.get(at(apollo, storyId))).text;

    const answer = await move(storyId);
    assertStatus(answer, 200);
    const volatile = /<(project_id|updated_at|rank)\b[^>]*>[^<]*/g;
    assert.equal(answer.text.replace(volatile, '<$1>'), before.replace(volatile, '<$1>'), 'but for where it is');
    assert.equal(textOf(answer, 'project_id'), String(gemini));
    assert.equal((await ada.get(at(gemini, storyId))).text, answer.text);
    assert.equal(textOf(await ada.get(`${at(gemini, storyId)}/notes`), 'author'), 'Grace Hopper');
    assert.equal(textOf(await ada.get(`${at(gemini, storyId)}/tasks`), 'description'), 'Brake');
    const url = textOf(await ada.get(`${at(gemini, storyId)}/attachments/${attachmentId}`), 'url');
    assert.equal((await request(url.replaceAll('&amp;', '&'))).text, 'four');
    assert.deepEqual(texts(await ada.post('/source_commits', commit), 'noted_at'), [], 'the commit is linked already');

    for (const end of ['', '/notes', '/tasks', `/attachments/${attachmentId}`]) {
      assertNotFound(await ada.get(at(apollo, storyId) + end));
    }
    assertNotFound(await ada.delete(at(apollo, storyId)));
    assert.equal(textOf(await ada.get(`/projects/${apollo}`), 'labels'), '');
    assert.equal(textOf(await ada.get(`/projects/${gemini}`), 'labels'), 'dust,moon');
    assertNotFound(await grace.get(at(gemini, storyId)));
  });

  it('leaves nothing behind in any table', async () => {
    const storyId = await newStory(ada, apollo, 'Land', '<labels>moon</labels>');
    assertStatus(await ada.post(`${at(apollo, storyId)}/notes`, '<note><text>x</text></note>'), 200);
    const commit = `<source_commit><message>[#${storyId}] x</message><commit_id>c2</commit_id></source_commit>`;
    assertStatus(await ada.post('/source_commits', commit), 200);
    await service.running.database.write(async (tx) => {
      const { id: userId } = await tx.selectFrom('users').select('id').limit(1).executeTakeFirstOrThrow();
      const reply = { projectId: apollo, storyId, userId, messageHash: 'x', receivedAt: 0 };
      await tx.insertInto('mailReplies').values(reply).execute();
      const mapping = { projectId: apollo, externalId: '7', storyId, digest: '', place: 0 };
      await tx.insertInto('importedStories').values(mapping).execute();
    });
    assertStatus(await move(storyId), 200);
    const left = await service.running.database.read(async (tx) => {
      const tables = await tx.introspection.getTables();
      const found: string[] = [];
      for (const { name, columns } of tables) {
        if (!['projectId', 'storyId'].every((wanted) => columns.some((column) => column.name === wanted))) continue;
        const query = tx
          .selectFrom(name as 'notes')
          .selectAll()
          .where('storyId', '=', storyId);
        const rows = await query.where('projectId', '<>', gemini).execute();
        if (rows.length > 0) found.push(name);
      }
      assert.ok(tables.length > 15);
      return found;
    });
    assert.deepEqual(left, []);
  });

  it('stands at the end of the list that it was in, and both projects are right at once', async () => {
    const add = (projectId: number, name: string, fields: string) => newStory(ada, projectId, name, fields);
    await add(gemini, 'B1', UNSTARTED);
    await add(gemini, 'I1', '');
    const done = '<estimate>1</estimate><current_state>accepted</current_state>';
    const [backlog, icebox, accepted] = [
      await add(apollo, 'B2', UNSTARTED),
      await add(apollo, 'I2', ''),
      await add(apollo, 'A', done),
    ];
    await add(apollo, 'Rest', UNSTARTED);
    const lists = [`/projects/${gemini}/stories`, `/projects/${apollo}/iterations/current_backlog`];
    for (const list of lists) assertStatus(await ada.get(list), 200);
    for (const storyId of [backlog, icebox, accepted]) assertStatus(await move(storyId), 200);
    assert.deepEqual((await storyNames(ada, gemini)).sort(), ['A', 'B1', 'B2', 'I1', 'I2']);
    assert.deepEqual(await storyNames(ada, gemini, '?filter=state:unstarted'), ['B1', 'B2']);
    assert.deepEqual(await storyNames(ada, gemini, '?filter=state:unscheduled'), ['I1', 'I2']);
    assert.equal(textOf(await ada.get(at(gemini, accepted)), 'current_state'), 'accepted');
    assert.deepEqual(await storyNames(ada, apollo), ['Rest']);
    assert.deepEqual(texts(await ada.get(`/projects/${apollo}/iterations`), 'name'), ['Rest']);
  });

  it('is changed by the same request, by the rules of its new project', async () => {
    const fields = '<estimate>3</estimate><labels>a</labels><requested_by>Ada Lovelace</requested_by>';
    const storyId = await newStory(ada, apollo, 'Land', fields);
    await addMember(ada, gemini, grace, 'Member');
    const edit = `<name>Return</name><labels>b,c</labels><owned_by>Grace Hopper</owned_by>${UNSTARTED}`;
    const answer = await move(storyId, `${edit}<estimate>1</estimate>`);
    const told = ['name', 'labels', 'owned_by', 'current_state', 'estimate'].map((name) => textOf(answer, name));
    assert.deepEqual(told, ['Return', 'b,c', 'Grace Hopper', 'unstarted', '1']);
    assert.equal(textOf(await ada.get(`/projects/${gemini}`), 'labels'), 'b,c');
    assertRefused(
      await ada.put(at(gemini, storyId), `<story>${to(apollo)}<owned_by>grace hopper</owned_by><name> </name></story>`),
      422,
      /needs a name/,
    );
    const back = await ada.put(at(gemini, storyId), `<story>${to(apollo)}</story>`);
    assert.equal(textOf(back, 'owned_by'), 'Grace Hopper', 'who is named stays named');
  });

  it('may be sent whole, as parameters and as JSON; the same project_id is no move', async () => {
    const storyId = await newStory(ada, apollo, 'Land', '<estimate>2</estimate><labels>a</labels>');
    const version = textOf({ text: await newest(apollo) }, 'version');
    const whole = (await ada.get(at(apollo, storyId))).text;
    assertStatus(await ada.put(at(apollo, storyId), whole), 200);
    assert.equal(textOf({ text: await newest(apollo) }, 'version'), version);
    const dashed = whole
      .replace(/(<\/?)([a-z_]+)/g, (_, open: string, name: string) => open + name.replaceAll('_', '-'))
      .replace(`>${apollo}</project-id>`, `>${gemini}</project-id>`);
    assert.equal(textOf(await ada.put(at(apollo, storyId), dashed), 'project_id'), String(gemini));
    assert.equal(
      textOf(await ada.put(`${at(gemini, storyId)}?story[project_id]=${apollo}`), 'project_id'),
      String(apollo),
    );
    const json = JSON.stringify({ story: { project_id: gemini } });
    assert.equal(textOf(await ada.put(at(apollo, storyId), json), 'project_id'), String(gemini));
  });

  it('is told of as deleted to who follows the old project, and as new to who follows the new one', async () => {
    const storyId = await newStory(ada, apollo, 'Land', '<estimate>2</estimate><labels>a</labels>');
    assertStatus(await ada.post(`${at(apollo, storyId)}/notes`, '<note><text>Said there</text></note>'), 200);
    assertStatus(await move(storyId, '<name>Return</name>'), 200);
    const [left, come] = [await newest(apollo), await newest(gemini)];
    const told = (text: string) => ['event_type', 'description', 'project_id'].map((name) => textOf({ text }, name));
    assert.deepEqual(told(left), ['story_delete', 'Ada Lovelace moved "Land" to another project', String(apollo)]);
    const here = 'Ada Lovelace moved "Return" here from another project';
    assert.deepEqual(told(come), ['story_create', here, String(gemini)]);
    assert.ok(Number(textOf({ text: come }, 'version')) > Number(textOf({ text: left }, 'version')));
    assert.ok(come.includes(`<url>${service.url}/services/v3${at(gemini, storyId)}</url>`));
    assert.deepEqual(texts({ text: come }, 'labels'), ['a']);
    assert.equal(come.includes('Said there'), false);
    assert.equal(left.includes('Gemini'), false);
  });

  it('loses its link to a ticket with a word, or gets another in the same request', async () => {
    const integrate = (projectId: number, name: string) =>
      service.running.database.write((tx) =>
        addIntegration(tx, {
          ...{ projectId, type: 'Other', name, fieldName: 'other_id', fieldLabel: name, ticketUrl: null, active: 1 },
        }),
      );
    const desk = await integrate(apollo, 'Desk');
    const counter = await integrate(gemini, 'Counter');
    const linked = (id: number, integrationId: number) =>
      `<other_id>${id}</other_id><integration_id>${integrationId}</integration_id>`;
    const ids: number[] = [];
    for (const name of ['One', 'Two', 'Three', 'Four']) ids.push(await newStory(ada, apollo, name, linked(7, desk)));
    const [one = 0, two = 0, three = 0, four = 0] = ids;
    const isUnlinked = (answer: Answer) => {
      assertStatus(answer, 200);
      assert.deepEqual([...texts(answer, 'other_id'), ...texts(answer, 'integration_id')], []);
    };
    isUnlinked(await move(one));
    assert.match(await newest(gemini), /moved "One" here from another project, without its link to ticket 7</);
    isUnlinked(await move(two, linked(7, desk)));
    const relinked = await move(three, linked(8, counter));
    assert.deepEqual([textOf(relinked, 'other_id'), textOf(relinked, 'integration_id')], ['8', String(counter)]);
    assert.doesNotMatch(await newest(gemini), /without its link/);
    assertRefused(await move(four, linked(9, desk)), 422, /no active integration/);
  });

  it('is refused where it does not fit, and nothing is changed then', async () => {
    gemini = await newProject(
      ada,
      'Narrow',
      '<point_scale>0,1,2,4</point_scale><allow_attachments>false</allow_attachments><enable_tasks>false</enable_tasks>',
    );
    const wide = await newProject(
      ada,
      'Wide',
      '<bugs_and_chores_are_estimatable>true</bugs_and_chores_are_estimatable>',
    );
    const points = await newStory(ada, apollo, 'Points', '<estimate>3</estimate>');
    assertRefused(await move(points), 422, /one of 0, 1, 2, 4/);
    assertStatus(await move(points, '<estimate>4</estimate>'), 200);
    const bug = await newStory(
      ada,
      apollo,
      'Bug',
      '<story_type>bug</story_type><current_state>started</current_state>',
    );
    const widely = (storyId: number, more = '') => ada.put(at(apollo, storyId), `<story>${to(wide)}${more}</story>`);
    assertRefused(await widely(bug), 422, /Stories in the started state must be estimated/);
    assertStatus(await widely(bug, '<estimate>1</estimate>'), 200);
    assertRefused(await ada.put(at(wide, bug), `<story>${to(apollo)}</story>`), 422, /A bug is not estimated/);
    assertStatus(await ada.put(at(wide, bug), `<story>${to(apollo)}<estimate/></story>`), 200);
    const form = new FormData();
    form.set('Filedata', new Blob(['x']), 'x.txt');
    const full = await newStory(ada, apollo, 'Full');
    assertStatus(await ada.post(`${at(apollo, full)}/attachments`, form), 200);
    assertStatus(await ada.post(`${at(apollo, full)}/tasks`, '<task><description>x</description></task>'), 200);
    const versions = [await newest(apollo), await newest(gemini)];
    assertRefused(await move(full), 422, /has attachments, but they are turned off.*has tasks, but they are/s);
    assertRefused(await move(full, '<owned_by>James Kirk</owned_by>'), 422, /attachments/);
    assertStatus(await ada.put(at(apollo, full), `<story>${to(wide)}<title>x</title></story>`), 422);
    assertStatus(await ada.get(at(apollo, full)), 200);
    assert.deepEqual([await newest(apollo), await newest(gemini)], versions);
  });

  it('takes no more labels along than a project may have', async () => {
    const [known, other] = [
      await newStory(ada, apollo, 'Known', '<labels>l7</labels>'),
      await newStory(ada, apollo, 'Other', '<labels>new</labels>'),
    ];
    const labels = Array.from({ length: MAX_LABELS_OF_PROJECT }, (_, index) => ({
      projectId: gemini,
      name: `l${index}`,
    }));
    await service.running.database.write(async (tx) => {
      for (let from = 0; from < labels.length; from += 500)
        await tx
          .insertInto('labels')
          .values(labels.slice(from, from + 500))
          .execute();
    });
    assertStatus(await move(known), 200);
    assertRefused(await move(other), 422, /2,000 different labels/);
    assert.equal(textOf(await ada.get(at(apollo, other)), 'labels'), 'new');
  });

  it('keeps no points that did not count', async () => {
    const wide = await newProject(
      ada,
      'Wide',
      '<bugs_and_chores_are_estimatable>true</bugs_and_chores_are_estimatable>',
    );
    const bug = await newStory(ada, wide, 'Bug', '<story_type>bug</story_type><estimate>3</estimate>');
    await service.running.database.write((tx) =>
      tx.updateTable('projects').set({ bugsAndChoresAreEstimatable: 0 }).where('id', '=', wide).execute(),
    );
    assertStatus(await ada.put(at(wide, bug), `<story>${to(apollo)}</story>`), 200);
    assert.deepEqual(texts(await ada.get(at(apollo, bug)), 'estimate'), []);
  });

  it('moves to one place, whoever moves, edits and deletes it at the same moment, and others the other way', async () => {
    const third = await newProject(ada, 'Mercury');
    const to3 = (from: number, storyId: number, target: number) =>
      ada.put(at(from, storyId), `<story>${to(target)}</story>`);
    for (let times = 0; times < 3; times++) {
      const [one, other] = [
        await newStory(ada, apollo, 'One', UNSTARTED),
        await newStory(ada, gemini, 'Other', UNSTARTED),
      ];
      const answers = await Promise.all([
        to3(apollo, one, gemini),
        to3(gemini, other, apollo),
        to3(apollo, one, third),
        to3(gemini, other, third),
        ada.put(at(apollo, one), '<story><name>Renamed</name></story>'),
        ada.post(`${at(gemini, other)}/notes`, '<note><text>x</text></note>'),
        ...(times === 2 ? [ada.delete(at(apollo, one))] : []),
      ]);
      for (const { status, text } of answers) assert.ok(status === 200 || status === 404, text);
      const moved = (...indexes: readonly number[]) => indexes.filter((index) => answers[index]?.status === 200).length;
      assert.equal(moved(1, 3), 1);
      assert.equal(moved(0, 2, 6), 1);
      const there = async (storyId: number) => {
        const found = await Promise.all([apollo, gemini, third].map((id) => ada.get(at(id, storyId))));
        return found.filter(({ status }) => status === 200).length;
      };
      assert.deepEqual([await there(one), await there(other)], [moved(0, 2), 1]);
    }
  });

  it('moves only where one may write, and nothing is told of projects that one does not see', async () => {
    const storyId = await newStory(ada, apollo, 'Land');
    await addMember(ada, apollo, grace, 'Member');
    const none = await move(storyId, '', grace);
    assertRefused(none, 422, new RegExp(`no project ${gemini}, or you are not a member`));
    for (const id of [gemini + 1, 0, -1, 2 ** 31, 2 ** 53 - 1]) {
      const answer = await grace.put(at(apollo, storyId), `<story>${to(id)}</story>`);
      assertRefused(answer, 422, new RegExp(`no project ${id}, or you are not a member`));
    }
    assertStatus(await grace.put(at(apollo, storyId), `<story>${to(Number.NaN)}</story>`), 400);
    await addMember(ada, gemini, grace, 'Viewer');
    assertRefused(await move(storyId, '', grace), 403, /Viewer/);
    await addMember(ada, gemini, grace, 'Member');
    await addMember(ada, apollo, grace, 'Viewer');
    assertRefused(await move(storyId, '', grace), 403, /Viewer/);
    const stranger = await service.user('Stranger');
    assertNotFound(await move(storyId, '', stranger));
    assert.equal(textOf(await ada.get(at(apollo, storyId)), 'project_id'), String(apollo));
    await addMember(ada, apollo, grace, 'Member');
    assertStatus(await move(storyId, '', grace), 200);
    assertNotFound(await move(storyId, '', grace));
  });
});
