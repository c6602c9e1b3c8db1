import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { statSync, watch } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { openAttachmentFiles } from '../../src/service/attachments/openAttachmentFiles.ts';
import {
  integrationsOfProject,
  overridesOfProject,
  setOverride,
} from '../../src/service/store/projects/projectParts.ts';
import { projectById } from '../../src/service/store/projects/projects.ts';
import { setWebHook } from '../../src/service/store/projects/webHook.ts';
import { exportProject } from '../../src/service/transfer/exportProject.ts';
import { importFile } from '../../src/service/transfer/import/importFile.ts';
import { reportText } from '../../src/service/transfer/import/importReport.ts';
import { readText } from '../../src/v3/read.ts';
import { newProject, newStory } from './support/project.ts';
import { assertRefused, assertStatus, idOf, request, textOf, texts } from './support/request.ts';
import { storedFiles } from './support/storedFiles.ts';
import { startTestService, type TestService, type TestUser } from './support/testService.ts';

const now = Date.UTC(2026, 9, 1);

describe('import and export', function () {
  this.timeout(120_000);
  let service: TestService;
  let ada: TestUser;
  let folder: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'story-tracker-transfer-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));
  beforeEach(async () => {
    service = await startTestService();
    ada = await service.user('Ada');
  });
  afterEach(() => service.stop());

  async function importText(
    text: string,
    wishes: Partial<Parameters<typeof importFile>[1]> = {},
    into: TestService = service,
  ) {
    const path = join(folder, 'file');
    await writeFile(path, text);
    const usual = { addsPeople: false, keepsIds: true, isTrial: false, now, onProgress: () => undefined };
    const target = { database: into.running.database, files: await openAttachmentFiles(into) };
    return importFile(target, { path, ...usual, ...wishes });
  }

  async function exported(
    projectId: number,
    format: 'xml' | 'csv' = 'xml',
    from: TestService = service,
  ): Promise<string> {
    const path = join(folder, 'exported');
    await exportProject({ database: from.running.database, folder: from.folder }, { projectId, format, path, now });
    return readFile(path, 'utf8');
  }

  const named = { name: 'Apollo', owner: 'ada@example.org' };
  const columns =
    'Id,Title,Labels,Type,Estimate,Current State,Created at,Accepted at,Requested By,Owned By,Comment,Task,Task Status';
  const table = (...rows: readonly string[]) => [columns, ...rows].join('\n');
  const rows = {
    first:
      '11,First,"a, b",feature,2,accepted,"Jan 5, 2026","Jan 9, 2026",Ada,Bob,"Done (Bob - Jan 9, 2026)",Cut,completed',
    second: '12,Second,b,bug,,started,"Jan 6, 2026",,Ada,,,,',
    third: '13,Third,,feature,3,unstarted,"Jan 7, 2026",,Bob,,,,',
    ice: '14,Ice,,chore,,unscheduled,"Jan 8, 2026",,Ada,,,,',
  };

  async function namesIn(projectId: number): Promise<string> {
    return texts(await ada.get(`/projects/${projectId}/stories`), 'name').join(' ');
  }

  it('keeps order, states, points, days, people, comments and tasks of a table, and the ids', async () => {
    const report = await importText(table(rows.first, rows.second, rows.third, rows.ice), named);
    const { id } = report.project;
    assert.deepEqual([report.created, report.leftOut, report.remarkCount], [4, 0, 0]);
    assert.deepEqual(
      report.people.map(({ name, times, is }) => [name, times, is]),
      [
        ['Ada', 3, 'member'],
        ['Bob', 3, 'text'],
      ],
    );
    assert.equal(await namesIn(id), 'First Second Third Ice');
    const { text } = await ada.get(`/projects/${id}/stories/11`);
    for (const element of [
      '<current_state>accepted</current_state>',
      '<estimate type="integer">2</estimate>',
      '<requested_by>Ada</requested_by>',
      '<owned_by>Bob</owned_by>',
      '<created_at type="datetime">2026/01/05 00:00:00 UTC</created_at>',
      '<accepted_at type="datetime">2026/01/09 00:00:00 UTC</accepted_at>',
      '<labels>a,b</labels>',
      '<text>Done</text>',
      '<author>Bob</author>',
      '<noted_at type="datetime">2026/01/09 00:00:00 UTC</noted_at>',
      '<description>Cut</description>',
      '<complete type="boolean">true</complete>',
    ]) {
      assert.ok(text.includes(element), element);
    }
    const mine = await ada.get(`/projects/${id}/stories?filter=${encodeURIComponent('requester:Ada')}`);
    assert.equal(texts(mine, 'name').join(' '), 'Second Ice');
    const later = await newStory(ada, id, 'Later');
    assert.ok(later > 14);
  });

  const scales: readonly (readonly [points: readonly number[], scale: string])[] = [
    [[], '0,1,2,3'],
    [[1, 3], '0,1,2,3'],
    [[4], '0,1,2,4,8'],
    [[5, 8, 0], '0,1,2,3,5,8'],
    [[13, 4], '0,4,13'],
  ];
  it('gives a new project the point scale that fits the points of a table', async () => {
    for (const [points, scale] of scales) {
      const stories = ['', ...points].map(
        (estimate, index) => `${index + 1},Story,,feature,${estimate},unstarted,,,,,,,`,
      );
      const { project } = await importText(table(...stories), { ...named, name: `Of ${points}` });
      assert.deepEqual(texts(await ada.get(`/projects/${project.id}`), 'point_scale'), [scale], `${points}`);
    }
  });

  it('brings nothing twice, and leaves alone what was done here since', async () => {
    const text = table(rows.first, rows.second, rows.third, rows.ice);
    const { id } = (await importText(text, named)).project;
    await ada.put(`/projects/${id}/stories/13`, '<story><name>Changed here</name></story>');
    await ada.post(`/projects/${id}/stories/13/moves?move[move]=before&move[target]=12`);
    await ada.delete(`/projects/${id}/stories/14`);
    const again = await importText(text, named);
    assert.deepEqual(
      [again.project.id, again.created, again.updated, again.unchanged, again.deleted],
      [id, 0, 0, 3, 1],
    );
    assert.equal(await namesIn(id), 'First Changed here Second');
  });

  it('takes from a newer file what it says anew: fields, order, comments, and new stories in their place', async () => {
    const { id } = (await importText(table(rows.first, rows.second, rows.third, rows.ice), named)).project;
    await ada.post(`/projects/${id}/stories/11/notes`, '<note><text>Ours</text></note>');
    const newer = table(
      rows.third,
      '15,New,,feature,1,unstarted,"Jan 9, 2026",,Ada,,,,',
      rows.first
        .replace('First', 'First of all')

        .replace('"a, b"', 'c'),
      rows.second,
      rows.ice.replace('unscheduled', 'unstarted').replace('Ice', 'Thawed'),
    );
    const report = await importText(newer, named);
    assert.deepEqual([report.created, report.updated, report.unchanged], [1, 2, 2]);
    assert.equal(await namesIn(id), 'Third New First of all Second Thawed');
    const { text } = await ada.get(`/projects/${id}/stories/11`);
    assert.deepEqual(texts({ text }, 'text'), ['Done', 'Ours']);
    assert.deepEqual(texts({ text }, 'labels'), ['c']);
    assert.equal(texts({ text }, 'complete').length, 1);
    assert.equal(texts(await ada.get(`/projects/${id}`), 'labels').join(), 'b,c');
  });

  it('does not bring a story again that moved to another project, nor changes it there', async () => {
    const { id } = (await importText(table(rows.first, rows.second), named)).project;
    const other = idOf(await ada.post('/projects', '<project><name>Gemini</name></project>'));
    const moved = await ada.put(`/projects/${id}/stories/12`, `<story><project_id>${other}</project_id></story>`);
    assert.equal(textOf(moved, 'project_id'), String(other));
    const report = await importText(table(rows.first, rows.second.replace('Second', 'Anew')), named);
    assert.deepEqual([report.created, report.updated, report.deleted], [0, 0, 1]);
    assert.equal(await namesIn(id), 'First');
    assert.equal(await namesIn(other), 'Second');
  });

  it('leaves what was done here where a newer file says nothing new of it', async () => {
    const { id } = (await importText(table(rows.first, rows.second), named)).project;
    await ada.put(`/projects/${id}/stories/12`, '<story><name>Ours</name><owned_by>Ada</owned_by></story>');
    const newer = rows.second.replace(',b,', ',c,').replace('started', 'finished');
    assert.equal((await importText(table(rows.first, newer), named)).updated, 1);
    const story = await ada.get(`/projects/${id}/stories/12`);
    const told = ['name', 'owned_by', 'labels', 'current_state'].map((element) => textOf(story, element));
    assert.deepEqual(told, ['Ours', 'Ada', 'c', 'finished']);
    await importText(table(rows.first, newer.replace('Second', 'Renamed there')), named);
    assert.equal(await namesIn(id), 'First Renamed there');
  });

  it('tells of a newer file that has no more than another order', async () => {
    const { id } = (await importText(table(rows.first, rows.second, rows.third), named)).project;
    const report = await importText(table(rows.second, rows.third, rows.first), named);
    assert.deepEqual([report.unchanged, report.hasMoved], [3, true]);
    assert.equal(await namesIn(id), 'Second Third First');
    const feed = await ada.get(`/projects/${id}/activities`);
    assert.match(texts(feed, 'description')[0] ?? '', /imported a new order of stories$/);
    assert.equal((await importText(table(rows.second, rows.third, rows.first), named)).hasMoved, false);
    assert.equal(texts(await ada.get(`/projects/${id}/activities`), 'event_type').length, 2);
  });

  it('changes nothing on a dry run, and tells the same', async () => {
    const text = table(rows.first, rows.second, '9,Epic,,epic,,unscheduled,,,,,,,');
    const trial = await importText(text, { ...named, isTrial: true });
    assert.equal(texts(await ada.get('/projects'), 'velocity_scheme').length, 0);
    const { project, isTrial, ...report } = await importText(text, named);
    const { project: tried, isTrial: wasTrial, ...told } = trial;
    assert.deepEqual(told, report);
    assert.deepEqual([wasTrial, isTrial, tried.isNew, project.isNew], [true, false, true, true]);
    assert.deepEqual(
      report.remarks.map(({ row, id, column, value }) => [row, id, column, value]),
      [[4, '9', 'Type', 'epic']],
    );
  });

  it('keeps the names of people who are no members, and takes its stories back as they are', async () => {
    const { id } = (await importText(table(rows.first, rows.third), named)).project;
    const path = `/projects/${id}/stories/11`;
    const sent = (await ada.get(path)).text.replace('>First<', '>Renamed<');
    const answer = await ada.put(path, sent);
    assert.deepEqual([textOf(answer, 'name'), textOf(answer, 'owned_by')], ['Renamed', 'Bob']);
    const given = await ada.put(`/projects/${id}/stories/13`, '<story><owned_by>Bob</owned_by></story>');
    assertRefused(given, 422, /owned_by user 'Bob' is not a valid member/);
  });

  it('makes users for people only when it may, without a way to sign in', async () => {
    const report = await importText(table(rows.first, rows.third), { ...named, addsPeople: true });
    assert.deepEqual(
      report.people.map(({ name, is }) => [name, is]),
      [
        ['Ada', 'member'],
        ['Bob', 'added'],
      ],
    );
    const bob = await service.running.database.read((tx) =>
      tx.selectFrom('users').selectAll().where('name', '=', 'Bob').executeTakeFirstOrThrow(),
    );
    assert.deepEqual([bob.password, bob.email], [null, 'bob@imported.invalid']);
    const owned = await ada.get(`/projects/${report.project.id}/stories?filter=owner:Bob includedone:true`);
    assert.deepEqual(texts(owned, 'name'), ['First']);
  });

  it('makes one user for a person in several projects, and takes nobody for them who was there', async () => {
    const wishes = { owner: 'ada@example.org', addsPeople: true };
    const bobIn = async (name: string) =>
      (await importText(table(rows.third), { ...wishes, name })).people.map((person) => `${person.name} ${person.is}`);
    await service.user('Bob');
    assert.deepEqual(
      [await bobIn('Apollo'), await bobIn('Gemini'), await bobIn('Gemini')],
      [['Bob added'], ['Bob joined'], []],
    );
    const users = await service.running.database.read((tx) => tx.selectFrom('users').select('email').execute());
    const bobs = users.map(({ email }) => email).filter((email) => email.startsWith('bob'));
    assert.deepEqual(bobs.sort(), ['bob@example.org', 'bob@imported.invalid']);
  });

  it('takes users for the people of whom it is told who they are, and tells where that may be missing', async () => {
    const bob = await service.user('Robert');
    const text = table(rows.first, rows.third);
    const before = await importText(text, { ...named, addsPeople: true });
    assert.match(reportText(before), /Created users for Bob/);
    const { id } = before.project;
    assert.equal((await bob.get(`/projects/${id}`)).status, 404);
    const persons = new Map([
      ['Bob', 'robert@example.org'],
      ['Rob', 'robert@example.org'],
    ]);
    const after = await importText(text, { ...named, persons });
    assert.deepEqual([after.created, after.updated, after.handedOver, after.notNamed], [0, 0, 2, ['Rob']]);
    assert.match(reportText(after), /What 2 stories said of names before[\s\S]*The file does not mention Rob\./);
    const owned = await bob.get(`/projects/${id}/stories?filter=owner:Robert includedone:true`);
    assert.deepEqual(texts(owned, 'name'), ['First']);
    const members = await ada.get(`/projects/${id}/memberships`);
    assert.deepEqual(texts(members, 'email'), ['ada@example.org', 'robert@example.org']);
    const feed = await bob.get(`/projects/${id}/activities?limit=1`);
    assert.match(feed.text, /Ada imported who is who/);
    const third = await importText(table(rows.first, rows.third), { ...named, name: 'Gemini', persons });
    assert.deepEqual(
      third.people.map((person) => `${person.name} ${person.is}`),
      ['Ada member', 'Bob joined'],
    );
    assert.deepEqual(third.notNamed, ['Rob']);
    await assert.rejects(
      importText(text, { ...named, persons: new Map([['Bob', 'nobody@example.org']]) }),
      /No user has the address nobody@example\.org\./,
    );
  });

  it('leaves a project its owner when someone else turns out to be who it was', async () => {
    const bob = await service.user('Robert');
    const text = table(rows.first, rows.third);
    const { project } = await importText(text, { name: 'Ownerless', addsPeople: true });
    const path = `/projects/${project.id}`;
    await service.running.database.write((tx) =>
      tx.updateTable('memberships').set({ role: 'Owner' }).where('projectId', '=', project.id).execute(),
    );
    const itself = new Map([['Bob', 'bob@imported.invalid']]);
    await importText(text, { projectId: project.id, persons: itself });
    await importText(text, { projectId: project.id, persons: new Map([['Bob', 'robert@example.org']]) });
    const members = await bob.get(`${path}/memberships`);
    const roles = texts(members, 'email').map((email, index) => `${email} ${texts(members, 'role')[index]}`);
    assert.ok(roles.includes('robert@example.org Owner'), roles.join());
    assert.ok(!roles.some((role) => role.startsWith('bob@')));
  });

  it('says of whom it made a second user which user they may be', async () => {
    await service.user('Bob');
    const report = await importText(table(rows.first), { ...named, addsPeople: true });
    assert.match(
      reportText(report),
      /If Bob is the user bob@example\.org, import it again with --person "Bob=bob@example\.org"\./,
    );
  });

  it('adds to a project that is there, behind its stories, under other ids where theirs are taken', async () => {
    const id = await newProject(ada, 'Ours', '<point_scale>0,1,2</point_scale>');
    const own = await newStory(ada, id, 'Own', '<current_state>unstarted</current_state>');
    const text = table(
      rows.third.replace('13', String(own)),
      rows.second.replace('bug', 'feature').replace(',,started', ',,finished'),
    );
    const report = await importText(text, { projectId: id });
    assert.deepEqual([report.created, report.renumbered], [2, 1]);
    assert.equal(await namesIn(id), 'Own Third Second');
    assert.deepEqual(
      report.remarks.map(({ column, value }) => [column, value]),
      [
        ['Estimate', '3'],
        ['Estimate', ''],
      ],
    );
    await assert.rejects(importText(text, { projectId: 999 }), /No project has the ID 999/);
    await assert.rejects(importText(text), /Pass an existing one with --project, or a new one with --name/);
  });

  it('keeps no text so long that clients could not read the project, and loses nothing of comments', async () => {
    const long = (letter: string, length: number) => letter.repeat(length);
    const comment = long('c', 250_000);
    const cells = ['7', 'Long', `"${long('l', 300)}, b"`, 'feature', '1', 'unstarted', '', '', long('r', 300), 'Ada'];
    const row = [...cells, `${comment} (Bob - Jan 9, 2026)`, long('t', 100_001), ''].map((cell) =>
      cell.startsWith('"') || !cell.includes(',') ? cell : `"${cell}"`,
    );
    const report = await importText(table(row.join(',')), named);
    const columnsCut = report.remarks.map(({ column }) => column);
    assert.deepEqual(columnsCut, ['Requested By', 'Labels', 'Task']);
    const { text } = await ada.get(`/projects/${report.project.id}/stories/7`);
    const notes = texts({ text }, 'text');
    assert.deepEqual([notes.join(''), notes.map(({ length }) => length)], [comment, [100_000, 100_000, 50_000]]);
    assert.deepEqual(texts({ text }, 'author'), ['Bob', 'Bob', 'Bob']);
    assert.equal(textOf({ text }, 'labels'), `${long('l', 255)},b`);
    assert.equal(texts({ text }, 'description').at(-1)?.length, 100_000);
    await readText(text);
    const again = await importText(table(row.join(',').replace('Long', 'Longer')), named);
    assert.equal(again.updated, 1);
    assert.equal(texts(await ada.get(`/projects/${report.project.id}/stories/7`), 'text').length, 3);
  });

  it('brings of comments and tasks as many as a story holds, and tells how many it left out', async () => {
    const list = (count: number, item: (index: number) => string) =>
      Array.from({ length: count }, (_, at) => item(at)).join('');
    const note = (text: string) => `<note><id>1</id><text>${text}</text><author>Bob</author></note>`;
    const task = (text: string) => `<task><id>1</id><description>${text}</description></task>`;
    const story = (id: number, name: string, notes: string, tasks = '') =>
      `<story><id type="integer">${id}</id><name>${name}</name>` +
      `<notes type="array">${notes}</notes><tasks type="array">${tasks}</tasks></story>`;
    const file = (name: string, more = 0) => {
      const many = list(1_003 + more, (index) => note(`n${index}`));
      const long = list(12, (index) => note(`${index}${'x'.repeat(89_999)}`));
      const tasks = list(1_002, (index) => task(`t${index}`));
      return `<project><id>77</id><name>Full</name><stories type="array">${story(1, name, many, tasks)}${story(2, name, long)}</stories></project>`;
    };
    const told = (report: Awaited<ReturnType<typeof importText>>) =>
      report.remarks
        .filter(({ column }) => ['Comment', 'Task'].includes(column))
        .map(({ id, column, value }) => [id, column, value]);
    const report = await importText(file('Talk'));
    assert.deepEqual(told(report), [
      ['1', 'Comment', '3 of them'],
      ['1', 'Task', '2 of them'],
      ['2', 'Comment', '1 of them'],
    ]);
    assert.match(
      report.remarks.findLast(({ column }) => column === 'Comment')?.why ?? '',
      /They were left out\. The description, comments and tasks/,
    );
    const { database } = service.running;
    const counts = () =>
      database.read(async (tx) => {
        const held = await tx
          .selectFrom('notes')
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .where('projectId', '=', report.project.id)
          .groupBy('storyId')
          .orderBy('storyId')
          .execute();
        return held.map(({ count }) => Number(count));
      });
    assert.deepEqual(await counts(), [1_000, 11]);
    assert.deepEqual(told(await importText(file('Talked', 1))), [['1', 'Comment', '4 of them']]);
    assert.deepEqual(await counts(), [1_000, 11]);
  });

  it('is known again under another name by its stories, and not for its number only', async () => {
    const dated = (id: number, time: string) =>
      `<story><id type="integer">${id}</id><name>S${id}</name><created_at type="datetime">${time}</created_at></story>`;
    const file = (name: string, ...stories: readonly string[]) =>
      `<project><id>7</id><name>${name}</name><stories type="array">${stories.join('')}</stories></project>`;
    const one = dated(1, '2026/01/05 10:00:01 UTC');
    const first = await importText(file('Apollo', one, dated(2, '2026/01/05 10:00:02 UTC')));
    const renamed = await importText(file('Gemini', dated(3, '2026/01/06 10:00:02 UTC'), one));
    assert.deepEqual([renamed.project.id, renamed.created, renamed.unchanged], [first.project.id, 1, 1]);
    assert.equal((await importText(file('Gemini'))).project.id, first.project.id, 'also under that name from now on');
    const other = await importText(file('Other', dated(1, '2026/01/05 10:00:09 UTC')));
    assert.deepEqual([other.project.isNew, other.created], [true, 1]);
    assert.equal((await importText(file('Empty'))).project.isNew, true);
  });

  it('keeps which iterations differ, and posts activity nowhere but where that is asked for', async () => {
    const id = await newProject(ada, 'Ours');
    const url = 'https://ci.example.org/activity?key=k';
    await service.running.database.write(async (tx) => {
      await setOverride(tx, id, { number: 3, teamStrength: 0.5, weeks: null });
      await setOverride(tx, id, { number: 4, teamStrength: 1, weeks: 2 });
      await setWebHook(tx, id, { url, secret: 'not to be told to anyone' }, now);
    });
    const plain = await exported(id);
    assert.doesNotMatch(plain, /ci\.example|not to be told/);
    const path = join(folder, 'with-hook');
    const from = { database: service.running.database, folder: service.folder };
    await exportProject(from, { projectId: id, format: 'xml', path, hasWebHook: true, now });
    const whole = await readFile(path, 'utf8');
    assert.doesNotMatch(whole, /not to be told/);
    const there = await startTestService();
    const taken = async (text: string, takesWebHook: boolean) => {
      const report = await importText(text, { takesWebHook, keepsIds: false }, there);
      const { project, remarks } = report;
      if (remarks.length > 0)
        assert.match(reportText(report), /^ {2}project, web_hook_url "(?:https|ftp):\/\/ci\.example\.org": /m);
      const [overrides, row] = await there.running.database.read(async (tx) => [
        await overridesOfProject(tx, project.id),
        await projectById(tx, project.id),
      ]);
      await there.running.database.write((tx) => tx.deleteFrom('projects').where('id', '=', project.id).execute());
      return [overrides.map((one) => Object.values(one)), row?.webHookUrl, remarks.map(({ value }) => value)];
    };
    const overrides = [
      [3, 0.5, null],
      [4, 1, 2],
    ];
    assert.deepEqual(await taken(plain, true), [overrides, null, []]);
    assert.deepEqual(await taken(whole, false), [overrides, null, ['https://ci.example.org']]);
    assert.deepEqual(await taken(whole, true), [overrides, url, []]);
    const odd = whole.replace('https://ci', 'ftp://ci').replace('<number type="integer">3', '<number type="integer">0');
    assert.deepEqual(await taken(odd, true), [[[4, 1, 2]], null, ['ftp://ci.example.org']]);
    await there.stop();
  });

  it('keeps what the addresses of tickets begin with, also while no story has one, and takes nothing else for it', async () => {
    const id = await newProject(ada, 'Linked');
    const url = 'https://bugs.example.org/browse/';
    const fields = `<name>Bugs</name><field_label>Bug</field_label><base_url>${url}</base_url>`;
    assertStatus(await ada.post(`/projects/${id}/integrations`, `<integration>${fields}</integration>`), 200);
    assert.doesNotMatch((await ada.get(`/projects/${id}`)).text, /base_url/);
    const whole = await exported(id);
    const there = await startTestService();
    const taken = async (text: string) => {
      const { project } = await importText(text, { keepsIds: false }, there);
      const [integration] = await there.running.database.read((tx) => integrationsOfProject(tx, project.id));
      await there.running.database.write((tx) => tx.deleteFrom('projects').where('id', '=', project.id).execute());
      return integration?.ticketUrl;
    };
    assert.equal(await taken(whole), url);
    for (const odd of ['file:///etc/passwd', 'javascript:alert(1)', 'bugs', `https://${'x'.repeat(3_000)}`])
      assert.equal(await taken(whole.replace(url, odd)), null, odd);
    await there.stop();
  });

  it('goes into a pipe that is there, and leaves it one', async function () {
    if (process.platform === 'win32') this.skip();
    const id = await newProject(ada, 'Piped');
    const path = join(folder, 'pipe');
    await promisify(execFile)('mkfifo', [path]);
    const from = { database: service.running.database, folder: service.folder };
    const [read] = await Promise.all([
      readFile(path, 'utf8'),
      exportProject(from, { projectId: id, format: 'xml', path, now }),
    ]);
    assert.match(read, /<name>Piped<[\s\S]*<\/project>\n$/);
    assert.ok((await stat(path)).isFIFO());
  });

  it('is told to who follows the project, in one activity', async () => {
    const { id } = (await importText(table(rows.first, rows.second), named)).project;
    const feed = await ada.get(`/projects/${id}/activities`);
    assert.deepEqual(texts(feed, 'event_type'), ['project_import']);
    assert.match(feed.text, /Ada imported 2 new stories/);
  });

  it('takes the documents that the API answers: stories, and iterations', async () => {
    const id = await newProject(ada, 'Ours');
    await newStory(
      ada,
      id,
      'One',
      '<current_state>unstarted</current_state><estimate>1</estimate><description>Why</description>',
    );
    await newStory(ada, id, 'Two', '<current_state>unstarted</current_state>');
    const stories = (await ada.get(`/projects/${id}/stories`)).text;
    const iterations = (await ada.get(`/projects/${id}/iterations/current_backlog`)).text;
    const [first, second] = [
      await importText(stories, named),
      await importText(iterations, { name: 'Gemini', ...{ owner: 'ada@example.org' } }),
    ];
    assert.equal(await namesIn(first.project.id), 'One Two');
    assert.equal(await namesIn(second.project.id), 'One Two');
    await assert.rejects(importText('<notes type="array"/>', named), /This XML document is about "notes"/);
    await assert.rejects(importText(`${stories.slice(0, -20)}`, named), /XML/);
    assert.equal(texts(await ada.get('/projects'), 'velocity_scheme').length, 3);
  });

  it('brings the attached files along, and no others', async () => {
    const id = await newProject(ada, 'Ours');
    const storyId = await newStory(ada, id, 'One');
    const form = new FormData();
    form.set('Filedata', new Blob(['bytes']), '../../name.txt');
    await ada.post(`/projects/${id}/stories/${storyId}/attachments`, form);
    const files = join(folder, 'files');
    const from = { database: service.running.database, folder: service.folder };
    const path = join(folder, 'with-files.xml');
    const missing = await exportProject(from, { projectId: id, format: 'xml', path, attachments: files, now });
    assert.deepEqual([missing, (await readdir(files)).length], [0, 1]);
    await writeFile(join(files, '9999'), 'nobody names this');
    await writeFile(join(files, 'name.txt'), 'nor this');
    const there = await startTestService();
    try {
      const bo = await there.user('Bo');
      const wishes = { owner: 'bo@example.org', attachments: files };
      const trial = await importText(await readFile(path, 'utf8'), { ...wishes, isTrial: true }, there);
      assert.deepEqual(trial.attached, { withFile: 1, withoutFile: 0 });
      assert.equal((await storedFiles(there.folder)).length, 0);
      const report = await importText(await readFile(path, 'utf8'), wishes, there);
      assert.deepEqual(report.attached, { withFile: 1, withoutFile: 0 });
      assert.equal((await storedFiles(there.folder)).length, 1);
      await importText(await readFile(path, 'utf8'), wishes, there);
      assert.equal((await storedFiles(there.folder)).length, 1);
      const story = await bo.get(`/projects/${report.project.id}/stories/${storyId}`);
      const attachmentId = /<attachment>\s*<id type="integer">(\d+)/.exec(story.text)?.[1];
      const attachment = await bo.get(`/projects/${report.project.id}/stories/${storyId}/attachments/${attachmentId}`);
      assert.equal((await request(textOf(attachment, 'url').replaceAll('&amp;', '&'))).text, 'bytes');
      await assert.rejects(importText('Name\n', { ...wishes, name: 'X' }, there));
      assert.equal((await storedFiles(there.folder)).length, 1);
    } finally {
      await there.stop();
    }
  });

  it('brings the attached files along when they were forgotten the first time', async () => {
    const files = join(folder, 'forgotten');
    await mkdir(files);
    await writeFile(join(files, '3'), 'bytes');
    const attachment = (id: number) =>
      `<attachment><id>${id}</id><filename>${id}.txt</filename><uploaded_by>Ada</uploaded_by></attachment>`;
    const document = `<stories type="array"><story><id>5</id><name>One</name><attachments type="array">${attachment(3)}${attachment(4)}</attachments></story></stories>`;
    const { id } = (await importText(document, named)).project;
    const again = await importText(document, { ...named, attachments: files });
    assert.deepEqual([again.updated, again.attached], [1, { withFile: 1, withoutFile: 0 }]);
    const third = await importText(document, { ...named, attachments: files });
    assert.deepEqual([third.unchanged, third.attached], [1, { withFile: 0, withoutFile: 0 }]);
    const [first = ''] = texts(await ada.get(`/projects/${id}/stories/5`), 'id').slice(1);
    const answer = await ada.get(`/projects/${id}/stories/5/attachments/${first}`);
    assert.equal((await request(textOf(answer, 'url').replaceAll('&amp;', '&'))).text, 'bytes');
    assert.equal((await storedFiles(service.folder)).length, 1);
  });

  it('attaches what lies in the folder of a story', async () => {
    const files = join(folder, 'hosted');
    await mkdir(join(files, '11'), { recursive: true });
    await writeFile(join(files, '11', 'one.txt'), 'one', { mode: 0o444 });
    await writeFile(join(files, '11', 'two.txt'), 'two!');
    const report = await importText(table(rows.first, rows.second), { ...named, attachments: files });
    assert.deepEqual(report.attached, { withFile: 2, withoutFile: 0 });
    const stored = join(service.folder, 'attachments');
    const modes = (await storedFiles(service.folder)).map(
      async (name) => (await stat(join(stored, name))).mode & 0o777,
    );
    assert.deepEqual(await Promise.all(modes), [0o600, 0o600], 'also what was read-only, so that a backup can copy it');
    const { text } = await ada.get(`/projects/${report.project.id}/stories/11`);
    assert.deepEqual(texts({ text }, 'filename'), ['one.txt', 'two.txt']);
    assert.deepEqual(texts({ text }, 'size'), ['3', '4']);
    assert.deepEqual(texts({ text }, 'uploaded_by'), ['Ada', 'Ada']);
    await writeFile(join(files, '11', 'three.txt'), 'three');
    const again = await importText(table(rows.first, rows.second), { ...named, attachments: files });
    assert.deepEqual([again.updated, again.attached], [1, { withFile: 1, withoutFile: 0 }]);
  });

  it('goes on in further rows with what a row has no columns for, and takes them back', async () => {
    const many = (name: string, count: number) => Array.from({ length: count }, (_, index) => `${name} ${index}`);
    const notes = many('Said', 45).map((text) => `<note><id>1</id><text>${text}</text><author>Ada</author></note>`);
    const tasks = many('Do', 450).map((text) => `<task><id>1</id><description>${text}</description></task>`);
    const wide = `<story><id>20</id><name>Wide</name><notes type="array">${notes.join('')}</notes><tasks type="array">${tasks.join('')}</tasks></story>`;
    const narrow = many('S', 300).map((name, index) => `<story><id>${100 + index}</id><name>${name}</name></story>`);
    const { id } = (await importText(`<stories type="array">${wide}${narrow.join('')}</stories>`, named)).project;
    const csv = await exported(id, 'csv');
    const lines = csv.trimEnd().split('\r\n');
    assert.deepEqual([lines[0]?.split(',').length, lines.length], [16 + 20 + 2 * 20, 1 + 1 + 22 + 300]);
    assert.ok(csv.length < 60_000, `${csv.length} characters`);
    const there = await startTestService();
    try {
      await there.user('Ada');
      const again = await importText(csv, named, there);
      assert.deepEqual([again.created, again.remarkCount], [301, 0]);
      assert.equal(await exported(again.project.id, 'csv', there), csv);
      const repeated = await importText(csv, named, there);
      assert.deepEqual([repeated.unchanged, repeated.created], [301, 0]);
    } finally {
      await there.stop();
    }
  });

  it('gives tables in which spreadsheets find no formula, and takes the texts back', async () => {
    const texts = ['=1+1', "'=1", '-1', '@a', '＝1', '\t=1', "it's", 'a;=1', '- one\n=two'];
    const xml = texts.map(
      (text, index) =>
        `<story><id>${30 + index}</id><name>n${text}</name><description>${text}</description><requested_by>${text.trim()}</requested_by><labels>${text}</labels><notes type="array"><note><id>1</id><text>${text}</text><author>Ada</author></note></notes><tasks type="array"><task><id>1</id><description>${text}</description></task></tasks></story>`,
    );
    const { id } = (await importText(`<stories type="array">${xml.join('')}</stories>`, named)).project;
    const csv = await exported(id, 'csv');
    const cells: string[] = parse(csv, { relax_column_count: true })
      .flat()
      .filter((cell: string) => cell !== '');
    assert.deepEqual(
      cells.filter((cell) => /^[=+\-@\t\r＝]|[;\t\r\n]"*[=@]/.test(cell)),
      [],
    );
    assert.ok(cells.length > 60 && cells.includes("''=1") && cells.includes("it's"));
    const there = await startTestService();
    try {
      await there.user('Ada');
      const again = await importText(csv, named, there);
      assert.equal(await exported(again.project.id, 'csv', there), csv);
      const descriptions = (await exported(again.project.id, 'xml', there)).match(
        /<description>[^<]*(?=<\/description>)/g,
      );
      assert.deepEqual(new Set(descriptions), new Set(texts.map((text) => `<description>${text}`)));
    } finally {
      await there.stop();
    }
  });

  it('is written for its owner only, also where a file lies already', async () => {
    const { id } = (await importText(table(rows.first), named)).project;
    const path = join(folder, 'open.csv');
    await writeFile(path, 'before', { mode: 0o644 });
    const modes = new Set<number>();
    const watcher = watch(folder, { persistent: false }, (_, name) => {
      if (name?.startsWith('open.csv.'))
        modes.add(statSync(join(folder, name), { throwIfNoEntry: false })?.mode ?? 0o600);
    });
    const attachments = join(folder, 'open files');
    await exportProject(
      { database: service.running.database, folder: service.folder },
      { projectId: id, format: 'csv', path, attachments, now },
    );
    await sleep(50);
    watcher.close();
    assert.deepEqual(
      [...modes].filter((mode) => (mode & 0o077) !== 0),
      [],
    );
    assert.deepEqual([(await stat(path)).mode & 0o777, (await stat(attachments)).mode & 0o777], [0o600, 0o700]);
  });

  describe('of a project that was taken in elsewhere', () => {
    let there: TestService;
    before(async () => {
      there = await startTestService();
    });
    after(() => there.stop());

    /** Empty but for the people. */
    const emptied = (each: TestService) =>
      each.running.database.write((tx) =>
        tx
          .deleteFrom('projects')
          .execute()
          .then(() => undefined),
      );

    it('gives the same XML again, ids of parts aside', async () => {
      const property = fc.asyncProperty(fc.array(story(), { maxLength: 12 }), async (stories) => {
        await Promise.all([emptied(service), emptied(there)]);
        const { id } = (await importText(projectWith(stories), { addsPeople: true })).project;
        const first = await exported(id);
        assert.equal(first.match(/<story>/g)?.length ?? 0, stories.length);
        const again = await importText(first, { addsPeople: true }, there);
        assert.deepEqual([again.created, again.remarkCount], [stories.length, 0]);
        assert.equal(withoutPartIds(await exported(again.project.id, 'xml', there)), withoutPartIds(first));
      });
      await fc.assert(property, { numRuns: 15 });
    });

    it('gives the same CSV again', async () => {
      const property = fc.asyncProperty(fc.array(story(), { maxLength: 12 }), async (stories) => {
        await Promise.all([emptied(service), emptied(there)]);
        const origin = (await importText(projectWith(stories), { addsPeople: true })).project;
        const table = await exported(origin.id, 'csv');
        await emptied(service);
        const { id } = (await importText(table, named)).project;
        const first = await exported(id, 'csv');
        const again = await importText(first, { name: 'Apollo' }, there);
        assert.deepEqual(
          again.remarks.filter(({ column }) => column !== 'Estimate'),
          [],
        );
        assert.equal(await exported(again.project.id, 'csv', there), first);
      });
      await fc.assert(property, { numRuns: 10 });
    });
  });
});

/** Characters that XML can carry, quotes, separators and line ends among them. */
const prose = () =>
  fc
    .array(
      fc.constantFrom('a', 'Z', 'é', '猫', ' ', '"', "'", ',', ';', '<', '&', '\n', '(', ')', ' - ', '#', '=', '0'),
      { maxLength: 14 },
    )
    .map((parts) => parts.join(''));
/** Begins with a sign of a formula, an apostrophe or a letter. */
const filled = () =>
  fc
    .tuple(fc.constantFrom('x', '=', "'", "'=", '-', '@', '＋', "''-"), prose())
    .map(([first, text]) => `${first}${text}y`);
const person = () => fc.constantFrom('Ada', 'Bob B. (QA)', 'Zoë');
const moment = () =>
  fc.integer({ min: Date.UTC(2026, 0, 5), max: Date.UTC(2026, 5, 1) }).map((time) => Math.floor(time / 1000) * 1000);

interface Sketch {
  readonly name: string;
  readonly description: string;
  readonly type: string;
  readonly state: string;
  readonly estimate: number;
  readonly requester: string;
  readonly owner: string | undefined;
  readonly createdAt: number;
  readonly acceptedAt: number;
  readonly labels: readonly string[];
  readonly notes: readonly (readonly [string, string, number])[];
  readonly tasks: readonly (readonly [string, boolean])[];
}

function story(): fc.Arbitrary<Sketch> {
  return fc.record({
    name: filled(),
    description: prose(),
    type: fc.constantFrom('feature', 'bug', 'chore', 'release'),
    state: fc.constantFrom('unscheduled', 'unstarted', 'accepted'),
    estimate: fc.constantFrom(0, 1, 2, 3),
    requester: person(),
    owner: fc.option(person(), { nil: undefined }),
    createdAt: moment(),
    acceptedAt: moment(),
    labels: fc.uniqueArray(fc.constantFrom('api', 'a b', 'ü"'), { maxLength: 3 }),
    notes: fc.array(fc.tuple(filled(), person(), moment()), { maxLength: 3 }),
    tasks: fc.array(fc.tuple(filled(), fc.boolean()), { maxLength: 3 }),
  });
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const at = (time: number) => `${new Date(time).toISOString().slice(0, 19).replaceAll('-', '/').replace('T', ' ')} UTC`;

/** A document as other servers may write it, by hand. */
function projectWith(stories: readonly Sketch[]): string {
  const written = stories.map(
    (each, index) => `<story>
<id type="integer">${500 - index}</id><story_type>${each.type}</story_type>
${each.type === 'feature' ? `<estimate type="integer">${each.estimate}</estimate>` : ''}
<current_state>${each.state}</current_state><description>${escaped(each.description)}</description><name>${escaped(each.name)}</name>
<requested_by>${each.requester}</requested_by>${each.owner === undefined ? '' : `<owned_by>${each.owner}</owned_by>`}
<created_at type="datetime">${at(each.createdAt)}</created_at><updated_at type="datetime">${at(each.createdAt)}</updated_at>
${each.state === 'accepted' ? `<accepted_at type="datetime">${at(each.acceptedAt)}</accepted_at>` : ''}
<labels>${escaped(each.labels.join(','))}</labels>
<other_id>T-${index}</other_id><other_url>https://tickets.example.org/T-${index}</other_url><integration_id type="integer">77</integration_id>
<notes type="array">${each.notes.map(([text, author, time]) => `<note><id type="integer">1</id><text>${escaped(text)}</text><author>${author}</author><noted_at type="datetime">${at(time)}</noted_at></note>`).join('')}</notes>
<tasks type="array">${each.tasks.map(([text, complete], place) => `<task><id type="integer">1</id><description>${escaped(text)}</description><position type="integer">${place + 1}</position><complete type="boolean">${complete}</complete><created_at type="datetime">${at(each.createdAt)}</created_at></task>`).join('')}</tasks>
<attachments type="array"><attachment><id type="integer">3</id><filename>f-${index}.txt</filename><description/><uploaded_by>${each.requester}</uploaded_by><uploaded_at type="datetime">${at(each.createdAt)}</uploaded_at></attachment></attachments>
</story>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<project><id>42</id><name>Round &amp; about</name><iteration_length type="integer">2</iteration_length><week_start_day>Friday</week_start_day>
<point_scale>0,1,2,3</point_scale><account>Club</account><start_date type="date">2026/01/02</start_date><enable_tasks type="boolean">true</enable_tasks>
<velocity_scheme>Average of 2 iterations</velocity_scheme><initial_velocity>7</initial_velocity>
<memberships type="array">${['Ada', 'Bob B. (QA)', 'Zoë'].map((name, index) => `<membership><id type="integer">${index + 9}</id><person><email>p${index}@example.com</email><name>${name}</name><initials>P${index}</initials></person><role>${index === 0 ? 'Owner' : 'Member'}</role></membership>`).join('')}</memberships>
<integrations type="array"><integration><id type="integer">77</id><type>Other</type><name>Tickets</name><field_name>other_id</field_name><field_label>Ticket</field_label><active>true</active></integration></integrations>
<stories type="array">${written.join('')}</stories></project>`;
}

/** Ids of comments, tasks, attachments, members and integrations are each database's own, and so is when the import was. */
function withoutPartIds(xml: string): string {
  return xml
    .replace(/(<(?:note|task|attachment|membership|integration)>\s*)<id type="integer">\d+<\/id>/g, '$1')
    .replace(/<integration_id type="integer">\d+<\/integration_id>/g, '')
    .replace(/<last_activity_at[^\n]*\n/, '');
}
