import assert from 'node:assert/strict';
import { addMember, newProject, newStory } from './support/project.ts';
import { type Answer, assertStatus, idOf, request, textOf, texts } from './support/request.ts';
import { startTestService, type TestService, type TestUser } from './support/testService.ts';

const table = (...ids: readonly number[]) =>
  [
    'Id,Title,Type,Estimate,Current State,Created at',
    ...ids.map((id) => `${id},Story ${id},feature,1,started,"Jan 5, 2026"`),
  ].join('\n');

describe('IDs that stories had before their project came here', () => {
  let service: TestService;
  let ada: TestUser;
  let grace: TestUser;
  let apollo: number;
  /** Of Ada's own project, so that what is imported gets others. */
  let taken: number;
  let commits = 0;

  before(async () => {
    service = await startTestService();
    ada = await service.user('Ada Lovelace');
    grace = await service.user('Grace Hopper');
    apollo = await newProject(ada);
    taken = await newStory(ada, apollo, 'Taken', '<estimate>1</estimate><current_state>started</current_state>');
  });
  after(() => service.stop());

  async function imported(user: TestUser, file: string, name: string, type = 'text/csv'): Promise<number> {
    const url = `${service.url}/services/v3/imports?project_name=${name}`;
    const options = { method: 'POST', token: user.token, body: file, headers: { 'Content-Type': type } };
    const answer = await request(url, options);
    assertStatus(answer, 200);
    return idOf(answer);
  }

  const commit = (user: TestUser, message: string): Promise<Answer> =>
    user.post(
      '/source_commits',
      `<source_commit><message>${message}</message><commit_id>c${++commits}</commit_id></source_commit>`,
    );

  /** Of each story: what it was called, and is called now. */
  async function former(user: TestUser): Promise<readonly (readonly [string, string, string])[]> {
    const answer = await user.get('/imports');
    assertStatus(answer, 200);
    const [before, now, projects] = ['external_id', 'id', 'project_id'].map((name) => texts(answer, name));
    return (before ?? []).map((one, index) => [one, now?.[index] ?? '', projects?.[index] ?? ''] as const);
  }

  async function onlyStory(user: TestUser, projectId: number): Promise<Answer> {
    return user.get(`/projects/${projectId}/stories`);
  }

  it('are told to members of the project, of stories that have others here', async () => {
    const kept = taken + 5_000;
    const gemini = await imported(grace, table(taken, kept), 'Gemini');
    const [story] = texts(await onlyStory(grace, gemini), 'id').filter((id) => id !== String(kept));
    assert.deepEqual(await former(grace), [[String(taken), story, String(gemini)]]);
    assert.deepEqual(await former(ada), []);
    assertStatus(await request(`${service.url}/services/v3/imports`), 401);
    await addMember(grace, gemini, ada, 'Viewer');
    assert.deepEqual(await former(ada), [[String(taken), story, String(gemini)]]);
    assertStatus(await grace.delete(`/projects/${gemini}/stories/${story}`), 200);
    assert.deepEqual(await former(grace), []);
  });

  it('have commits linked, where no story of the user’s has the ID now', async () => {
    const frances = await service.user('Frances Spence');
    const gemini = await imported(frances, table(taken), 'Gemini');
    const story = textOf(await onlyStory(frances, gemini), 'id');
    const notes = () => frances.get(`/projects/${gemini}/stories/${story}/notes`);
    const first = await commit(frances, `Sort [fixes #${taken}]`);
    assert.match(textOf(first, 'text'), new RegExp(`\\[fixes #${taken}\\]$`));
    assert.equal(textOf(await onlyStory(frances, gemini), 'current_state'), 'finished');
    commits -= 1;
    assert.equal(texts(await commit(frances, `Sort [fixes #${taken}]`), 'text').length, 0, 'once for each commit');
    assert.equal(texts(await commit(frances, `Both [#${taken}] [delivers #${story}]`), 'text').length, 1);
    assert.equal(textOf(await onlyStory(frances, gemini), 'current_state'), 'delivered');
    assert.equal(texts(await notes(), 'text').length, 2);

    await addMember(ada, apollo, frances, 'Member');
    assertStatus(await commit(frances, `Mine now [fixes #${taken}]`), 200);
    assert.equal(texts(await notes(), 'text').length, 2, 'the story that has the ID comes first');
    assert.equal(textOf(await ada.get(`/projects/${apollo}/stories/${taken}`), 'current_state'), 'finished');
  });

  it('reach no story for a Viewer, and none where several projects had the ID', async () => {
    const jean = await service.user('Jean Bartik');
    const gemini = await imported(jean, table(taken), 'Gemini');
    const kay = await service.user('Kay McNulty');
    await addMember(jean, gemini, kay, 'Viewer');
    assertStatus(await commit(kay, `[#${taken}]`), 403);
    await imported(jean, table(taken), 'Mercury');
    const answer = await commit(jean, `[fixes #${taken}]`);
    assertStatus(answer, 200);
    assert.deepEqual(texts(answer, 'text'), []);
    assert.deepEqual(
      (await former(jean)).map(([id]) => id),
      [String(taken), String(taken)],
    );
  });

  it('are no IDs of copies of a project here', async () => {
    const betty = await service.user('Betty Holberton');
    const gemini = await newProject(betty, 'Gemini');
    const story = await newStory(betty, gemini, 'Original');
    for (const format of ['xml', 'csv']) {
      const file = await betty.get(`/projects/${gemini}/export?format=${format}`);
      const copy = await imported(betty, file.text, `Copy-${format}`, `text/${format}`);
      assert.notEqual(textOf(await onlyStory(betty, copy), 'id'), String(story));
    }
    assert.deepEqual(await former(betty), []);
    const marlyn = await service.user('Marlyn Wescoff');
    const seen = Number((await betty.get('/projects')).text.match(/<id>(\d+)<\/id>\s*<name>Copy-xml/)?.[1]);
    await addMember(betty, seen, marlyn, 'Member');
    assert.deepEqual(
      (await former(marlyn)).map(([id]) => id),
      [String(story)],
      'who does not see the original',
    );
  });
});
