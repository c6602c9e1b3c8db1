import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { diskTrouble } from '../../../../../src/service/store/sqlite/sqliteErrors.ts';

describe('trouble with the disk', () => {
  it('is told from other mistakes, by what SQLite and the system say', () => {
    const database = new DatabaseSync(':memory:');
    database.exec('pragma max_page_count = 2; create table texts (text)');
    assert.equal(diskTrouble(thrown(() => database.exec('insert into texts values (zeroblob(99999))'))), 'no room');
    database.exec('pragma query_only = on');
    assert.equal(diskTrouble(thrown(() => database.exec("insert into texts values ('x')"))), 'not writable');
    assert.equal(diskTrouble(thrown(() => database.exec('no sql'))), undefined);
    assert.equal(
      diskTrouble(Object.assign(new Error('EROFS: read-only file system'), { code: 'EROFS' })),
      'not writable',
    );
    assert.equal(diskTrouble(new Error('full')), undefined);
  });

  it('is a disk without room', async function () {
    if (process.platform !== 'linux') this.skip();
    const error = await writeFile('/dev/full', 'x').catch((cause: unknown) => cause);
    assert.equal(diskTrouble(error), 'no room');
  });
});

function thrown(work: () => void): unknown {
  try {
    work();
    return undefined;
  } catch (error) {
    return error;
  }
}
