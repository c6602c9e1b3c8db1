import assert from 'node:assert/strict';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { newProject, storyNames } from './support/project.ts';
import { textOf, texts } from './support/request.ts';
import { runService, serveProcess } from './support/serviceProcess.ts';
import { type TestUser, temporaryFolder, userOf } from './support/testService.ts';

const KILLS = 20;

describe('a service that is killed', () => {
  it('keeps every write it answered, once, in order', async function () {
    this.timeout(120_000);
    const folder = await temporaryFolder();
    const added = await runService(['user', 'add', '--name', 'Ada', '--email', 'a@example.org', '--data', folder]);
    const token = added.stdout.trim().split('\n').at(-1) ?? '';
    const answered: string[] = [];
    const attached: number[] = [];
    let projectId = 0;
    for (let round = 0; round < KILLS; round += 1) {
      const service = await serveProcess(['--data', folder]);
      const ada = userOf(service.url, 'Ada', '', token);
      if (projectId === 0) projectId = await newProject(ada);
      const writers = [0, 1, 2].map((writer) =>
        writeUntilKilled(ada, projectId, `${round}.${writer}`, answered, attached),
      );
      await wait(20 + 15 * (round % 8));
      await service.end('SIGKILL');
      await Promise.all(writers);
    }
    const service = await serveProcess(['--data', folder]);
    const ada = userOf(service.url, 'Ada', '', token);
    const names = await storyNames(ada, projectId);
    assert.ok(answered.length > KILLS, 'something was written between the kills');
    for (const name of answered) assert.equal(names.filter((each) => each === name).length, 1, name);
    assert.equal(new Set(names).size, names.length);
    for (const id of attached) await sameBytes(ada, projectId, id);
    const versions = texts(await ada.get('/activities?limit=100'), 'version').map(Number);
    assert.ok(versions.every((version, index) => index === 0 || version < (versions[index - 1] ?? 0)));
    assert.equal(await service.end('SIGTERM'), 0);
    const files = await readdir(join(folder, 'attachments'));
    assert.ok(files.length >= attached.length);
    await rm(folder, { recursive: true, force: true });
  });
});

/** Adds stories with a move and a file each, noting what was answered, until the service is gone. */
async function writeUntilKilled(
  user: TestUser,
  projectId: number,
  prefix: string,
  answered: string[],
  attached: number[],
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
