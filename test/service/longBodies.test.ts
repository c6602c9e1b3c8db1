import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { eventually } from '../support/eventually.ts';
import { newProject, newStory } from './support/project.ts';
import { assertStatus } from './support/request.ts';
import { startTestService, type TestService, type TestUser } from './support/testService.ts';

const LONGEST = 4 * 1024 * 1024;
const SHORT = '<story><name>Beacons</name></story>';

describe('long bodies', () => {
  let service: TestService;
  let ada: TestUser;
  let story: string;

  async function open(bodyTime: number): Promise<void> {
    service = await startTestService({ bodyTime });
    ada = await service.user('Ada');
    const projectId = await newProject(ada);
    story = `/projects/${projectId}/stories/${await newStory(ada, projectId, 'Buoys')}`;
  }
  afterEach(() => service.stop());

  /** Sends half of a body, or so many bytes of it, and no more. */
  function begun({ token } = ada, sent = LONGEST / 2): Promise<Socket> {
    const { hostname, port } = new URL(service.url);
    return new Promise((resolve) => {
      const socket = connect(Number(port), hostname);
      const head = [`PUT /services/v3${story} HTTP/1.1`, `Host: ${hostname}`, `X-ServiceToken: ${token}`];
      socket.write(`${head.join('\r\n')}\r\nContent-Length: ${LONGEST}\r\n\r\n`);
      socket.write(Buffer.alloc(sent, ' '), () => resolve(socket));
      socket.on('error', () => undefined).resume();
    });
  }

  it('wait for room while others take it, and short ones do not', async () => {
    await open(60_000);
    const holders = await Promise.all(Array.from({ length: 4 }, () => begun()));
    const waiting = await eventually(async () => {
      const long = ada.put(story, `<story><description>${'a'.repeat(100_000)}</description></story>`);
      let isAnswered = false;
      long.then(() => {
        isAnswered = true;
      });
      for (let times = 0; times < 20; times += 1) assertStatus(await ada.put(story, SHORT), 200);
      assert.equal(isAnswered, false);
      return { long };
    });
    for (const holder of holders) holder.destroy();
    assertStatus(await waiting.long, 200);
  });

  const longStory = (): string => `<story><description>${'a'.repeat(80_000)}</description></story>`;

  it('go on while someone else sends halves of many, whatever they have a right to', async () => {
    await open(60_000);
    const stranger = await service.user('Sol');
    const halves = await Promise.all(Array.from({ length: 20 }, () => begun(stranger, 66_000)));
    for (let times = 0; times < 5; times += 1) assertStatus(await ada.put(story, longStory()), 200);
    assert.ok(halves.filter(({ closed }) => !closed).length >= 20);
    for (const half of halves) half.destroy();
  });

  it('go on when several others have all the room, of whom the slowest are refused', async () => {
    await open(60_000);
    const strangers = await Promise.all(['Sol', 'Sam', 'Sue'].map((name) => service.user(name)));
    const halves = await Promise.all(strangers.flatMap((one) => [begun(one, 66_000), begun(one, 66_000)]));
    assertStatus(await ada.put(story, longStory()), 200);
    for (const half of halves) half.destroy();
  });

  it('give room back when they are refused, broken off or too late', async () => {
    await open(4_000);
    const tooLong = `<story><name>${' '.repeat(LONGEST)}</name></story>`;
    for (let times = 0; times < 4; times += 1) assertStatus(await ada.put(story, tooLong), 413);
    for (let times = 0; times < 4; times += 1) (await begun()).destroy();
    const late = await Promise.all([begun(), begun()]);
    const description = 'b'.repeat(100_000);
    assertStatus(await ada.put(story, `<story><description>${description}</description></story>`), 200);
    for (const one of late) one.destroy();
  });
});
