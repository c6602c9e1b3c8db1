import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import type { ServiceEvent } from '../../src/service/ground/background.ts';
import { setWebHook } from '../../src/service/store/projects/webHook.ts';
import { eventually } from '../support/eventually.ts';
import { HookReceiver } from './support/hookReceiver.ts';
import { newProject, newStory } from './support/project.ts';
import { TcpGate } from './support/tcpGate.ts';
import { databaseOf, describeOnPostgres, dropDatabaseOf } from './support/testDatabase.ts';
import { startTestService, temporaryFolder } from './support/testService.ts';

describeOnPostgres('web hooks of a database that goes away', () => {
  it('go on when it is back, with what it did not hear was done first, and in order', async function () {
    this.timeout(120_000);
    const folder = await temporaryFolder();
    const direct = new URL((await databaseOf(folder)).database ?? '');
    const gate = await TcpGate.before({ host: direct.hostname, port: Number(direct.port) });
    const events: ServiceEvent[] = [];
    const database = Object.assign(new URL(direct), { port: String(gate.port) }).href;
    const log = (event: ServiceEvent): void => void events.push(event);
    const options = {
      dataFolder: folder,
      database,
      lockPatience: 1_000,
      deliveryPace: 100,
      deliveryLease: 2_500,
      allowPrivateHooks: true,
      log,
    };
    const service = await startTestService(options);
    const ada = await service.user('Ada');
    const receiver = await HookReceiver.start();
    const projectId = await newProject(ada);
    const url = receiver.url();
    await service.running.database.write((tx) => setWebHook(tx, projectId, { url }, Date.now()));

    let answer: (status: number) => void = () => undefined;
    receiver.plan.push(new Promise((resolve) => (answer = resolve)));
    for (const name of ['A', 'B', 'C']) await newStory(ada, projectId, name);
    await eventually(() => assert.equal(receiver.posts.length, 1));
    gate.shut();
    answer(200);
    await eventually(() => assert.ok(events.filter(({ during }) => during === 'deliveries').length >= 1));
    gate.open();
    await eventually(() => assert.deepEqual(receiver.names, ['A', 'A', 'B', 'C']), 60_000);
    const [first, again] = receiver.taken;
    assert.equal(again?.headers['x-servicedelivery'], first?.headers['x-servicedelivery']);
    assert.ok(events.length <= 4, JSON.stringify(events));

    await service.stop();
    await receiver.close();
    await gate.close();
    await rm(folder, { recursive: true, force: true });
    await dropDatabaseOf(folder);
  });
});
