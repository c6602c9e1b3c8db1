import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as sqlite from 'node:sqlite';
import { putRescued, rescuedRows } from '../../../../src/sync/file/rescuedRows.ts';
import { migrate } from '../../../../src/sync/file/schema.ts';
import { oneIntentOfEach } from '../../../support/builders/intents.ts';

describe('rows of a file that is set aside', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'story-tracker-rescue-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  function madeFile(name: string): { readonly path: string; readonly database: sqlite.DatabaseSync } {
    const path = join(folder, name);
    const database = new sqlite.DatabaseSync(path);
    migrate(database);
    return { path, database };
  }

  function kindsIn(database: sqlite.DatabaseSync): readonly unknown[] {
    const rows = database.prepare('SELECT intent FROM outbox ORDER BY place').all();
    return rows.map(({ intent }) => JSON.parse(String(intent)).kind);
  }

  it('hold what waits in the outbox, whatever its kind, but for kinds that only a later version knows', () => {
    const before = madeFile('before.sqlite');
    const insert = before.database.prepare(
      `INSERT INTO outbox (id, batch, accountId, address, project, intent, state, addedAt, attempts)
        VALUES (?, 'b', 'home', 'https://tracker.example', 1, ?, 'waiting', 0, 0)`,
    );
    const kinds = Object.keys(oneIntentOfEach);
    for (const [kind, intent] of Object.entries(oneIntentOfEach)) insert.run(kind, JSON.stringify(intent));
    insert.run('later', JSON.stringify({ kind: 'sing', storyId: 1 }));
    before.database.close();

    const after = madeFile('after.sqlite');
    assert.equal(putRescued(after.database, rescuedRows(sqlite, before.path)), kinds.length);
    assert.deepEqual(kindsIn(after.database), kinds);
    after.database.close();
  });

  it('tell who was sending, so that what is on its way is waited for, and nothing else that was held', () => {
    const before = madeFile('before.sqlite');
    const insert = before.database.prepare(`INSERT INTO lease (name, owner, rank, until) VALUES (?, 'w1', 0, 5)`);
    for (const name of ['outbox:["home","https://tracker.example",1]', 'poll']) insert.run(name);
    before.database.close();
    const after = madeFile('after.sqlite');
    putRescued(after.database, rescuedRows(sqlite, before.path));
    const held = after.database.prepare('SELECT name, owner, until FROM lease').all();
    assert.deepEqual(
      held.map((row) => ({ ...row })),
      [{ name: 'outbox:["home","https://tracker.example",1]', owner: 'w1', until: 5 }],
    );
    after.database.close();
  });
});
