import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { mintToken } from '../../src/service/store/people/tokens.ts';
import { addUser, userByEmail } from '../../src/service/store/people/users.ts';
import { projectById } from '../../src/service/store/projects/projects.ts';
import { setWebHook } from '../../src/service/store/projects/webHook.ts';
import { removeUser } from '../../src/service/useCases/memberships.ts';
import { removeProject } from '../../src/service/useCases/projects.ts';
import { addMember, newProject, newStory } from './support/project.ts';
import { assertStatus, textOf, texts } from './support/request.ts';
import { runService } from './support/serviceProcess.ts';
import { storedFiles, sweptFiles } from './support/storedFiles.ts';
import { databaseOf, describeOnPostgres, dropDatabaseOf, queryDatabase } from './support/testDatabase.ts';
import { startTestService, type TestService, type TestUser, temporaryFolder } from './support/testService.ts';

describe('removal, beside a service that is running', function () {
  this.timeout(30_000);
  let folder: string;
  let service: TestService;
  let ada: TestUser;

  before(async () => {
    folder = await temporaryFolder();
    service = await startTestService({ dataFolder: folder });
    ada = await service.user('Ada');
  });
  after(async () => {
    await service.stop();
    await rm(folder, { recursive: true, force: true });
    await dropDatabaseOf(folder);
  });

  const run = (...args: readonly string[]) => runService([...args, '--data', folder]);

  async function refused(sentence: RegExp, code: number, ...args: readonly string[]): Promise<void> {
    const failed = await run(...args);
    assert.equal(failed.code, code, failed.stderr);
    assert.match(failed.stderr, sentence);
  }

  it('of a user ends tokens and memberships at once, and keeps the name on what they did', async () => {
    const ben = await service.user('Ben');
    const projectId = await newProject(ada, 'Apollo');
    await addMember(ada, projectId, ben, 'Owner');
    const story = `/projects/${projectId}/stories/${await newStory(ben, projectId, 'Land', '<owned_by>Ben</owned_by>')}`;
    await ben.post(`${story}/notes`, '<note><text>Soon</text></note>');
    assert.deepEqual(texts(await ada.get(`/projects/${projectId}`), 'role'), ['Owner', 'Owner']);
    const { code, stdout } = await run('user', 'remove', '--email', 'Ben@example.org', '--json');
    assert.deepEqual([code, JSON.parse(stdout).email], [0, 'ben@example.org']);
    assertStatus(await ben.get('/projects'), 401);
    assert.deepEqual(texts(await ada.get(`/projects/${projectId}`), 'role'), ['Owner']);
    const kept = await ada.get(story);
    assert.deepEqual(
      ['requested_by', 'owned_by', 'author'].map((name) => textOf(kept, name)),
      ['Ben', 'Ben', 'Ben'],
    );
    assert.match(textOf(await ada.get(`/projects/${projectId}/activities`), 'description'), /^Ben added comment/);
    await refused(/No user has the address ben@/, 2, 'user', 'remove', '--email', 'ben@example.org');
  });

  it('of a user waits until no project is left without an owner', async () => {
    const cleo = await service.user('Cleo');
    const projectId = await newProject(cleo, 'Gemini');
    await addMember(cleo, projectId, ada, 'Member');
    const sentence = new RegExp(`Cleo is the only owner of project ${projectId}, Gemini. Make someone else`);
    await refused(sentence, 1, 'user', 'remove', '--email', cleo.email);
    assertStatus(await cleo.get(`/projects/${projectId}`), 200);
    await addMember(cleo, projectId, ada, 'Owner');
    assert.equal((await run('user', 'remove', '--email', cleo.email)).stdout, 'Removed Cleo <cleo@example.org>.\n');
  });

  it('of a project takes all that is in it along, and its number is never given again', async () => {
    const dora = await service.user('Dora');
    const projectId = await newProject(dora, 'Mercury');
    await service.running.database.write((tx) => setWebHook(tx, projectId, { url: 'http://127.0.0.1:1/' }, Date.now()));
    const story = `/projects/${projectId}/stories/${await newStory(dora, projectId, 'Orbit', '<labels>far</labels>')}`;
    const form = new FormData();
    form.set('Filedata', new Blob(['x']), 'x.txt');
    assertStatus(await dora.post(`${story}/attachments`, form), 200);
    assertStatus(await dora.get(`/projects/${projectId}/stories`), 200);
    const remove = ['project', 'remove', '--project', String(projectId), '--name'];
    await refused(/is named Mercury. To remove it, pass that name with --name/, 2, ...remove, 'mercury');
    assertStatus(await dora.get(story), 200);
    assert.equal((await run(...remove, 'Mercury')).stdout, `Removed project ${projectId}, Mercury.\n`);
    for (const path of [story, `/projects/${projectId}/stories`, `/projects/${projectId}/activities`])
      assertStatus(await dora.get(path), 404);
    for (const path of ['/projects', '/memberships', '/activities'])
      assert.deepEqual(texts(await dora.get(path), 'id'), []);
    assert.deepEqual(await storedFiles(folder), []);
    assert.equal((await sweptFiles(folder)).length, 1);
    const { jobs, queues } = await service.running.database.read(async (tx) => ({
      jobs: await tx.selectFrom('jobs').select('key').execute(),
      queues: await tx.selectFrom('queues').select('key').execute(),
    }));
    assert.deepEqual(
      [...jobs, ...queues].filter(({ key }) => key === String(projectId)),
      [],
    );
    assert.ok((await newProject(dora, 'Next')) > projectId);
  });

  it('of the demo and its user holds up no later start', async () => {
    const data = await temporaryFolder();
    const first = await startTestService({ dataFolder: data, demo: true, embedded: true });
    await first.running.database.write(async (tx) => {
      const [project, user] = [await projectById(tx, 1), await userByEmail(tx, 'nora.vesper@example.com')];
      assert.ok(project && user);
      await removeProject(tx, project);
      await removeUser(tx, user);
    });
    await first.stop();
    for (const embedded of [true, false]) {
      const again = await startTestService({ dataFolder: data, demo: true, embedded });
      assert.ok(again.running.token);
      await again.stop();
    }
    await rm(data, { recursive: true, force: true });
    await dropDatabaseOf(data);
  });
});

describeOnPostgres('a change of someone who is removed before it ends', () => {
  it('is begun anew, and finds them gone', async () => {
    const service = await startTestService();
    try {
      const { database } = service.running;
      const address = (await databaseOf(service.folder)).database ?? '';
      const { id } = await database.write((tx) => addUser(tx, { name: 'Bo', email: 'bo@example.org' }, 0));
      let tries = 0;
      const outcome = await database.write(async (tx) => {
        tries += 1;
        if (!(await userByEmail(tx, 'bo@example.org'))) return 'gone';
        await queryDatabase(address, `delete from users where id = ${id}`);
        await mintToken(tx, id, 'user', 0);
        return 'made';
      });
      assert.deepEqual([outcome, tries], ['gone', 2]);
    } finally {
      await service.stop();
    }
  });
});
