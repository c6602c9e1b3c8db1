import assert from 'node:assert/strict';
import { sql } from 'kysely';
import type { ServiceEvent } from '../../src/service/ground/background.ts';
import { newProject } from './support/project.ts';
import { assertRefused, assertStatus, request } from './support/request.ts';
import { describeOnSqlite } from './support/testDatabase.ts';
import { startTestService } from './support/testService.ts';

describeOnSqlite('a disk without room for the data', () => {
  it('refuses changes with 503 and when to try again, still gives reads, and goes on when there is room', async () => {
    const events: ServiceEvent[] = [];
    const service = await startTestService({ log: (event) => void events.push(event) });
    const ada = await service.user('Ada Lovelace');
    const stories = `/projects/${await newProject(ada)}/stories`;
    const { database } = service.running;
    const add = () =>
      ada.post(stories, `<story><name>x</name><description>${'x'.repeat(19_000)}</description></story>`);
    const room = (pages: number) => database.write((tx) => sql.raw(`pragma max_page_count = ${pages}`).execute(tx));
    await room(1); // As many as there are.
    let refused = await add();
    for (let count = 0; refused.status === 200 && count < 20; count += 1) refused = await add();
    assertRefused(refused, 503, /No space is left for the data of this service\. Nothing was changed/);
    assert.equal(refused.headers.get('retry-after'), '30');
    assertStatus(await ada.get(stories), 200);
    const well = () => request(`${service.url}/healthz`);
    assertRefused(await well(), 503, /could not be written to the disk/);
    const message = String(events.find(({ event }) => event === 'error')?.message);
    assert.match(message, /database or disk is full$/);
    await room(1_000_000);
    assertStatus(await add(), 200);
    assertStatus(await well(), 200);
    await service.stop();
  });
});
