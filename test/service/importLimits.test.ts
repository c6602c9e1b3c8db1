import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { MAX_INTEGRATIONS_OF_PROJECT, MAX_STRENGTHS_OF_PROJECT } from '../../src/core/limits.ts';
import { setRule } from '../../src/service/store/projects/projects.ts';
import { newProject } from './support/project.ts';
import { type Answer, assertRefused, assertStatus, request, texts } from './support/request.ts';
import { startTestService, type TestService, type TestUser } from './support/testService.ts';

const TABLE = 'Id,Title,Current State\n1,One,unstarted\n';

describe('what a file says', function () {
  this.timeout(120_000);
  let service: TestService;
  let ada: TestUser;

  beforeEach(async () => {
    service = await startTestService();
    ada = await service.user('Ada');
  });
  afterEach(() => service.stop());

  const send = (body: string, path = '/imports', type = 'application/xml'): Promise<Answer> =>
    request(`${service.url}/services/v3${path}`, {
      ...{ method: 'POST', token: ada.token, body },
      headers: { 'Content-Type': type },
    });
  const imported = async (body: string): Promise<{ readonly id: number; readonly report: Answer }> => {
    const report = await send(body);
    assertStatus(report, 200);
    return { id: Number(texts(report, 'id')[0]), report };
  };
  const story = (more: string, id = 7) => `<story><id>${id}</id><name>Land</name>${more}</story>`;
  const project = (more: string, stories = '') =>
    `<project><id>900</id><name>Apollo</name>${more}<stories>${stories}</stories></project>`;

  it('of moments beyond those that can be written is left out, and the project can be read', async () => {
    const far = '9999/12/31 23:59:59 -14:00';
    const parts = `<notes><note><id>1</id><text>Later</text><noted_at>${far}</noted_at></note></notes>
      <tasks><task><id>1</id><description>Brake</description><created_at>${far}</created_at></task></tasks>`;
    const release = `<story_type>release</story_type><deadline>${far}</deadline>${parts}`;
    const { id, report } = await imported(project('', story(release)));
    assert.deepEqual(texts(report, 'column'), ['Comment', 'Task', 'Deadline']);
    for (const read of ['stories', 'iterations', 'export', 'export?format=csv'])
      assertStatus(await ada.get(`/projects/${id}/${read}`), 200);
    assert.deepEqual(texts(await ada.get(`/projects/${id}/stories`), 'deadline'), []);
  });

  it('of points beyond those of any scale is left out, and a ticket is no longer than one may be', async () => {
    const issues = '<integrations><integration><id>1</id><name>Issues</name></integration></integrations>';
    const more = `<estimate>10001</estimate><other_id>${'9'.repeat(300)}</other_id>`;
    const { id, report } = await imported(project(issues, story(more)));
    assert.deepEqual(texts(report, 'column').toSorted(), ['Estimate', 'Ticket']);
    const read = await ada.get(`/projects/${id}/stories`);
    assert.deepEqual(texts(read, 'estimate'), ['-1']);
    assert.equal(texts(read, 'other_id')[0]?.length, 255);
  });

  it('of integrations and iterations is no more than an owner may set', async () => {
    const one = (id: number, more = '') => `<integration><id>${id}</id><name>I${id}</name>${more}</integration>`;
    const wrong = [
      one(1, '<field_name>a b&lt;c</field_name>'),
      one(2, `<field_label>${'x'.repeat(256)}</field_label>`),
      `<integration><id>3</id><name>${'x'.repeat(256)}</name></integration>`,
    ];
    const many = Array.from({ length: MAX_INTEGRATIONS_OF_PROJECT + 1 }, (_, index) => one(10 + index));
    const override = (number: number) =>
      `<iteration_override><number>${number}</number><team_strength>0.5</team_strength></iteration_override>`;
    const most = MAX_STRENGTHS_OF_PROJECT;
    const overrides = Array.from({ length: 3 * most }, (_, index) => override((index % (most + 1)) + 1)).join('');
    const lists = `<integrations>${[...wrong, ...many].join('')}</integrations><iteration_overrides>${overrides}</iteration_overrides>`;
    const { id, report } = await imported(project(lists, story('')));
    const columns = ['field_name', 'field_label', 'name', 'integrations', 'iteration_overrides'];
    assert.deepEqual(texts(report, 'column'), columns);
    const settings = await ada.get(`/projects/${id}/settings`);
    assert.equal(texts(settings, 'story_count').length, MAX_INTEGRATIONS_OF_PROJECT);
    assert.equal(texts(settings, 'team_strength').length, most);
  });

  it('of its name is cut to what a project may be called, and its settings stay', async () => {
    const long = `<project><id>900</id><name>${'x'.repeat(300)}</name><point_scale>0,5,9</point_scale><stories>${story('')}</stories></project>`;
    const { id } = await imported(long);
    const read = await ada.get(`/projects/${id}`);
    assert.equal(texts(read, 'name')[0], 'x'.repeat(200));
    assert.deepEqual(texts(read, 'point_scale'), ['0,5,9']);
    const named = `/imports?project_name=${'x'.repeat(201)}`;
    assertRefused(await send(TABLE, named, 'text/csv'), 422, /at most 200 characters/);
  });

  it('is refused where it is more elements than a story can hold, before they fill the memory', async () => {
    const crowd = '<a b="" c="" d="" e=""/>'.repeat(100_001);
    for (const body of [project(crowd), project('', story(crowd))])
      assertRefused(await send(body), 400, /too many elements/);
    const notes = Array.from({ length: 900 }, (_, id) => `<note><id>${id + 1}</id><text>A</text></note>`);
    await imported(project('', story(`<notes>${notes.join('')}</notes>`)));
  });

  it('is taken in for one at a time of each user, from when the first begins to come', async () => {
    const { hostname, port } = new URL(service.url);
    const headers = { 'X-ServiceToken': ada.token, 'Content-Type': 'text/csv', 'Content-Length': TABLE.length };
    const path = '/services/v3/imports?project_name=Slow';
    const slow = httpRequest({ hostname, port, method: 'POST', path, headers });
    const status = new Promise<number | undefined>((resolve, reject) => {
      slow.on('response', (answer) => resolve(answer.resume().statusCode)).on('error', reject);
    });
    slow.write(TABLE.slice(0, 10));
    await sleep(300);
    assertRefused(await send(TABLE, '/imports?project_name=Second', 'text/csv'), 429, /one import at a time/);
    slow.end(TABLE.slice(10));
    assert.equal(await status, 200);
    assertStatus(await send(TABLE, '/imports?project_name=Second', 'text/csv'), 200);
  });

  it('of people is refused with what an administrator decided, where only they add people', async () => {
    const vera = await service.user('Vera');
    await service.running.database.write((tx) => setRule(tx, 'adding-people', 'administrators'));
    const person = `/imports?project_name=Apollo&person=${encodeURIComponent(`Vera=${vera.email}`)}`;
    assertRefused(await send(TABLE, person, 'text/csv'), 403, /Only an administrator of this service can add people/);
    const own = `/imports?project_name=Apollo&person=${encodeURIComponent(`Me=${ada.email}`)}`;
    assertStatus(await send(TABLE, own, 'text/csv'), 200);
  });

  it('is given out again once there is a place for it, however often there was none', async () => {
    const projectId = await newProject(ada);
    const folder = join(service.folder, 'transfers');
    await rm(folder, { recursive: true, force: true });
    await writeFile(folder, 'in the way');
    for (let times = 0; times < 4; times += 1) assertStatus(await ada.get(`/projects/${projectId}/export`), 500);
    await rm(folder);
    assertStatus(await ada.get(`/projects/${projectId}/export`), 200);
  });
});
