import assert from 'node:assert/strict';
import type { LookupAddress } from 'node:dns';
import { allowedLookup } from '../../../../src/service/webHooks/nameLookups.ts';

describe('looking up the name of a receiver', () => {
  it('gives the addresses that a receiver may have, and no others', async () => {
    assert.deepEqual(await found(['169.254.169.254', '8.8.8.8', '10.0.0.1', '2606::1']), ['8.8.8.8', '2606::1']);
    assert.deepEqual(await found(['127.0.0.1', '::1'], { allowsLoopback: true }), ['127.0.0.1', '::1']);
  });

  it('refuses a name that leads nowhere else, and says why', async () => {
    await assert.rejects(found(['169.254.169.254']), /169\.254\.169\.254 is not an allowed web hook address/);
    await assert.rejects(found(['10.0.0.1', '127.0.0.1']), /10\.0\.0\.1 is private/);
    await assert.rejects(found(['::ffff:169.254.169.254'], { allowsPrivate: true }), /not an allowed web hook address/);
    await assert.rejects(found([]), /has no address/);
  });

  it('hands on why a name cannot be looked up', async () => {
    const error = Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND' });
    await assert.rejects(found(error), { code: 'ENOTFOUND' });
  });

  it('gives one address to who asks for one', async () => {
    const address = await new Promise((resolve, reject) => {
      const lookup = allowedLookup(strict, async () => addresses(['10.0.0.1', '8.8.4.4']));
      lookup('x.example.org', { all: false }, (error, ...told) => (error ? reject(error) : resolve(told)));
    });
    assert.deepEqual(address, ['8.8.4.4', 4]);
  });
});

const strict = { allowsLoopback: false, allowsPrivate: false };

function found(known: readonly string[] | Error, more: Partial<typeof strict> = {}): Promise<readonly string[]> {
  return new Promise((resolve, reject) => {
    const lookup = allowedLookup({ ...strict, ...more }, async () => {
      if (known instanceof Error) throw known;
      return addresses(known);
    });
    lookup('receiver.example.org', { all: true }, (error, told) => {
      if (error) reject(error);
      else resolve(Array.isArray(told) ? told.map(({ address }) => address) : [told]);
    });
  });
}

function addresses(known: readonly string[]): LookupAddress[] {
  return known.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
}
