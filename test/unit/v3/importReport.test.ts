import assert from 'node:assert/strict';
import { readImportReport } from '../../../src/v3/importReport.ts';
import { readText } from '../../../src/v3/read.ts';

describe('the report of an import', () => {
  const read = (inside: string) =>
    readImportReport(readText(`<import_report><created type="integer">2</created>${inside}</import_report>`));

  it('says who imports, by the address where they have no name', () => {
    const email = '<email>ada@example.org</email>';
    assert.deepEqual(read(`<importer><name>Ada</name>${email}</importer>`).importer, {
      name: 'Ada',
      email: 'ada@example.org',
    });
    assert.equal(read(`<importer>${email}</importer>`).importer?.name, 'ada@example.org');
  });
  it('names nobody where a server does not say who imports', () => {
    assert.equal(read('').importer, undefined);
    assert.equal(read('<importer><name>Ada</name></importer>').importer, undefined);
    assert.equal(read('').created, 2);
  });
});
