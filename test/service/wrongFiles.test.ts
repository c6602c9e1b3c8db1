import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ServiceEvent } from '../../src/service/ground/background.ts';
import { readText } from '../../src/v3/read.ts';
import { Seeded } from '../support/measures/seeded.ts';
import { newIntegration, newProject, newStory } from './support/project.ts';
import { type Answer, assertStatus, texts } from './support/request.ts';
import { onPostgres, rowsOfDatabase } from './support/testDatabase.ts';
import { startTestService, type TestService, type TestUser } from './support/testService.ts';
import { type WrongFile, wrongCsv, wrongXml } from './support/wrongFiles.ts';

/** `FUZZ_SEED` of an earlier run sends the same files, and `FUZZ_FILES` as many as are wanted. */
const SEED = Number(process.env.FUZZ_SEED ?? Math.floor(Math.random() * 2 ** 31));
const FILES = Number(process.env.FUZZ_FILES ?? (onPostgres ? 40 : 120));
const HOUR = 3_600_000;
/** Milliseconds that a file of some hundred kilobytes may take. */
const LONGEST = 20_000;
const TABLES = ['projects', 'stories', 'imports', 'stagedStories', 'notes', 'tasks', 'labels', 'integrations', 'users'];

describe(`Files that are not right (FUZZ_SEED=${SEED})`, function () {
  this.timeout(60_000 + FILES * LONGEST);
  let now = Date.now();
  let service: TestService;
  let ada: TestUser;
  let exported: { readonly xml: string; readonly csv: string };
  const mistakes: ServiceEvent[] = [];

  before(async () => {
    const log = (event: ServiceEvent): void => void (event.event === 'error' && mistakes.push(event));
    service = await startTestService({ clock: () => now, log });
    ada = await service.user('Ada');
    const projectId = await newProject(ada);
    await fill(projectId);
    const { text: xml } = await ada.get(`/projects/${projectId}/export?format=xml`);
    const { text: csv } = await ada.get(`/projects/${projectId}/export?format=csv`);
    exported = { xml, csv };
  });
  after(() => service.stop());

  /** With something of each kind that an export has. */
  async function fill(projectId: number): Promise<void> {
    const path = `/projects/${projectId}`;
    await newIntegration(
      ada,
      projectId,
      'Issues',
      '<field_name>jira_id</field_name><base_url>https://j.org/</base_url>',
    );
    const strength = '<iteration><number>2</number><team_strength>0.5</team_strength></iteration>';
    const settings = `<start_date>2026/01/05</start_date><iteration_strengths>${strength}</iteration_strengths>`;
    assertStatus(await ada.put(path, `<project>${settings}</project>`), 200);
    const fields = [
      '<estimate>2</estimate><current_state>accepted</current_state><labels>a,b</labels><jira_id>J-1</jira_id>',
      '<story_type>release</story_type><deadline>2026/12/24</deadline><current_state>unstarted</current_state>',
      '<story_type>bug</story_type><current_state>started</current_state><owned_by>Ada</owned_by>',
      '<description>=1+1, and more</description>',
    ];
    for (const [index, more] of fields.entries()) {
      const story = `${path}/stories/${await newStory(ada, projectId, `Story ${index}`, more)}`;
      assertStatus(await ada.post(`${story}/notes`, '<note><text>A comment</text></note>'), 200);
      assertStatus(await ada.post(`${story}/tasks`, '<task><description>A task</description></task>'), 200);
      const form = new FormData();
      form.set('Filedata', new Blob(['x']), 'x.txt');
      assertStatus(await ada.post(`${story}/attachments`, form), 200);
    }
  }

  async function counts(): Promise<readonly number[]> {
    const counted = TABLES.map((table) => rowsOfDatabase(service.folder, `select count(*) as n from "${table}"`));
    return (await Promise.all(counted)).map(([row]) => Number(row?.n));
  }

  async function send(path: string, { type, bytes }: WrongFile): Promise<Answer> {
    const headers = { 'X-ServiceToken': ada.token, 'Content-Type': type };
    const answer = await fetch(`${service.url}/services/v3${path}`, {
      method: 'POST',
      body: new Uint8Array(bytes),
      headers,
    });
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  }

  /** That the project can be read in every way there is, and taken in again as it is. */
  async function assertReadable(projectId: number, what: string): Promise<void> {
    const path = `/projects/${projectId}`;
    for (const read of ['', '/settings', '/stories', '/iterations', '/activities', '/memberships', '/export']) {
      const answer = await ada.get(path + read);
      assert.equal(answer.status, 200, `${path}${read}: ${answer.text}\n${what}`);
      assert.doesNotThrow(() => readText(answer.text), `${path}${read}\n${what}`);
    }
    const stories = texts(await ada.get(`${path}/stories`), 'story_type').length;
    for (const format of ['xml', 'csv'] as const) {
      const { status, text } = await ada.get(`${path}/export?format=${format}`);
      assert.equal(status, 200, what);
      const type = format === 'csv' ? ('text/csv' as const) : ('application/xml' as const);
      const again = await send('/imports?dry_run=true&project_name=Again', { type, bytes: Buffer.from(text) });
      assert.equal(again.status, 200, `${again.text}\n${what}`);
      assert.equal(Number(texts(again, 'created')[0]), stories, `${format}\n${again.text}\n${what}`);
    }
  }

  async function assertTaken(chance: Seeded, index: number): Promise<void> {
    now += HOUR + 1;
    const file = chance.chance(2) ? wrongXml(chance, exported.xml) : wrongCsv(chance, exported.csv);
    const isInto = chance.chance(4);
    const projectId = isInto ? await newProject(ada) : undefined;
    const what = `file ${index}: ${file.bytes.toString('utf8', 0, 6_000)}`;
    const path = `${projectId === undefined ? '/imports' : `/projects/${projectId}/imports`}?project_name=Wrong`;
    const before = await counts();
    const begun = performance.now();
    const answer = await send(path, file);
    assert.ok(performance.now() - begun < LONGEST, `${performance.now() - begun} ms: ${what}`);
    assert.ok([200, 400, 422].includes(answer.status), `${answer.status} ${answer.text}: ${what}`);
    if (answer.status !== 200) {
      assert.match(answer.text, /<error[^>]*>[^<]{8,}<\/error>/, what);
      assert.deepEqual(await counts(), before, what);
      return;
    }
    const id = projectId ?? Number(texts(answer, 'id')[0]);
    await assertReadable(id, what);
    if (!chance.chance(3)) return;
    const newer = file.type === 'text/csv' ? wrongCsv(chance, exported.csv) : wrongXml(chance, exported.xml);
    const again = await send(`/projects/${id}/imports`, newer);
    assert.ok([200, 400, 422].includes(again.status), `${again.status} ${again.text}: ${newer.bytes}`);
    await assertReadable(id, `again: ${newer.bytes}`);
  }

  it('are imported as far as they are right, or change nothing, and what comes of them can be read', async () => {
    const chance = new Seeded(SEED);
    for (let index = 0; index < FILES; index += 1) await assertTaken(chance, index);
    assert.deepEqual(mistakes, []);
    assert.deepEqual(await readdir(join(service.folder, 'transfers')), []);
  });
});
