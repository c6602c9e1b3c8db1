import assert from 'node:assert/strict';
import { silentLog } from '../../../../src/core/log.ts';
import type { Activity } from '../../../../src/core/story/activity.ts';
import { rowsOf } from '../../../../src/sync/file/replicaRows.ts';
import { Client } from '../../../support/replica/client.ts';
import { ModelServer } from '../../../support/trackers/modelServer.ts';
import { modelTracker } from '../../../support/trackers/modelTracker.ts';

function kept(client: Client): readonly (readonly [string, unknown])[] {
  return client.file.run((database) =>
    rowsOf(database, 'SELECT value, isFresh FROM activity ORDER BY id').map(({ value, isFresh }) => [
      (JSON.parse(String(value)) as Activity).description,
      isFresh,
    ]),
  );
}

describe('The activities of a refresh', () => {
  it('are kept with what they tell of, as news only after the first read', async () => {
    const server = new ModelServer();
    const client = new Client({ tracker: modelTracker(server), log: silentLog });
    const { id } = server.create(1, false);
    await client.refresh();
    server.edit(1, id, { name: 'Told' });
    await client.refresh();
    await client.refresh();
    assert.deepEqual(kept(client), [
      ['event 1', 0],
      ['event 2', 1],
    ]);
  });

  it('give way to others that a server, put back to an earlier state, gives the same numbers', async () => {
    const server = new ModelServer();
    const client = new Client({ tracker: modelTracker(server), log: silentLog });
    const { id } = server.create(1, false);
    await client.refresh();
    server.edit(1, id, { name: 'Told' });
    await client.refresh();
    const { activities } = server.project(1);
    const [lost] = activities;
    assert.ok(lost);
    activities[0] = { ...lost, description: 'another event', occurredAt: { text: 'later', time: server.now + 60_000 } };
    await client.refresh();
    await client.refresh();
    assert.deepEqual(kept(client), [
      ['event 1', 0],
      ['another event', 1],
    ]);
  });
});
