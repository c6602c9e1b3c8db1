import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Database } from '../../src/service/store/database.ts';
import { waitingJobs } from '../../src/service/store/jobs/queues.ts';
import { openStore } from '../../src/service/store/openStore.ts';
import { mintToken } from '../../src/service/store/people/tokens.ts';
import { addUser } from '../../src/service/store/people/users.ts';
import { setWebHook } from '../../src/service/store/projects/webHook.ts';
import { eventually } from '../support/eventually.ts';
import { bundledProgram } from './support/bundledProgram.ts';
import { HookReceiver } from './support/hookReceiver.ts';
import { newProject, newStory } from './support/project.ts';
import { textOf } from './support/request.ts';
import { runService, type ServiceProcess, serveProcess } from './support/serviceProcess.ts';
import { databaseOf, dropDatabaseOf } from './support/testDatabase.ts';
import { type TestUser, temporaryFolder, userOf } from './support/testService.ts';

/** `SERVICE_KILLS` is for the long form. */
const KILLS = Number(process.env.SERVICE_KILLS ?? 4);

describe('web hooks of processes', function () {
  this.timeout(120_000);
  let folder: string;
  let token: string;
  let store: Database;
  let receiver: HookReceiver;
  let processes: ServiceProcess[];
  let programs: string;
  let quick: string;

  before(async () => {
    programs = await temporaryFolder();
    quick = await bundledProgram(fileURLToPath(new URL('support/quickService.ts', import.meta.url)), programs);
  });
  after(() => rm(programs, { recursive: true, force: true }));

  beforeEach(async () => {
    folder = await temporaryFolder();
    receiver = await HookReceiver.start();
    processes = [];
    store = (await openStore(folder, await databaseOf(folder))).database;
    token = await store.write(async (tx) => {
      const { id } = await addUser(tx, { name: 'Ada', email: 'ada@example.org' }, Date.now());
      return mintToken(tx, id, 'user', Date.now());
    });
  });
  afterEach(async () => {
    const codes = await Promise.all(processes.map(({ end }) => end('SIGTERM')));
    assert.ok(codes.every((code) => code === 0));
    await receiver.close();
    await store.close();
    await rm(folder, { recursive: true, force: true });
    await dropDatabaseOf(folder);
  });

  async function serve(): Promise<{ readonly process: ServiceProcess; readonly ada: TestUser }> {
    const process = await serveProcess(['--data', folder], quick);
    processes.push(process);
    return { process, ada: userOf(process.url, 'Ada', 'ada@example.org', token) };
  }

  async function kill(process: ServiceProcess): Promise<void> {
    processes = processes.filter((one) => one !== process);
    assert.equal(await process.end('SIGKILL'), 'SIGKILL');
  }

  async function command(...args: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await runService([...args, '--data', folder]);
    assert.equal(code, 0, stderr);
    return stdout;
  }

  async function refused(sentence: RegExp, args: readonly string[], input = ''): Promise<void> {
    const { code, stderr } = await runService([...args, '--data', folder], input);
    assert.equal(code, 2, stderr);
    assert.match(stderr, sentence);
  }

  async function hookedProject(ada: TestUser, path = '/hook'): Promise<number> {
    const projectId = await newProject(ada);
    await store.write((tx) => setWebHook(tx, projectId, { url: receiver.url(path) }, Date.now()));
    return projectId;
  }

  const left = () => store.read(waitingJobs);

  const list = async (): Promise<Record<string, unknown>[]> =>
    JSON.parse(await command('deliveries', 'list', '--json'));

  it('are posted once and in order by two of them on the same data', async () => {
    const { ada: first } = await serve();
    const { ada: second } = await serve();
    const projects = [await hookedProject(first, '/a'), await hookedProject(second, '/b')];
    receiver.plan.push(500, 200, 503);
    const expected = await Promise.all(
      projects.map(async (projectId, index) => {
        const names = Array.from({ length: 20 }, (_, number) => `${index}.${number}`);
        for (const [number, name] of names.entries()) await newStory(number % 2 ? first : second, projectId, name);
        return names;
      }),
    );
    await eventually(() => assert.ok(receiver.taken.length >= 40), 60_000);
    const of = (path: string) => receiver.names.filter((_, index) => receiver.taken[index]?.path === path);
    assert.deepEqual([of('/a'), of('/b')], expected);
    await eventually(async () => assert.deepEqual(await left(), []));
  });

  it('wait on disk when all processes are killed, and arrive when one is back', async () => {
    const { process, ada } = await serve();
    const projectId = await hookedProject(ada);
    receiver.plan.push(500, 500);
    const names = ['A', 'B', 'C'];
    for (const name of names) await newStory(ada, projectId, name);
    await eventually(() => assert.ok(receiver.posts.length > 0));
    await kill(process);
    assert.equal(receiver.taken.length, 0);
    await serve();
    await eventually(() => assert.deepEqual(receiver.names, names), 40_000);
  });

  it('arrive when the process is killed that was posting them', async () => {
    const { process, ada } = await serve();
    const projectId = await hookedProject(ada);
    receiver.plan.push('hang');
    for (const name of ['A', 'B']) await newStory(ada, projectId, name);
    await eventually(() => assert.equal(receiver.posts.length, 1));
    await kill(process);
    await serve();
    await eventually(() => assert.deepEqual(receiver.names, ['A', 'B']), 40_000);
    const [lost, again] = receiver.posts;
    assert.equal(again?.headers['x-servicedelivery'], lost?.headers['x-servicedelivery']);
  });

  it('are left to the next process when one stops in the middle of a post', async () => {
    const { process, ada } = await serve();
    const projectId = await hookedProject(ada);
    receiver.plan.push('hang');
    for (const name of ['A', 'B']) await newStory(ada, projectId, name);
    await eventually(() => assert.equal(receiver.posts.length, 1));
    processes = [];
    assert.equal(await process.end('SIGTERM'), 0);
    const [first] = await left();
    assert.deepEqual([first?.attempts, first?.lastError], [0, null]);
    await serve();
    await eventually(() => assert.deepEqual(receiver.names, ['A', 'B']));
  });

  it('arrive in order, however often those are killed that post them, and again only where one was killed', async function () {
    this.timeout(120_000 + KILLS * 10_000);
    const { ada, process: first } = await serve();
    const projectId = await hookedProject(ada);
    const { process: second, ada: other } = await serve();
    const running = [first, second];
    const users = [ada, other];
    const names: string[] = [];
    for (let round = 0; round < KILLS; round += 1) {
      const user = users[(round + 1) % 2] ?? ada;
      for (let count = 0; count < 5; count += 1) {
        const name = `${round}.${count}`;
        await newStory(user, projectId, name);
        names.push(name);
      }
      const victim = running[round % 2];
      if (victim) await kill(victim);
      const next = await serve();
      running[round % 2] = next.process;
      users[round % 2] = next.ada;
    }
    await eventually(() => assert.equal(new Set(receiver.names).size, names.length), 60_000);
    const versions = receiver.taken.map(({ body }) => Number(textOf({ text: body }, 'version')));
    assert.deepEqual(
      versions,
      versions.toSorted((one, another) => one - another),
    );
    assert.deepEqual([...new Set(receiver.names)], names);
    assert.ok(versions.length <= names.length + KILLS, String(versions));
  });

  it('are listed, tried again and forgotten by the command line', async () => {
    const { ada } = await serve();
    const projectId = await hookedProject(ada, '/hook?key=not-to-be-shown');
    await receiver.close();
    for (const name of ['A', 'B']) await newStory(ada, projectId, name);
    await eventually(async () => assert.ok(Number((await left())[0]?.attempts) > 0));
    const [first, second] = await list();
    assert.deepEqual([first?.kind, first?.for, first?.parkedAt], ['web_hook', String(projectId), null]);
    assert.match(String(first?.lastError), /ECONNREFUSED/);
    const text = await command('deliveries', 'list');
    assert.match(text, new RegExp(`^${first?.id}\tweb_hook\t${projectId}\twaiting\t.*\n${second?.id}\tweb_hook\t`));
    assert.doesNotMatch(text + JSON.stringify(first), /not-to-be-shown/);
    assert.equal(await command('deliveries', 'list', '--parked'), '');
    assert.match(await command('deliveries', 'retry', '--all'), /Retrying 2 deliveries/);
    assert.match(await command('deliveries', 'discard', '--id', String(first?.id)), /Discarded 1 delivery/);
    await receiver.open();
    await eventually(() => assert.deepEqual(receiver.names, ['B']));
    await eventually(async () => assert.deepEqual(await left(), []));
    assert.deepEqual(await list(), []);
  });

  it('are set up with a secret from standard input, and refused in a sentence when that cannot be', async () => {
    const { ada } = await serve();
    const projectId = String(await newProject(ada));
    const url = `web_hook_url=${receiver.url()}`;
    const set = (input: string, ...args: readonly string[]) =>
      runService(['project', 'set', '--project', projectId, '--data', folder, ...args], input);
    const good = await set('a secret that is long enough\n', '--set', url, '--web-hook-secret-stdin');
    assert.equal(good.code, 0, good.stderr);
    assert.match(good.stdout, /Its activity goes to http:\/\/127\.0\.0\.1:\d+\.$/m);
    assert.doesNotMatch(good.stdout, /long enough/);
    await newStory(ada, Number(projectId), 'Signed');
    await eventually(() =>
      assert.match(String(receiver.taken[0]?.headers['x-servicesignature']), /^sha256=[0-9a-f]{64}$/),
    );
    assert.doesNotMatch(good.stdout, /Other users/);
    const typed = await set('', '--set', `${url}?key=k`);
    assert.match(typed.stdout, /Other users of this machine could read that address.*--web-hook-url-file/);
    const hidden = await set(`${receiver.url()}?key=k\n`, '--web-hook-url-file', '-');
    assert.match(hidden.stdout, /Its activity goes to http:\/\/127\.0\.0\.1:\d+\.$/m);
    assert.doesNotMatch(hidden.stdout, /Other users|key/);
    const away = await set('', '--set', 'web_hook_url=');
    assert.match(away.stdout, /posted nowhere/);
    const id = ['--project', projectId];
    const secret = '--web-hook-secret-stdin';
    await Promise.all([
      refused(/from 16 to 500 characters/, ['project', 'set', ...id, secret], 'short'),
      refused(/URL or the secret, not both/, ['project', 'set', ...id, secret, '--web-hook-url-file', '-']),
      refused(/Could not read the file .*nowhere/, [
        'project',
        'set',
        ...id,
        '--web-hook-url-file',
        join(folder, 'nowhere'),
      ]),
      refused(/an address such as https/, ['project', 'set', ...id, '--set', 'web_hook_url=ftp://x']),
      refused(/is not an allowed web hook address/, [
        'project',
        'set',
        ...id,
        '--set',
        'web_hook_url=http://169.254.169.254/x',
      ]),
      refused(/Pass either --id or --all/, ['deliveries', 'retry']),
      refused(/Pass either --id or --all-parked/, ['deliveries', 'discard', '--id', '1', '--all-parked']),
      refused(/No delivery has the ID 999/, ['deliveries', 'retry', '--id', '999']),
    ]);
  });
});
