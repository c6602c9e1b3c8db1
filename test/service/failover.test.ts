import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { openPostgres } from '../../src/service/store/postgres/openPostgres.ts';
import { eventually } from '../support/eventually.ts';
import { type PostgresServer, startPostgres } from '../support/postgres/postgresServer.ts';
import { newBacklog, newProject, newStory, storyNames } from './support/project.ts';
import { assertStatus } from './support/request.ts';
import { TcpGate } from './support/tcpGate.ts';
import { describeOnPostgres, queryDatabase } from './support/testDatabase.ts';
import { startTestService, temporaryFolder } from './support/testService.ts';

const host = '127.0.0.1';
const PACE = { look: 20, trust: 300, rest: 100 };

describeOnPostgres('a replica that was behind and takes over', () => {
  let folder: string;
  let server: PostgresServer;
  let copy: string;
  let gate: TcpGate;
  let address: string;

  beforeEach(async () => {
    folder = await temporaryFolder();
    server = await startPostgres();
    gate = await TcpGate.before({ host, port: Number(new URL(server.address).port) });
    address = at(gate.port);
  });
  afterEach(async () => {
    await gate.close();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  });

  async function fallBehind(): Promise<void> {
    copy = at((await server.copy()).port);
  }

  function at(port: number): string {
    const url = new URL(server.address);
    url.port = String(port);
    return url.href;
  }

  function failOver(): void {
    gate.shut();
    gate.leadTo({ host, port: Number(new URL(copy).port) });
    gate.open();
  }

  const snapshotOf = async (database: string) =>
    String((await queryDatabase(database, 'select pg_current_snapshot()::text as words'))[0]?.words);

  /** Begins transactions there until what is visible has the same words as elsewhere. */
  async function catchUp(database: string, words: string): Promise<void> {
    const next = (snapshot: string) => Number(snapshot.split(':')[1]);
    while (next(await snapshotOf(database)) < next(words)) await queryDatabase(database, 'select pg_current_xact_id()');
    assert.equal(await snapshotOf(database), words);
  }

  for (const isAlone of [true, false]) {
    const who = isAlone ? 'a process that writes alone' : 'one of several processes';
    it(`gives ${who} no stamp that it had before, though as much was changed since as was lost`, async () => {
      await (await openPostgres(server.address)).close();
      await fallBehind();
      const pace = isAlone ? PACE : { ...PACE, rest: 3_600_000 };
      const store = await openPostgres(address, { lockPatience: 5_000, pace });
      const stamped = () =>
        eventually(async () => {
          const stamp = store.stamp();
          assert.equal(typeof stamp === 'string', isAlone);
          return await stamp;
        }, 20_000);
      for (let count = 0; count < 30; count += 1) {
        await queryDatabase(server.address, 'create table lost (); drop table lost');
      }
      // What a look of its own may begin is no change.
      const before = await eventually(async () => {
        const words = await snapshotOf(server.address);
        const stamp = String(await stamped());
        assert.ok(stamp.includes(words), `${stamp} ${words}`);
        return { words, stamp };
      });
      failOver();
      await catchUp(copy, before.words);
      const after = await eventually(async () => {
        const stamp = String(await stamped());
        assert.ok(stamp.includes(before.words), stamp);
        return stamp;
      }, 20_000);
      assert.notEqual(after, before.stamp);
      await store.close();
    });
  }

  it('is served as it is, by a service that goes on', async () => {
    const service = await startTestService({ dataFolder: folder, database: address, lockPatience: 2_000 });
    await service.stop();
    await fallBehind();
    const again = await startTestService({ dataFolder: folder, database: address, lockPatience: 2_000 });
    const ada = await again.user('Ada');
    const lost = await newProject(ada, 'Lost');
    await newBacklog(ada, lost, ['Buoys', 'Beacons']);
    assert.deepEqual(await storyNames(ada, lost), ['Buoys', 'Beacons']);
    assert.deepEqual(await storyNames(ada, lost), ['Buoys', 'Beacons']);
    failOver();
    await eventually(async () => assertStatus(await ada.get('/projects'), 401));
    const bo = await again.user('Bo');
    const made = await newProject(bo, 'Made');
    assert.equal(made, lost);
    await newStory(bo, made, 'Bells');
    await newStory(bo, made, 'Boats');
    assert.deepEqual((await storyNames(bo, made)).sort(), ['Bells', 'Boats']);
    await again.stop();
  });
});
