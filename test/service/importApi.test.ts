import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../support/eventually.ts';
import { newProject, newStory } from './support/project.ts';
import { type Answer, assertNotFound, assertRefused, assertStatus, request, texts } from './support/request.ts';
import { rowsOfDatabase } from './support/testDatabase.ts';
import { startTestService, type TestService, type TestUser } from './support/testService.ts';

const HEAD =
  'Id,Title,Labels,Type,Estimate,Current State,Created at,Requested By,Owned By,Description,Comment,Task,Task Status';
const TABLE = [
  HEAD,
  '101,"=cmd|\'/c\'!A1","a, b",feature,2,unstarted,"Jan 5, 2026",Ada,Bob,"+1 and more","Yes (Bob - Jan 6, 2026)",Cut,completed',
  '102,Second,b,bug,,started,"Jan 6, 2026",Ada,,@home,,,',
  '103,Third,,epic,,unstarted,"Jan 6, 2026",Ada,,,,,',
].join('\n');
const TABLES = ['projects', 'stories', 'imports', 'stagedStories', 'notes', 'labels'];

describe('imports and exports over the API', function () {
  this.timeout(120_000);
  let service: TestService;
  let ada: TestUser;
  let bob: TestUser;
  before(async () => {
    service = await startTestService();
    ada = await service.user('Ada');
    bob = await service.user('Bob');
  });
  after(() => service.stop());

  function send(user: TestUser, path: string, body: string | Buffer = TABLE): Promise<Answer> {
    const headers = { 'Content-Type': 'text/csv' };
    return request(`${service.url}/services/v3${path}`, {
      method: 'POST',
      token: user.token,
      body: body as string,
      headers,
    });
  }

  async function counts(): Promise<readonly number[]> {
    const counted = TABLES.map((table) => rowsOfDatabase(service.folder, `select count(*) as n from "${table}"`));
    return (await Promise.all(counted)).map(([row]) => Number(row?.n));
  }

  const spooled = () => readdir(join(service.folder, 'transfers'));

  it('tell on a dry run what would come, and change nothing', async () => {
    const before = await counts();
    const answer = await send(ada, '/imports?dry_run=true&project_name=Apollo');
    assertStatus(answer, 200);
    assert.match(answer.text, /<dry_run type="boolean">true<\/dry_run>/);
    assert.match(answer.text, /<created type="integer">2<\/created>/);
    assert.match(answer.text, /<left_out type="integer">1<\/left_out>/);
    assert.match(answer.text, /<importer>\s*<name>Ada<\/name>\s*<email>/);
    assert.deepEqual(texts(answer, 'status'), ['member', 'text']);
    assert.match(answer.text, /<row type="integer">4<\/row>\s*<story_id>103<\/story_id>\s*<column>Type<\/column>/);
    assert.deepEqual(await counts(), before);
    assert.deepEqual(await spooled(), []);
  });

  it('make a project of which the importer is the owner, and give it out again as it came in', async () => {
    const answer = await send(ada, `/imports?project_name=Apollo&person=${encodeURIComponent('Bob=bob@example.org')}`);
    assertStatus(answer, 200);
    const id = Number(texts(answer, 'id')[0]);
    const memberships = await ada.get(`/projects/${id}/memberships`);
    assert.deepEqual(texts(memberships, 'role'), ['Owner', 'Member']);
    const csv = await ada.get(`/projects/${id}/export?format=csv`);
    assert.match(csv.headers.get('content-type') ?? '', /text\/csv/);
    assert.match(csv.headers.get('content-disposition') ?? '', /attachment.*Apollo\.csv/);
    assert.doesNotMatch(csv.text, /(^|,|")[=+@]/m, 'no formula');
    for (const format of ['csv', 'xml']) {
      const exported = await ada.get(`/projects/${id}/export?format=${format}`);
      const again = await send(ada, `/imports?project_name=Again`, exported.text);
      assertStatus(again, 200);
      const copy = Number(texts(again, 'id')[0]);
      const plain = async (project: number) =>
        (await ada.get(`/projects/${project}/stories`)).text
          .replace(/<(?:id|project_id|rank)[^>]*>[^<]*<\/[a-z_]+>/g, '')
          .replace(/<url>[^<]*<\/url>/g, '')
          .replace(/<updated_at[^>]*>[^<]*<\/updated_at>/g, '');
      assert.equal(await plain(copy), await plain(id), format);
    }
    assert.deepEqual(await spooled(), []);
    const known = await ada.get(`/projects/${id}/imports?external_ids=101,102,999`);
    assert.deepEqual(texts(known, 'external_id').sort(), ['101', '102']);
  });

  it('are for owners of the project, and exports for its members', async () => {
    const project = await newProject(ada);
    await newStory(ada, project, 'There');
    const users = {
      stranger: await service.user('Stranger'),
      viewer: await service.user('Viewer'),
      member: await service.user('Member'),
      removed: await service.user('Removed'),
    };
    for (const [name, role] of [
      ['viewer', 'Viewer'],
      ['member', 'Member'],
      ['removed', 'Member'],
    ] as const) {
      const { email, name: called } = users[name];
      const person = `<person><email>${email}</email><name>${called}</name></person>`;
      const added = await ada.post(
        `/projects/${project}/memberships`,
        `<membership><role>${role}</role>${person}</membership>`,
      );
      if (name === 'removed') await ada.delete(`/projects/${project}/memberships/${texts(added, 'id')[0]}`);
    }
    for (const user of [users.stranger, users.removed]) {
      assertNotFound(await send(user, `/projects/${project}/imports`));
      assertNotFound(await user.get(`/projects/${project}/imports?external_ids=101`));
      assertNotFound(await user.get(`/projects/${project}/export`));
    }
    for (const user of [users.viewer, users.member]) {
      assertStatus(await send(user, `/projects/${project}/imports`), 403);
      assertStatus(await send(user, `/projects/${project}/imports?dry_run=true`), 403);
      assertStatus(await user.get(`/projects/${project}/export`), 200);
    }
    const answer = await send(ada, `/projects/${project}/imports`);
    assertStatus(answer, 200);
    assert.deepEqual(texts(await ada.get(`/projects/${project}/stories`), 'name').length, 3);
    assertNotFound(await bob.get('/imports/5'));
    assertStatus(await request(`${service.url}/services/v3/imports`, { method: 'POST', body: TABLE }), 401);
  });

  it('leave nothing when the request is closed, and tell before how far they are', async () => {
    const before = await counts();
    const rows = Array.from({ length: 20_000 }, (_, index) => `${index + 5_000},Story ${index},unstarted`);
    const body = ['Id,Title,Current State', ...rows].join('\n');
    const { hostname, port } = new URL(service.url);
    const path = '/services/v3/imports?project_name=Long&import_id=77';
    const headers = { 'X-ServiceToken': ada.token, 'Content-Type': 'text/csv', 'Content-Length': body.length };
    const sent = httpRequest({ hostname, port, method: 'POST', path, headers });
    sent.on('error', () => undefined);
    sent.end(body);
    let stories = 0;
    while (stories === 0) {
      const progress = await ada.get('/imports/77');
      if (progress.status === 200) stories = Number(texts(progress, 'stories')[0]);
      await sleep(5);
    }
    assertNotFound(await bob.get('/imports/77'));
    assertStatus(await send(ada, '/imports?project_name=Second'), 429);
    sent.destroy();
    while ((await ada.get('/imports/77')).status === 200) await sleep(20);
    assert.deepEqual(await counts(), before);
    await eventually(async () => assert.deepEqual(await spooled(), []));
  });

  it('refuse what is no such file in words, and write nothing', async () => {
    const before = await counts();
    const refused: readonly (readonly [string | Buffer, number, RegExp])[] = [
      ['', 422, /empty/],
      ['a,b\n1,2', 422, /first row must name the columns/],
      [Buffer.from(`${HEAD}\n1,Gr\xfc\xdfe`, 'latin1'), 422, /UTF-8/],
      [Buffer.from([0xfe, 0xff, 0, 73, 0, 100]), 422, /UTF-8/],
      [`${HEAD}\n1,One\n2,"not closed`, 422, /within quotes, which begin in row 3/],
      [`Id,Title\n1,"${'x'.repeat(17 * 1024 * 1024)}"`, 422, /Row 2 of this table is larger than 16 MiB/],
      [`Id,Title\n1${','.repeat(100_001)}`, 422, /more than 100000 cells/],
      ['<!DOCTYPE a [<!ENTITY b "c">]><project><name>x</name></project>', 400, /DOCTYPE/i],
      ['<project><name>x</name>', 400, /./],
      ['<person/>', 400, /about "person"/],
    ];
    for (const [body, status, sentence] of refused) {
      const answer = await send(ada, '/imports?dry_run=true&project_name=Hostile', body);
      assert.equal(answer.status, status, answer.text);
      assert.match(answer.text, sentence);
    }
    assertRefused(await send(ada, '/imports?dry_run=true'), 422, /does not name its project/);
    assertStatus(await send(ada, '/imports?dry_run=true&person=Bob&project_name=x'), 400);
    assertStatus(await send(ada, '/imports?dry_run=true&format=doc&project_name=x'), 400);
    assert.deepEqual(await counts(), before);
    assert.deepEqual(await spooled(), []);
  });

  it('keep a cell with characters that no text has, and those in other encodings of Unicode', async () => {
    const nul = await send(ada, '/imports?project_name=Nul', 'Id,Title\n1,a\0b');
    assertStatus(nul, 200);
    assert.match(nul.text, /Characters that no text has were replaced/);
    const wide = Buffer.from('\ufeffId,Title\n1,Grüße', 'utf16le');
    assertStatus(await send(ada, '/imports?project_name=Wide', wide), 200);
    assertStatus(await send(ada, '/imports?project_name=Marked', '\ufeffId,Title\n1,Grüße'), 200);
  });
});
