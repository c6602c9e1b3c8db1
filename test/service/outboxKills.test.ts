import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createTracker, type HttpTracker } from '../../src/client/tracker/httpTracker.ts';
import { silentLog } from '../support/silentLog.ts';
import { bundledProgram } from './support/bundledProgram.ts';
import type { OutboxJob } from './support/outboxProcess.ts';
import { newBacklog, newProject } from './support/project.ts';
import { startTestService, type TestService } from './support/testService.ts';

/** `OUTBOX_KILLS=1000` for a long run. */
const KILLS = Number(process.env.OUTBOX_KILLS ?? 24);
const WINDOWS = 2;
const source = fileURLToPath(new URL('./support/outboxProcess.ts', import.meta.url));

describe('An outbox whose windows are killed while they send to the service', () => {
  let service: TestService;
  let tracker: HttpTracker;
  let folder: string;
  let program: string;

  before(async () => {
    service = await startTestService();
    folder = await mkdtemp(join(tmpdir(), 'story-tracker-outbox-kills-'));
    program = await bundledProgram(source, folder);
  });
  after(async () => {
    await tracker?.close();
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('loses nothing that was on disk, sends nothing twice, and keeps its order', async function () {
    this.timeout(60_000 + KILLS * 5_000);
    const ada = await service.user('Ada');
    const projectId = await newProject(ada);
    const storyIds = await newBacklog(ada, projectId, ['One', 'Two', 'Three']);
    tracker = createTracker({ baseUrl: service.url, token: async () => ada.token, log: silentLog });
    const path = join(folder, 'replica.sqlite');
    const job = { path, url: service.url, token: ada.token, projectId, storyIds };
    const kept: string[] = [];
    for (let kills = 0; kills < KILLS; kills += WINDOWS) {
      const windows = Array.from({ length: WINDOWS }, (_, index) =>
        runUntilKilled(program, { ...job, name: `w${kills + index}` }, 3 + (((kills + index) * 37) % 160), kept),
      );
      await Promise.all(windows);
    }
    await runUntilKilled(program, { ...job, name: 'last', count: 5 }, undefined, kept);
    assert.ok(kept.length > KILLS, `${kept.length} were on disk`);
    const notes = await Promise.all(storyIds.map((storyId) => tracker.listNotes({ projectId, storyId })));
    const all = notes.flat().toSorted((one, other) => one.id - other.id);
    const named = (text: string) => /(?:^|commit-)(\w+\.\d+)/.exec(text)?.[1] ?? text;
    for (const [index, ofStory] of notes.entries()) {
      const texts = ofStory.map(({ text }) => named(text));
      assert.equal(new Set(texts).size, texts.length, `something is twice on story ${index}`);
    }
    const shown = new Map<string, number>();
    for (const { text } of all) shown.set(named(text), (shown.get(named(text)) ?? 0) + 1);
    const stories = await tracker.listStories(projectId, {});
    const made = stories.filter(({ id }) => !storyIds.includes(id));
    assert.ok(made.length > KILLS / 12, `${made.length} stories were made`);
    const madeOf = Map.groupBy(made, ({ name }) => name);
    for (const text of kept.filter(isNewStory)) assert.equal(madeOf.get(text)?.length, 1, `${text} is there`);
    for (const { name, state, tasks } of made) {
      assert.equal(madeOf.get(name)?.length, 1, `${name} is there once`);
      assert.deepEqual(
        [state, ...tasks.map(({ description, complete }) => [description, complete])],
        ['unstarted', [name, true]],
        `${name} stands beside its neighbour, with its task`,
      );
    }
    for (const text of kept.filter((one) => !isNewStory(one))) {
      const isLink = Number(text.split('.')[1]) % 4 === 3;
      assert.equal(shown.get(text), isLink ? storyIds.length : 1, text);
    }
    const byWindow = Map.groupBy([...shown.keys()], (text) => text.split('.')[0]);
    for (const texts of byWindow.values()) {
      const places = texts.map((text) => Number(text.split('.')[1]));
      assert.deepEqual(
        places,
        places.toSorted((one, other) => one - other),
        `order of ${texts[0]}`,
      );
    }
  });
});

/** As the windows add them. */
const isNewStory = (text: string) => Number(text.split('.')[1]) % 12 === 5;

/** Runs one window, noting what it says is on disk, and kills it so long after it has begun; lets it end when no time is given. */
async function runUntilKilled(
  program: string,
  job: OutboxJob,
  milliseconds: number | undefined,
  kept: string[],
): Promise<void> {
  const child = spawn(process.execPath, [program, JSON.stringify(job)], { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  const lines = createInterface({ input: child.stdout });
  const closed = once(lines, 'close');
  const begun = once(lines, 'line');
  lines.on('line', (line) => {
    if (line !== 'ready') kept.push(line);
  });
  await Promise.race([begun, exited]);
  if (milliseconds !== undefined) {
    await sleep(milliseconds);
    child.kill('SIGKILL');
  }
  const [code, signal] = await exited;
  await closed;
  if (milliseconds === undefined) assert.equal(code, 0, `ended with ${code ?? signal}`);
  else assert.equal(signal, 'SIGKILL');
}
