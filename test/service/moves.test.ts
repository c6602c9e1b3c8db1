import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { addMember, newBacklog, newProject, newStory, storyNames } from './support/project.ts';
import { assertNotFound, assertRefused, assertStatus, request, textOf, texts } from './support/request.ts';
import { runService, serveProcess } from './support/serviceProcess.ts';
import { startTestService, type TestService, type TestUser, temporaryFolder, userOf } from './support/testService.ts';

describe('moves', () => {
  let service: TestService;
  let ada: TestUser;

  before(async () => {
    service = await startTestService();
    ada = await service.user('Ada Lovelace');
  });
  after(() => service.stop());

  const move = (projectId: number, id: number, place: string, target: number | string, by = ada) =>
    by.post(`/projects/${projectId}/stories/${id}/moves?move[move]=${place}&move[target]=${target}`);

  async function backlog(names: string): Promise<{ projectId: number; id: (name: string) => number }> {
    const projectId = await newProject(ada, 'Moves');
    const ids = await newBacklog(ada, projectId, [...names]);
    return { projectId, id: (name) => ids[names.indexOf(name)] ?? 0 };
  }

  it('puts a story directly before or after another', async () => {
    const { projectId, id } = await backlog('ABCDE');
    const cases: readonly [string, 'before' | 'after', string, string][] = [
      ['D', 'before', 'B', 'ADBCE'],
      ['A', 'after', 'C', 'DBCAE'],
      ['E', 'before', 'D', 'EDBCA'],
      ['D', 'after', 'A', 'EBCAD'],
      ['C', 'before', 'A', 'EBCAD'],
      ['C', 'after', 'B', 'EBCAD'],
    ];
    for (const [story, place, target, expected] of cases) {
      const answer = await move(projectId, id(story), place, id(target));
      assert.equal(textOf(answer, 'name'), story);
      assert.equal((await storyNames(ada, projectId)).join(''), expected, `${story} ${place} ${target}`);
    }
  });

  it('takes the move as a form body too, and as a query with escaped brackets', async () => {
    const { projectId, id } = await backlog('ABC');
    const url = `${service.url}/services/v3/projects/${projectId}/stories/${id('C')}/moves`;
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const body = `move%5Bmove%5D=before&move%5Btarget%5D=${id('A')}`;
    assertStatus(await request(url, { method: 'POST', token: ada.token, body, headers: form }), 200);
    assert.equal((await storyNames(ada, projectId)).join(''), 'CAB');
    const query = `move%5Bmove%5D=after&move%5Btarget%5D=${id('B')}`;
    assertStatus(await request(`${url}?${query}`, { method: 'POST', token: ada.token }), 200);
    assert.equal((await storyNames(ada, projectId)).join(''), 'ABC');
  });

  it('tells of a move once, and not when nothing moved', async () => {
    const { projectId, id } = await backlog('ABC');
    await move(projectId, id('C'), 'before', id('A'));
    await move(projectId, id('C'), 'before', id('A'));
    const feed = await ada.get(`/projects/${projectId}/activities`);
    assert.equal(texts(feed, 'description').filter((text) => text.includes('moved')).length, 1);
    assert.equal(textOf(feed, 'description'), 'Ada Lovelace moved "C" before "A"');
    assert.equal(textOf(feed, 'event_type'), 'story_update');
  });

  it('refuses what cannot be moved, in a sentence', async () => {
    const { projectId, id } = await backlog('AB');
    const elsewhere = await newStory(ada, await newProject(ada, 'Elsewhere'), 'Far away');
    assertRefused(await move(projectId, id('A'), 'before', id('A')), 422, /next to itself/);
    assertRefused(await move(projectId, id('A'), 'before', elsewhere), 422, /not in this project/);
    assertRefused(await move(projectId, id('A'), 'before', 999_999), 422, /not in this project/);
    assertNotFound(await move(projectId, elsewhere, 'before', id('A')));
    assertRefused(await move(projectId, id('A'), 'above', id('B')), 400, /"before" or "after"/);
    assertRefused(await move(projectId, id('A'), 'before', ''), 400, /id of a story/);
    const viewer = await service.user('Vera');
    await addMember(ada, projectId, viewer, 'Viewer');
    assertRefused(await move(projectId, id('B'), 'before', id('A'), viewer), 403, /Viewer/);
    assert.equal((await storyNames(ada, projectId)).join(''), 'AB');
  });

  it('schedules a story that is moved out of the icebox, and lets only unstarted ones go there', async () => {
    const { projectId, id } = await backlog('AB');
    const cold = await newStory(ada, projectId, 'Cold');
    const warm = await newStory(ada, projectId, 'Warm');
    assert.equal(textOf(await move(projectId, warm, 'before', id('B')), 'current_state'), 'unstarted');
    assert.equal(textOf(await move(projectId, id('A'), 'after', cold), 'current_state'), 'unscheduled');
    assert.deepEqual(await storyNames(ada, projectId), ['Warm', 'B', 'Cold', 'A']);
    const started = '<story><story_type>bug</story_type><current_state>started</current_state></story>';
    await ada.put(`/projects/${projectId}/stories/${id('B')}`, started);
    assertRefused(await move(projectId, id('B'), 'after', cold), 422, /Only an unstarted story/);
  });

  it('keeps every story once when many move at the same time', async () => {
    const names = 'ABCDEFGHIJ';
    const { projectId, id } = await backlog(names);
    const moves = Array.from({ length: 100 }, (_, index) => {
      const story = names[(index * 7) % names.length] ?? 'A';
      const target = names[(index * 3 + 1) % names.length] ?? 'B';
      return story === target ? undefined : move(projectId, id(story), index % 2 ? 'before' : 'after', id(target));
    });
    for (const answer of await Promise.all(moves)) if (answer) assertStatus(answer, 200);
    assert.equal((await storyNames(ada, projectId)).sort().join(''), names);
    const versions = texts(await ada.get('/activities?limit=100'), 'version').map(Number);
    assert.deepEqual(
      versions,
      [...new Set(versions)].sort((one, other) => other - one),
    );
  });

  it('stays short however often stories are put into the same place', async () => {
    const { projectId, id } = await backlog('ABCD');
    for (let round = 0; round < 120; round += 1) {
      await move(projectId, id('C'), 'after', id('A'));
      await move(projectId, id('B'), 'after', id('A'));
    }
    assert.equal((await storyNames(ada, projectId)).join(''), 'ABCD');
    const ranks = await service.running.database.read((tx) =>
      tx.selectFrom('stories').select('rank').where('projectId', '=', projectId).execute(),
    );
    assert.ok(ranks.every(({ rank }) => rank.length <= 32));
  });
});

describe('two processes on one data folder', () => {
  it('see each other at once, never lose or double a story, and number activities in one row', async () => {
    const folder = await temporaryFolder();
    const added = await runService(['user', 'add', '--name', 'Ada', '--email', 'ada@example.org', '--data', folder]);
    const token = added.stdout.trim().split('\n').at(-1) ?? '';
    const processes = await Promise.all([serveProcess(['--data', folder]), serveProcess(['--data', folder])]);
    const [one, two] = processes.map(({ url }) => userOf(url, 'Ada', 'ada@example.org', token));
    assert.ok(one && two);
    try {
      const projectId = await newProject(one);
      const ids = await newBacklog(one, projectId, [...'ABCDEF']);
      assert.equal((await storyNames(two, projectId)).join(''), 'ABCDEF');
      const work = Array.from({ length: 60 }, async (_, index) => {
        const user = index % 2 ? one : two;
        const [story, target] = [ids[index % 6] ?? 0, ids[(index + 1 + (index % 4)) % 6] ?? 0];
        const path = `/projects/${projectId}/stories/${story}/moves?move[move]=after&move[target]=${target}`;
        const answer = story === target ? undefined : await user.post(path);
        if (answer) assertStatus(answer, 200);
        const name = `New ${index}`;
        await newStory(user, projectId, name, '<current_state>unstarted</current_state>');
        const other = user === one ? two : one;
        assert.ok((await storyNames(other, projectId)).includes(name), 'seen by the other process at once');
      });
      await Promise.all(work);
      const names = await storyNames(one, projectId);
      assert.equal(names.length, 66);
      assert.equal(new Set(names).size, 66);
      assert.deepEqual(await storyNames(two, projectId), names);
      const versions = texts(await two.get('/activities?limit=100'), 'version').map(Number);
      assert.ok(versions.every((version, index) => index === 0 || version === (versions[index - 1] ?? 0) - 1));
    } finally {
      assert.deepEqual(await Promise.all(processes.map(({ end }) => end('SIGTERM'))), [0, 0]);
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('may be the first ones there at the same time', async () => {
    const folder = await temporaryFolder();
    const processes = await Promise.all(Array.from({ length: 4 }, () => serveProcess(['--demo', '--data', folder])));
    try {
      const counts = processes.map(async ({ url, token }) => {
        const projects = await userOf(url, '', '', token).get('/projects');
        return texts(projects, 'velocity_scheme').length;
      });
      assert.deepEqual(await Promise.all(counts), [1, 1, 1, 1]);
    } finally {
      await Promise.all(processes.map(({ end }) => end('SIGTERM')));
      await rm(folder, { recursive: true, force: true });
    }
  });
});
