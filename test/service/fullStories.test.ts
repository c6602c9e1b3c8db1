import assert from 'node:assert/strict';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { child } from '../../src/v3/fields.ts';
import { readText } from '../../src/v3/read.ts';
import { readStories } from '../support/v3/lists.ts';
import { newProject, newStory } from './support/project.ts';
import { type Answer, assertRefused, assertStatus, idOf, request, textOf, texts } from './support/request.ts';
import { runService, serveProcess } from './support/serviceProcess.ts';
import { dropDatabaseOf, onPostgres, runOnDatabase } from './support/testDatabase.ts';
import { startTestService, type TestService, type TestUser, temporaryFolder, userOf } from './support/testService.ts';

/** Adds comments or tasks to a story behind the service's back, as many as there may be from before there was a limit. */
async function fill(
  folder: string,
  table: 'notes' | 'tasks',
  storyId: number,
  count: number,
  length = 1,
): Promise<void> {
  const text = onPostgres ? `repeat('ab', ${length / 2})` : `replace(hex(zeroblob(${length / 2})), '00', 'ab')`;
  const written = length === 1 ? `'comment ' || i` : text;
  const [columns, values] =
    table === 'notes'
      ? ['text, author, "notedAt"', `${written}, 'Ada', 0`]
      : ['description, position, complete, "createdAt"', `${written}, i, 0, 0`];
  await runOnDatabase(
    folder,
    `insert into ${table} ("projectId", "storyId", ${columns})
     with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})
     select "projectId", id, ${values} from n, stories where id = ${storyId}`,
  );
}

describe('a story that is full', () => {
  let service: TestService;
  let ada: TestUser;
  let projectId: number;

  before(async () => {
    service = await startTestService();
    ada = await service.user('Ada');
    projectId = await newProject(ada);
  });
  after(() => service.stop());

  const storyPath = (id: number) => `/projects/${projectId}/stories/${id}`;
  const comment = (id: number, text: string) => ada.post(`${storyPath(id)}/notes`, `<note><text>${text}</text></note>`);
  const task = (id: number, text: string) =>
    ada.post(`${storyPath(id)}/tasks`, `<task><description>${text}</description></task>`);
  const describeIt = (id: number, text: string) =>
    ada.put(storyPath(id), `<story><description>${text}</description></story>`);
  const commit = (message: string, commitId: string) =>
    ada.post(
      '/source_commits',
      `<source_commit><message>${message}</message><author>A</author><commit_id>${commitId}</commit_id></source_commit>`,
    );
  const TOO_MUCH = /have at most 1,000,000 bytes together\. Shorten it, attach it as a file/;

  /** Its text leaves room for 50 bytes. */
  async function storyOfMuchText(): Promise<number> {
    const id = await newStory(ada, projectId, 'Much');
    for (let times = 0; times < 9; times += 1) assertStatus(await comment(id, 'x'.repeat(100_000)), 200);
    assertStatus(await task(id, 'y'.repeat(99_950)), 200);
    return id;
  }

  it('takes a thousand comments and not one more, and says how to go on', async () => {
    const id = await newStory(ada, projectId, 'Talk');
    await fill(service.folder, 'notes', id, 999);
    assertStatus(await comment(id, 'the last'), 200);
    const before = (await ada.get(storyPath(id))).text;
    assertRefused(await comment(id, 'one more'), 422, /at most 1,000 comments\. Go on in a new story/);
    assert.equal((await ada.get(storyPath(id))).text, before);
    assert.equal(texts(await ada.get(`${storyPath(id)}/notes`), 'text').length, 1_000);
    assertStatus(await ada.put(storyPath(id), '<story><name>Talked</name></story>'), 200);
  });

  it('takes a thousand tasks and not one more, and again one when one is removed', async () => {
    const id = await newStory(ada, projectId, 'Work');
    await fill(service.folder, 'tasks', id, 999);
    const last = await task(id, 'the last');
    assert.equal(textOf(last, 'position'), '1000');
    assertRefused(await task(id, 'one more'), 422, /at most 1,000 tasks\. Remove some/);
    assertStatus(await ada.delete(`${storyPath(id)}/tasks/${idOf(last)}`), 200);
    assertStatus(await task(id, 'another'), 200);
  });

  it('takes a million bytes of text, whatever it is written in', async () => {
    const id = await storyOfMuchText();
    assertRefused(await comment(id, 'z'.repeat(51)), 422, TOO_MUCH);
    assertRefused(await comment(id, '\u4E00'.repeat(17)), 422, TOO_MUCH);
    assertRefused(await task(id, 'z'.repeat(51)), 422, TOO_MUCH);
    assertRefused(await describeIt(id, 'z'.repeat(51)), 422, TOO_MUCH);
    assertStatus(await describeIt(id, 'z'.repeat(50)), 200);
    assertRefused(await comment(id, 'z'), 422, TOO_MUCH);
    assertStatus(await describeIt(id, 'z'.repeat(49)), 200);
    assertStatus(await comment(id, 'z'), 200);
    const taskId = texts(await ada.get(`${storyPath(id)}/tasks`), 'id')[0];
    const edit = (text: string) =>
      ada.put(`${storyPath(id)}/tasks/${taskId}`, `<task><description>${text}</description></task>`);
    assertRefused(await edit('y'.repeat(99_951)), 422, TOO_MUCH);
    assertStatus(await edit('y'.repeat(10)), 200);
    assertStatus(await comment(id, 'z'.repeat(99_000)), 200);
  });

  it('can be made to hold less where it holds too much already', async () => {
    const id = await newStory(ada, projectId, 'Old');
    assertStatus(await describeIt(id, 'x'.repeat(1_000)), 200);
    await fill(service.folder, 'notes', id, 20, 100_000);
    assertRefused(await describeIt(id, 'x'.repeat(1_001)), 422, TOO_MUCH);
    assertStatus(await describeIt(id, 'x'.repeat(999)), 200);
    assertStatus(await ada.put(storyPath(id), '<story><current_state>unstarted</current_state></story>'), 200);
  });

  it('is passed over by a commit, which goes on with the other stories', async () => {
    const [full, free] = [await newStory(ada, projectId, 'Full'), await newStory(ada, projectId, 'Free')];
    for (const id of [full, free]) {
      assertStatus(await ada.put(storyPath(id), '<story><story_type>chore</story_type></story>'), 200);
    }
    await fill(service.folder, 'notes', full, 1_000);
    const states = async () =>
      Promise.all([full, free].map(async (id) => textOf(await ada.get(storyPath(id)), 'current_state')));
    const before = await states();
    assertRefused(await commit(`[fixes #${full}]`, 'c1'), 422, /at most 1,000 comments/);
    assert.deepEqual(await states(), before);
    const made = await commit(`[fixes #${full} #${free}]`, 'c2');
    assert.equal(texts(made, 'text').length, 1);
    assert.deepEqual(await states(), [before[0], 'accepted']);
    const hosted = await request(`${service.url}/services/v3/github_commits?token=${ada.token}`, {
      method: 'POST',
      body: JSON.stringify({
        commits: [
          { id: 'c3', message: `[#${full}] one` },
          { id: 'c4', message: `[#${free}] two` },
        ],
      }),
      headers: { 'Content-Type': 'application/json' },
    });
    assert.equal(texts(hosted, 'text').length, 1);
    assert.match(textOf(hosted, 'text'), /two/);
  });

  it('shows the newest where it has more than it may, and the older ones in pages', async () => {
    const id = await newStory(ada, projectId, 'Long ago');
    await fill(service.folder, 'notes', id, 2_500);
    await fill(service.folder, 'tasks', id, 1_100);
    const numbered = (answer: Answer, name: string) => texts(answer, name).map((text) => Number(text.slice(8)));
    const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);
    const list = await ada.get(`${storyPath(id)}/notes`);
    assert.deepEqual(numbered(list, 'text'), range(1_501, 2_500));
    assert.match(list.text, /<notes type="array" count="1000" total="2500">/);
    assert.deepEqual(numbered(await ada.get(storyPath(id)), 'text'), range(1_501, 2_500));
    const page = await ada.get(`${storyPath(id)}/notes?limit=3&offset=1499`);
    assert.deepEqual(numbered(page, 'text'), [1_500, 1_501, 1_502]);
    assert.match(page.text, /<notes type="array" count="3" total="2500" limit="3" offset="1499">/);
    assert.deepEqual(numbered(await ada.get(`${storyPath(id)}/notes?offset=2499`), 'text'), [2_500]);
    assert.deepEqual(numbered(await ada.get(`${storyPath(id)}/notes?limit=5000&offset=0`), 'text'), range(1, 1_000));
    assertRefused(await ada.get(`${storyPath(id)}/notes?offset=-1`), 422, /cannot be negative/);
    assert.equal(texts(await ada.get(`${storyPath(id)}/tasks`), 'complete').length, 1_000);
    const tasks = await ada.get(`${storyPath(id)}/tasks?limit=2&offset=1098`);
    assert.deepEqual(texts(tasks, 'position'), ['1099', '1100']);
  });

  it('is exported with all of it, in both formats', async () => {
    const other = await newProject(ada, 'Exported');
    const [before, id, behind] = [
      await newStory(ada, other, 'Before'),
      await newStory(ada, other, 'Full'),
      await newStory(ada, other, 'Behind'),
    ];
    for (const one of [before, behind]) {
      assertStatus(await ada.post(`/projects/${other}/stories/${one}/notes`, '<note><text>short</text></note>'), 200);
    }
    await fill(service.folder, 'notes', id, 2_500);
    await fill(service.folder, 'tasks', id, 1_100);
    const exported = async (format: string) => {
      const args = ['export', '--project', String(other), '--format', format, '--data', service.folder];
      return (await runService(args)).stdout;
    };
    const range = (count: number) => Array.from({ length: count }, (_, index) => `comment ${index + 1}`);
    const xml = await exported('xml');
    const stories = readStories(child(await readText(xml), 'stories') ?? assert.fail('no stories'));
    assert.deepEqual(new Set(stories.map((story) => story.id)), new Set([before, id, behind]));
    const full = stories.find((story) => story.id === id);
    assert.deepEqual(
      full?.notes.map(({ text }) => text),
      range(2_500),
    );
    assert.deepEqual(full?.tasks.map(({ description }) => description).sort(), range(1_100).sort());
    const csv = await exported('csv');
    assert.equal(csv.match(/comment \d+ \(Ada - /g)?.length, 2_500);
    assert.equal(csv.match(/comment \d+,not completed/g)?.length, 1_100);
  });

  it('gives of long comments as many at once as fit', async () => {
    const id = await newStory(ada, projectId, 'Long');
    await fill(service.folder, 'notes', id, 25, 100_000);
    assert.equal(texts(await ada.get(storyPath(id)), 'text').length, 10);
    let seen = 0;
    for (const expected of [10, 10, 5]) {
      const page = await ada.get(`${storyPath(id)}/notes?limit=100&offset=${seen}`);
      assert.equal(texts(page, 'text').length, expected);
      assert.match(page.text, new RegExp(`count="${expected}" total="25"`));
      seen += expected;
    }
  });
});

describe('a project that is full', () => {
  let service: TestService;
  let ada: TestUser;
  let projectId: number;
  let storyId: number;

  before(async () => {
    service = await startTestService();
    ada = await service.user('Ada');
    projectId = await newProject(ada);
    storyId = await newStory(ada, projectId, 'First');
  });
  after(() => service.stop());

  /** Labels of a story, from behind the service's back. */
  async function fillLabels(count: number, name: string): Promise<void> {
    await runOnDatabase(
      service.folder,
      `insert into labels ("projectId", name)
       with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count}) select ${projectId}, '${name}' || i from n`,
    );
    await runOnDatabase(
      service.folder,
      `insert into "storyLabels" ("storyId", "labelId", "projectId", position)
       select ${storyId}, id, ${projectId}, id from labels where "projectId" = ${projectId} and name like '${name}%'`,
    );
  }
  const labelled = (name: string, labels: string) =>
    ada.post(`/projects/${projectId}/stories`, `<story><name>${name}</name><labels>${labels}</labels></story>`);
  const LABELS = /at most 2,000 different labels\. Use an existing one/;

  it('has two thousand labels and not one more, but takes those that it has', async () => {
    await fillLabels(1_999, 'l');
    const last = await labelled('Last', 'm');
    assertStatus(last, 200);
    const stories = `/projects/${projectId}/stories`;
    const before = (await ada.get(stories)).text;
    assertRefused(await labelled('More', 'n'), 422, LABELS);
    const path = `${stories}/${idOf(last)}`;
    assertRefused(await ada.put(path, '<story><labels>m,n</labels></story>'), 422, LABELS);
    assert.equal((await ada.get(stories)).text, before);
    assertStatus(await labelled('Known', 'l1,l2'), 200);
    assertStatus(await ada.put(path, '<story><labels>n</labels></story>'), 200);
    assert.equal(textOf(await ada.get(`/projects/${projectId}`), 'labels').split(',').length, 2_000);
  });

  it('tells as many as it may have where it has more, in the list beside others too', async () => {
    await fillLabels(20_000, 'old');
    const other = await newProject(ada, 'Other');
    assertStatus(
      await ada.post(`/projects/${other}/stories`, '<story><name>x</name><labels>its</labels></story>'),
      200,
    );
    assert.equal(textOf(await ada.get(`/projects/${projectId}`), 'labels').split(',').length, 2_000);
    assertStatus(await labelled('Touched', 'l1'), 200);
    const lists = texts(await ada.get('/projects'), 'labels').map((labels) => labels.split(',').length);
    assert.deepEqual(lists, [2_000, 1]);
  });

  it('tells the oldest where it has more, in whichever order the database sorts names', async () => {
    const old = await newProject(ada, 'Old');
    const insert = (names: string) =>
      runOnDatabase(service.folder, `insert into labels ("projectId", name) select ${old}, ${names}`);
    const numbered = (count: number) =>
      `'old' || i from (with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count}) select i from n) as n`;
    await insert(numbered(1_998));
    for (const name of ['émile', 'Öl', 'Zug', 'apfel']) await insert(`'${name}'`);
    const alone = textOf(await ada.get(`/projects/${old}`), 'labels').split(',');
    assert.equal(alone.length, 2_000);
    assert.deepEqual(alone.slice(-2), ['Öl', 'émile']);
    const listed = texts(await ada.get('/projects'), 'labels').find((labels) => labels.includes('émile'));
    assert.deepEqual(listed?.split(','), alone);
  });

  it('takes five hundred attachments a story, and refuses more before it reads them', async () => {
    const row = `${projectId}, ${storyId}, 'f', '', 1, 'Ada', 0`;
    await runOnDatabase(
      service.folder,
      `insert into attachments ("projectId", "storyId", filename, description, size, "uploadedBy", "uploadedAt", "storedAs")
       with recursive n(i) as (select 1 union all select i + 1 from n where i < 499) select ${row}, 'stored' || i from n`,
    );
    const upload = (description = '') => {
      const form = new FormData();
      form.set('description', description);
      form.set('Filedata', new Blob(['x']), 'x.txt');
      return ada.post(`/projects/${projectId}/stories/${storyId}/attachments`, form);
    };
    assertRefused(await upload('x'.repeat(1_001)), 422, /at most 1,000 characters/);
    assertStatus(await upload('x'.repeat(1_000)), 200);
    assertRefused(await upload(), 422, /at most 500 attachments\. Attach an archive/);
  });
});

describe('a project with more text than memory, from before there was a limit', () => {
  it('is read in every way, and left as it is', async function () {
    this.timeout(180_000);
    const folder = await temporaryFolder();
    const env = { NODE_OPTIONS: '--max-old-space-size=128' };
    const first = await serveProcess(['--demo', '--data', folder, '--port', '0'], undefined, env);
    await first.end('SIGTERM');
    const storyId = 1;
    await fill(folder, 'notes', storyId, 2_000, 100_000);
    const service = await serveProcess(['--demo', '--data', folder, '--port', '0'], undefined, env);
    try {
      const ada = userOf(service.url, 'Ada', '', service.token);
      const story = `/projects/1/stories/${storyId}`;
      const paths = [
        '/projects/1/stories',
        '/projects/1/iterations',
        '/projects/1/stories?filter=abab',
        '/activities?limit=100',
      ];
      for (const path of [story, `${story}/notes`, `${story}/notes?limit=1000&offset=100`, ...paths]) {
        assertStatus(await ada.get(path), 200);
        assertStatus(await ada.put(story, `<story><name>After ${path.length}</name></story>`), 200);
      }
      assert.equal(texts(await ada.get(story), 'text').length, 10);
      assert.match((await ada.get(`${story}/notes?limit=1`)).text, /total="200\d"/);
      for (const format of ['xml', 'csv']) {
        const file = join(folder, `exported.${format}`);
        const args = ['export', '--project', '1', '--format', format, '--data', folder, '--output', file];
        const done = await runService(args, '', env);
        assert.equal(done.code, 0, done.stderr);
        assert.ok((await stat(file)).size > 200_000_000);
      }
    } finally {
      await service.end('SIGKILL');
      await rm(folder, { recursive: true, force: true });
      await dropDatabaseOf(folder);
    }
  });
});
