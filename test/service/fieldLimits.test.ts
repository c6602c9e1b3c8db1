import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { setRule } from '../../src/service/store/projects/projects.ts';
import { newProject, newStory } from './support/project.ts';
import { type Answer, assertRefused, assertStatus, request, textOf, texts } from './support/request.ts';
import { startTestService, type TestService, type TestUser } from './support/testService.ts';

describe('what is too long or too much', () => {
  let service: TestService;
  let ada: TestUser;
  let project: string;
  let storyId: number;
  let story: string;

  before(async () => {
    service = await startTestService();
    await service.running.database.write((tx) => setRule(tx, 'adding-people', 'anyone'));
    ada = await service.user('Ada');
    const projectId = await newProject(ada);
    project = `/projects/${projectId}`;
    storyId = await newStory(ada, projectId, 'Buoys');
    story = `${project}/stories/${storyId}`;
  });
  after(() => service.stop());

  /** Of characters that take three bytes and that nothing makes shorter. */
  function text(length: number): string {
    const bytes = randomBytes(length);
    return String.fromCharCode(...Array.from(bytes, (byte) => 0x4e00 + byte));
  }

  function assertLimit(name: string, most: number, send: (value: string) => Promise<Answer>): void {
    it(`is refused: ${name} of more than ${most} characters`, async () => {
      assertStatus(await send(text(most)), 200);
      assertRefused(await send(text(most + 1)), 422, new RegExp(`at most ${most.toLocaleString('en')} characters`));
    });
  }
  const put = (field: string) => (value: string) => ada.put(story, `<story><${field}>${value}</${field}></story>`);
  const person = (fields: string) => `<membership><role>Viewer</role><person>${fields}</person></membership>`;

  assertLimit('a label', 255, put('labels'));
  assertLimit('the name of a story', 5_000, put('name'));
  assertLimit('the name of a project', 200, (value) =>
    ada.post('/projects', `<project><name>${value}</name></project>`),
  );
  for (const [what, field] of Object.entries({ 'an owner': 'owned_by', 'a requester': 'requested_by' })) {
    assertLimit(`the name of ${what}`, 255, async (value) => {
      await ada.post(`${project}/memberships`, person(`<email>${field}@members</email><name>${value}</name>`));
      return put(field)(value);
    });
  }
  assertLimit('a description', 100_000, put('description'));
  assertLimit('a comment', 100_000, (value) => ada.post(`${story}/notes`, `<note><text>${value}</text></note>`));
  assertLimit('a task', 100_000, (value) =>
    ada.post(`${story}/tasks`, `<task><description>${value}</description></task>`),
  );
  assertLimit('an address', 255, (value) =>
    ada.post(`${project}/memberships`, person(`<email>a@${value.slice(2)}</email>`)),
  );
  assertLimit('a name of a person', 255, (value) =>
    ada.post(`${project}/memberships`, person(`<email>b@c</email><name>${value}</name>`)),
  );
  assertLimit('initials', 10, (value) =>
    ada.post(`${project}/memberships`, person(`<email>d@e</email><initials>${value}</initials>`)),
  );

  it('is refused: more labels than a hundred', async () => {
    const labels = (count: number) => Array.from({ length: count }, (_, index) => `l${index}`).join();
    assertStatus(await put('labels')(labels(100)), 200);
    assertRefused(await put('labels')(labels(101)), 422, /at most 100 labels/);
  });

  it('stays where a story has it already, and keeps nobody from changing something else', async () => {
    const label = text(300);
    await service.running.database.write((tx) =>
      tx
        .updateTable('stories')
        .set({ ownedBy: label, description: label.repeat(400) })
        .where('id', '=', storyId)
        .execute(),
    );
    assertStatus(await put('name')('Beacons'), 200);
    assert.equal(textOf(await ada.get(story), 'owned_by'), label);
  });

  it('is told in a list that its readers can take', async () => {
    assertStatus(await put('description')('&amp;'.repeat(100_000)), 200);
    assert.equal((await ada.get(story)).text.match(/&amp;/g)?.length, 100_000);
  });

  it('is cut where it comes by itself: the message of a commit', async () => {
    const message = `[#${storyId}] ${text(100_000)}`;
    const body = `<source_commit><message>${message}</message><author>A</author><commit_id>r1</commit_id></source_commit>`;
    const note = textOf(await ada.post('/source_commits', body), 'text');
    assert.equal(note.length, 100_000);
    assert.match(note, /…$/);
  });

  it('is refused: more commits at once, and stories named by them, than a host of code sends', async () => {
    const post = (commits: unknown) =>
      request(`${service.url}/services/v3/github_commits?token=${ada.token}`, {
        method: 'POST',
        body: JSON.stringify({ commits }),
        headers: { 'Content-Type': 'application/json' },
      });
    const commits = (count: number, message: string) =>
      Array.from({ length: count }, (_, index) => ({ id: `c${index}`, message }));
    assertStatus(await post(commits(2_048, 'Tidy')), 200);
    assertRefused(await post(commits(2_049, 'Tidy')), 422, /At most 2048 commits/);
    const many = Array.from({ length: 200 }, (_, index) => `#${900_000 + index}`).join(' ');
    assertStatus(await post(commits(10, `[${many}]`)), 200);
    assertRefused(await post(commits(11, `[${many}]`)), 422, /At most 2000 stories/);
    assertRefused(await post(commits(1, `[${many} #800000]`)), 422, /can name at most 200 stories/);
  });

  it('is cut: commits whose comments would together be longer than four million characters', async () => {
    const projectId = await newProject(ada);
    const ids: number[] = [];
    for (let count = 0; count < 60; count += 1) ids.push(await newStory(ada, projectId, `Buoy ${count}`));
    const message = `[${ids.map((id) => `#${id}`).join(' ')}] ${'a'.repeat(90_000)}`;
    const answer = await request(`${service.url}/services/v3/github_commits?token=${ada.token}`, {
      method: 'POST',
      body: JSON.stringify({
        commits: [
          { id: 'c1', message },
          { id: 'c2', message },
        ],
      }),
      headers: { 'Content-Type': 'application/json' },
    });
    assertStatus(answer, 200);
    const comments = texts(answer, 'text');
    assert.equal(comments.length, 2 * ids.length);
    assert.deepEqual([...new Set(comments.map(({ length }) => length))], [Math.floor(4_000_000 / comments.length)]);
    assert.ok(comments.every((comment) => comment.endsWith('…')));
  });

  it('is refused before it fills the memory: elements, parameters, and parts of a form', async () => {
    const elements = `<story><name>A</name>${'<a/>'.repeat(10_000)}</story>`;
    assertRefused(await ada.put(story, elements), 400, /too many elements/);
    const parameters = Array.from({ length: 4_097 }, (_, index) => `story[a${index}]=`).join('&');
    assertRefused(await ada.put(story, parameters), 400, /too many parameters/);
    const long = `story[name]=${'a'.repeat(1024 * 1024 + 1)}`;
    assertRefused(await ada.put(story, long), 400, /too long/);
    const form = new FormData();
    for (let index = 0; index <= 100; index += 1) form.set(`part${index}`, 'a');
    assertRefused(await ada.post(`${story}/attachments`, form), 400, /at most 100 parts/);
  });

  it('is replaced in a form as it would be in XML: what XML cannot hold', async () => {
    assertStatus(await ada.put(story, 'story[labels]=buoy%00,buoy%01&story[name]=a%00b'), 200);
    const answer = await ada.get(story);
    assert.deepEqual(texts(answer, 'labels'), ['buoy\uFFFD']);
    assert.deepEqual(texts(answer, 'name'), ['a\uFFFDb']);
  });
});
