import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openSqlite } from '../../../../src/service/store/sqlite/openSqlite.ts';
import { SHORT_COLUMNS } from '../../../../src/service/store/stories/storyTable.ts';
import { temporaryFolder } from '../../../service/support/testService.ts';

describe('The columns of stories', () => {
  it('are those that the migrations make', async () => {
    const folder = await temporaryFolder();
    const path = join(folder, 'story-tracker.db');
    await (await openSqlite(path)).close();
    const file = new DatabaseSync(path);
    const migrated = file.prepare('pragma table_info("stories")').all();
    file.close();
    await rm(folder, { recursive: true, force: true });
    assert.deepEqual(migrated.map(({ name }) => name).toSorted(), [...SHORT_COLUMNS, 'description'].toSorted());
  });
});
