import assert from 'node:assert/strict';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { eventually } from '../support/eventually.ts';
import { newProject, storyNames } from './support/project.ts';
import { textOf, texts } from './support/request.ts';
import { runService, serveProcess } from './support/serviceProcess.ts';
import { type TestUser, temporaryFolder, userOf } from './support/testService.ts';

/** `SERVICE_KILLS` is for the long form. */
const KILLS = Number(process.env.SERVICE_KILLS ?? 20);
/** Milliseconds that each of many writers rests, so that what they write can all be looked at afterwards. */
const REST = 40;

describe('a service that is killed', () => {
  it('keeps every write it answered, once, in order', async function () {
    this.timeout(120_000 + KILLS * 10_000);
    const { folder, token } = await newData();
    const written = { answered: [], attached: [] };
    let projectId = 0;
    for (let round = 0; round < KILLS; round += 1) {
      const service = await serveProcess(['--data', folder]);
      const ada = userOf(service.url, 'Ada', '', token);
      if (projectId === 0) projectId = await newProject(ada);
      const writers = [0, 1, 2].map((writer) => writeUntilKilled(ada, projectId, `${round}.${writer}`, written));
      await untilKill(round, written);
      await service.end('SIGKILL');
      await Promise.all(writers);
    }
    const service = await serveProcess(['--data', folder]);
    const ada = userOf(service.url, 'Ada', '', token);
    await assertKept(ada, projectId, written);
    assert.equal(await service.end('SIGTERM'), 0);
    const files = await readdir(join(folder, 'attachments'));
    assert.ok(files.length >= written.attached.length);
    await rm(folder, { recursive: true, force: true });
  });

  it('takes nothing from the two others on the same data', async function () {
    this.timeout(120_000 + KILLS * 10_000);
    const { folder, token } = await newData();
    const written = { answered: [], attached: [] };
    const processes = await Promise.all([0, 1, 2].map(() => serveProcess(['--data', folder])));
    const users = processes.map(({ url }) => userOf(url, 'Ada', '', token));
    const [ada] = users;
    assert.ok(ada);
    const projectId = await newProject(ada);
    const writers = users.map((user, index) => writeUntilKilled(user, projectId, `${index}`, written, REST));
    for (let round = 0; round < KILLS / 3; round += 1) {
      const killed = round % processes.length;
      await untilKill(round, written);
      await processes[killed]?.end('SIGKILL');
      await writers[killed];
      const service = await serveProcess(['--data', folder]);
      processes[killed] = service;
      const user = userOf(service.url, 'Ada', '', token);
      writers[killed] = writeUntilKilled(user, projectId, `${round}.${killed}`, written, REST);
    }
    await Promise.all(processes.map(({ end }) => end('SIGKILL')));
    await Promise.all(writers);
    const last = await serveProcess(['--data', folder]);
    await assertKept(userOf(last.url, 'Ada', '', token), projectId, written);
    assert.equal(await last.end('SIGTERM'), 0);
    await rm(folder, { recursive: true, force: true });
  });
});

/** What was answered as done: names of stories, and the stories to which a file was attached. */
interface Written {
  readonly answered: string[];
  readonly attached: number[];
}

async function newData(): Promise<{ readonly folder: string; readonly token: string }> {
  const folder = await temporaryFolder();
  const added = await runService(['user', 'add', '--name', 'Ada', '--email', 'a@example.org', '--data', folder]);
  return { folder, token: added.stdout.trim().split('\n').at(-1) ?? '' };
}

/** Kills hit at other moments each time: every other round a while after a write was answered, else whatever was done till then. */
async function untilKill(round: number, { answered }: Written): Promise<void> {
  const before = answered.length;
  if (round % 2 === 0) await eventually(() => assert.ok(answered.length > before));
  await wait(20 + 15 * (round % 8));
}

async function assertKept(ada: TestUser, projectId: number, { answered, attached }: Written): Promise<void> {
  const names = await storyNames(ada, projectId);
  assert.ok(answered.length >= KILLS / 4, 'something was written between the kills');
  for (const name of answered) assert.equal(names.filter((each) => each === name).length, 1, name);
  assert.equal(new Set(names).size, names.length);
  for (const id of attached) await sameBytes(ada, projectId, id);
  assert.deepEqual(await gaps(ada), []);
}

/** Versions of the newest activities that do not follow on the one before. */
async function gaps(ada: TestUser): Promise<readonly number[]> {
  const versions = texts(await ada.get('/activities?limit=100'), 'version')
    .map(Number)
    .reverse();
  assert.ok(versions.length >= KILLS / 4);
  return versions.filter((version, index) => index > 0 && version !== (versions[index - 1] ?? 0) + 1);
}

/** Adds stories with a move and a file each, noting what was answered, until the service is gone. */
async function writeUntilKilled(
  user: TestUser,
  projectId: number,
  prefix: string,
  { answered, attached }: Written,
  rest = 0,
): Promise<void> {
  const stories = `/projects/${projectId}/stories`;
  let last: number | undefined;
  try {
    for (let index = 0; ; index += 1) {
      const name = `${prefix}.${index}`;
      const body = `<story><name>${name}</name><current_state>unstarted</current_state></story>`;
      const id = Number(textOf(await user.post(stories, body), 'id'));
      answered.push(name);
      if (last !== undefined) await user.post(`${stories}/${id}/moves?move[move]=before&move[target]=${last}`);
      last = id;
      const form = new FormData();
      form.set('Filedata', new Blob([`bytes of ${id}`]), 'x.txt');
      const upload = await user.post(`${stories}/${id}/attachments`, form);
      if (upload.status === 200) attached.push(id);
      if (rest > 0) await wait(rest);
    }
  } catch (error) {
    assert.ok(error instanceof TypeError, String(error));
  }
}

async function sameBytes(user: TestUser, projectId: number, storyId: number): Promise<void> {
  const path = `/projects/${projectId}/stories/${storyId}`;
  const id = /<attachment>\s*<id type="integer">(\d+)/.exec((await user.get(path)).text)?.[1];
  const url = textOf(await user.get(`${path}/attachments/${id}`), 'url').replaceAll('&amp;', '&');
  assert.equal(await (await fetch(url)).text(), `bytes of ${storyId}`);
}
