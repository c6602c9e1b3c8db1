import assert from 'node:assert/strict';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { ServiceEvent } from '../../src/service/ground/background.ts';
import { eventually } from '../support/eventually.ts';
import { newBacklog, newProject } from './support/project.ts';
import { assertStatus, request, textOf } from './support/request.ts';
import { copyOfDatabase, dropDatabaseOf, onPostgres, runOnDatabase } from './support/testDatabase.ts';
import { startTestService, type TestService, type TestUser, temporaryFolder } from './support/testService.ts';

describe('a database that is set back to an earlier state while a service runs', () => {
  let service: TestService;
  let ada: TestUser;
  let projectId: number;
  let stories: readonly number[];
  const events: ServiceEvent[] = [];

  before(async () => {
    service = await startTestService({ log: (event) => void events.push(event) });
    ada = await service.user('Ada');
    projectId = await newProject(ada);
    stories = await newBacklog(ada, projectId, ['Buoys', 'Beacons']);
  });
  after(() => service.stop());

  const rename = async (index: number, name: string) => {
    const path = `/projects/${projectId}/stories/${stories[index]}`;
    assertStatus(await ada.put(path, `<story><name>${name}</name></story>`), 200);
  };
  const paths = () => [
    `/projects/${projectId}/iterations/current_backlog`,
    `/projects/${projectId}/stories`,
    `/projects/${projectId}/stories?filter=${encodeURIComponent('type:feature')}`,
  ];
  const newest = async () => Number(textOf(await ada.get('/activities?limit=1'), 'version'));

  it('is served as it is now, though as much was changed since as was lost', async () => {
    const putBack = await copyOfDatabase(service.folder);
    await rename(0, 'Lost');
    const before = new Map<string, string>();
    for (const path of paths()) {
      for (let turn = 0; turn < 2; turn += 1) {
        const answer = await ada.get(path);
        assert.match(answer.text, /<name>Lost</);
        before.set(path, answer.headers.get('etag') ?? '');
      }
    }
    await putBack();
    await rename(1, 'Found');
    for (const path of paths()) {
      for (let turn = 0; turn < 2; turn += 1) {
        const { text } = await ada.get(path);
        assert.match(text, /<name>Buoys</, path);
        assert.match(text, /<name>Found</, path);
        assert.doesNotMatch(text, /<name>Lost</, path);
      }
      const headers = { 'X-ServiceToken': ada.token, 'If-None-Match': before.get(path) ?? '' };
      assertStatus(await request(`${service.url}/services/v3${path}`, { headers }), 200);
    }
  });

  it('does not give a project that is made the answers of a lost one of the same number', async () => {
    const putBack = await copyOfDatabase(service.folder);
    const lost = await newProject(ada, 'Lost Project');
    assert.match((await ada.get(`/projects/${lost}`)).text, /<name>Lost Project</);
    await putBack();
    // SQLite keeps in the file which number comes next; PostgreSQL's own programs put it back with the rest.
    if (onPostgres) await runOnDatabase(service.folder, `alter table projects alter column id restart with ${lost}`);
    const made = await newProject(ada, 'Made Project');
    assert.equal(made, lost);
    assert.match((await ada.get(`/projects/${made}`)).text, /<name>Made Project</);
  });

  it('tells who asks for what is newer than a lost change of all that comes after it', async () => {
    const putBack = await copyOfDatabase(service.folder);
    for (const name of ['One', 'Two', 'Three']) await rename(0, name);
    const cursor = await newest();
    events.length = 0;
    const newer = async () => (await ada.get(`/activities?newer_than_version=${cursor}`)).text;
    await putBack();
    assert.ok((await newest()) < cursor);
    assert.doesNotMatch(await newer(), /<activity>/);
    await rename(1, 'Afterwards');
    assert.match(await newer(), /Afterwards/);
    const after = await newest();
    await rename(1, 'Next');
    assert.equal(await newest(), after + 1);
    assert.equal(events.filter(({ about }) => about === 'database').length, 1);
  });

  it('gets from one process no version that another gave before', async () => {
    const other = await startTestService({ dataFolder: service.folder });
    try {
      const putBack = await copyOfDatabase(service.folder);
      for (const name of ['Four', 'Five', 'Six']) await rename(0, name);
      const cursor = await newest();
      const note = async () => Number(await readFile(join(service.folder, 'activity-version'), 'utf8'));
      await eventually(async () => assert.equal(await note(), cursor));
      // A process that changed something by itself just before believes what it read then for a second.
      await wait(1_100);
      await putBack();
      const path = `${other.url}/services/v3/projects/${projectId}/stories/${stories[1]}`;
      const body = '<story><name>Elsewhere</name></story>';
      await eventually(async () => assertStatus(await request(path, { method: 'PUT', token: ada.token, body }), 200));
      assert.match((await ada.get(`/activities?newer_than_version=${cursor}`)).text, /Elsewhere/);
    } finally {
      await other.stop();
    }
  });
});

describe('a database that is set back to an earlier state while no service runs', () => {
  let folder: string;

  before(async () => {
    folder = await temporaryFolder();
  });
  after(async () => {
    await rm(folder, { recursive: true, force: true });
    await dropDatabaseOf(folder);
  });

  it('gives what is changed then a version that was not given before, once', async () => {
    let service = await startTestService({ dataFolder: folder });
    const name = 'Ada';
    const ada = await service.user(name);
    const projectId = await newProject(ada);
    const putBack = await copyOfDatabase(folder);
    await newBacklog(ada, projectId, ['Lost', 'Lost too']);
    const newest = async () => {
      const answer = await request(`${service.url}/services/v3/activities?limit=1`, { token: ada.token });
      return Number(textOf(answer, 'version'));
    };
    const before = await newest();
    await service.stop();
    await putBack();
    const add = (story: string) =>
      request(`${service.url}/services/v3/projects/${projectId}/stories`, {
        method: 'POST',
        token: ada.token,
        body: `<story><name>${story}</name></story>`,
      });
    const versions: number[] = [];
    for (const story of ['Made', 'Made after another start']) {
      service = await startTestService({ dataFolder: folder });
      await eventually(async () => assertStatus(await add(story), 200));
      versions.push(await newest());
      await service.stop();
    }
    const [first = 0, second = 0] = versions;
    assert.ok(first > before, `${first} ${before}`);
    assert.equal(second, first + 1);
  });
});
