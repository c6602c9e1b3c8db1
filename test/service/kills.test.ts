import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Seeded } from '../support/measures/seeded.ts';
import { bundledProgram } from './support/bundledProgram.ts';
import { KillWorld } from './support/killWorld.ts';
import { storyNames } from './support/project.ts';
import { texts } from './support/request.ts';
import { killAtStart, serveProcess, serviceProgram } from './support/serviceProcess.ts';
import { dropDatabaseOf, onPostgres } from './support/testDatabase.ts';
import { temporaryFolder, userOf } from './support/testService.ts';

/** `SERVICE_KILLS` of a long run, which `scripts/attackService.ts kills` starts; of both tests together. */
const LONG = process.env.SERVICE_KILLS;
const KILLS = Number(LONG ?? (onPostgres ? 15 : 30));
/** `SERVICE_SEED` of an earlier run: the same writes and kills, in so far as processes run at the same pace. */
const SEED = Number(process.env.SERVICE_SEED ?? Math.floor(Math.random() * 2 ** 31));
/** Several processes are what PostgreSQL is for. */
const OF_SEVERAL = Math.ceil(onPostgres ? (KILLS * 2) / 3 : KILLS / 3);
const FIRST_STARTS = Math.ceil(KILLS / 5);
/** Milliseconds in which a start has made its tables and filled them, on a quiet machine. */
const LONGEST_START = 700;
const LIMIT = 60_000 + KILLS * 10_000;
const quick = fileURLToPath(new URL('support/quickService.ts', import.meta.url));

describe(`A service that is killed while many write (SERVICE_SEED=${SEED})`, () => {
  let folder: string;
  let program: string;
  let main: string;

  before(async function () {
    this.timeout(60_000);
    folder = await temporaryFolder();
    program = await bundledProgram(quick, folder);
    main = await serviceProgram();
  });
  after(() => rm(folder, { recursive: true, force: true }));

  async function survives(processes: number, kills: number, seed: number): Promise<void> {
    const world = await KillWorld.open({ chance: new Seeded(seed), program, processes });
    try {
      await world.run(kills);
      assert.ok(world.answered > kills, `${world.answered} writes were answered`);
      if (LONG !== undefined) process.stdout.write(`      ${world.summary}\n`);
    } finally {
      await world.close();
    }
  }

  it('keeps every write it answered, whole, once and in order, tells of it, and keeps no file that nobody names', async function () {
    this.timeout(LIMIT);
    await survives(1, KILLS - OF_SEVERAL, SEED);
  });

  it('has its demo once and whole, however often it was killed while it was filled for the first time', async function () {
    this.timeout(LIMIT);
    const chance = new Seeded(SEED + 2);
    const [killed, whole] = [await temporaryFolder(), await temporaryFolder()];
    for (let kills = 0; kills < FIRST_STARTS; kills += 1) {
      await killAtStart(['--demo', '--data', killed], main, chance.below(LONGEST_START));
    }
    assert.deepEqual(await demoOf(killed), await demoOf(whole));
    for (const each of [killed, whole]) {
      await rm(each, { recursive: true, force: true });
      await dropDatabaseOf(each);
    }
  });

  /** The names of what a service has that was just started, with its demo. */
  async function demoOf(data: string): Promise<readonly string[]> {
    const service = await serveProcess(['--demo', '--data', data], main);
    const user = userOf(service.url, 'Demo', '', service.token);
    const projects = texts(await user.get('/projects'), 'id').map(Number);
    const [projectId = 0] = projects;
    const names = await storyNames(user, projectId);
    const activities = texts(await user.get('/activities?limit=100'), 'description');
    assert.equal(await service.end('SIGTERM'), 0);
    return [`${projects.length} projects`, ...names, ...activities];
  }

  it('takes nothing from the two others on the same data, which go on', async function () {
    this.timeout(LIMIT);
    await survives(3, OF_SEVERAL, SEED + 1);
  });
});
