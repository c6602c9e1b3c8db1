import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openSqlite } from '../../../../src/service/store/sqlite/openSqlite.ts';
import { temporaryFolder } from '../../../service/support/testService.ts';

describe('references between tables', () => {
  it('to stories and projects are found by an index, so that removing one reads nothing of others', async () => {
    const folder = await temporaryFolder();
    const path = join(folder, 'story-tracker.db');
    await (await openSqlite(path)).close();
    const file = new DatabaseSync(path);
    const all = (sql: string) => file.prepare(sql).all();
    const missing: string[] = [];
    for (const { name: table } of all("select name from sqlite_master where type = 'table'")) {
      const indexed = all(`pragma index_list("${table}")`).map(
        ({ name }) => all(`pragma index_info("${name}")`).find(({ seqno }) => seqno === 0)?.name,
      );
      for (const { from, table: to } of all(`pragma foreign_key_list("${table}")`))
        if ((to === 'stories' || to === 'projects') && !indexed.includes(from)) missing.push(`${table}.${from}`);
    }
    file.close();
    await rm(folder, { recursive: true, force: true });
    assert.deepEqual(missing, []);
  });
});
