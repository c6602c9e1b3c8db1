import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import fc from 'fast-check';
import * as ours from '../../../scripts/ipAddressParts.ts';

/** The package in whose place ours is bundled, as `socks` finds it. */
const theirs: typeof ours = createRequire(createRequire(import.meta.url).resolve('socks'))('ip-address');

describe('Addresses for connections through SOCKS', () => {
  it('have the bytes that the package gives them', () => {
    fc.assert(
      fc.property(fc.ipV4(), fc.ipV6(), (four, six) => {
        assert.deepEqual(new ours.Address4(four).toArray(), new theirs.Address4(four).toArray());
        assert.equal(new ours.Address6(six).canonicalForm(), new theirs.Address6(six).canonicalForm());
      }),
    );
    for (const six of ['::', '::1', 'fe80::1%eth0', '::ffff:192.0.2.1', '1::', '1:2:3:4:5:6:7:8'])
      assert.equal(new ours.Address6(six).canonicalForm(), new theirs.Address6(six).canonicalForm(), six);
  });

  it('are written from bytes as the package writes them', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 255 }), { minLength: 16, maxLength: 16 }), (bytes) => {
        const [our, their] = [ours.Address6.fromByteArray(bytes), theirs.Address6.fromByteArray(bytes)];
        assert.equal(our.canonicalForm(), their.canonicalForm());
      }),
    );
  });

  it('are all that socks takes from the package', () => {
    const folder = new URL('../../../node_modules/socks/build/', import.meta.url);
    const code = ['client/socksclient.js', 'common/helpers.js'].map((name) =>
      readFileSync(new URL(name, folder), 'utf8'),
    );
    const taken = code.flatMap((text) => [...text.matchAll(/ip_address_1\.([\w.]+)|\baddress\s*\.(\w+)\(/g)]);
    const names = taken.map(([, name, method]) => name ?? method ?? '');
    assert.deepEqual([...new Set(names)].toSorted(), [
      'Address4',
      'Address6',
      'Address6.fromByteArray',
      'canonicalForm',
      'toArray',
    ]);
  });
});
