import assert from 'node:assert/strict';
import { nearestName } from '../../../src/core/nearestName.ts';

const options = ['data', 'database', 'host', 'port', 'allowed-host', 'max-upload', 'json', 'help'];

describe('the name nearest to a mistyped one', () => {
  assertNearest('prot', 'port');
  assertNearest('porrt', 'port');
  assertNearest('jsn', 'json');
  assertNearest('allowed-hosts', 'allowed-host');
  assertNearest('max', 'max-upload');
  assertNearest('DATABAS', 'database');
  assertNearest('dta', 'data');
  assertNearest('colour', undefined);
  assertNearest('x', undefined);
  assertNearest('', undefined);
  assertNearest('datab'.repeat(20), undefined);
});

function assertNearest(typed: string, expected: string | undefined): void {
  it(`"${typed}" is ${expected ?? 'none'}`, () => assert.equal(nearestName(typed, options), expected));
}
