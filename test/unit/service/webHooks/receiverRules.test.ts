import assert from 'node:assert/strict';
import { receiverObjection } from '../../../../src/service/webHooks/receiverRules.ts';

describe('receivers', () => {
  const strict = { allowsLoopback: false, allowsPrivate: false };
  const open = { allowsLoopback: true, allowsPrivate: true };

  it('may be anyone in public', () => {
    assert.equal(receiverObjection('8.8.8.8', strict), undefined);
  });

  it('are on a private network or this machine only where that is allowed', () => {
    assert.match(receiverObjection('10.0.0.1', strict) ?? '', /10\.0\.0\.1 is private.*--allow-private-hooks/);
    assert.match(receiverObjection('127.0.0.1', strict) ?? '', /is this machine/);
    assert.equal(receiverObjection('10.0.0.1', open), undefined);
    assert.equal(receiverObjection('::1', open), undefined);
    assert.match(receiverObjection('192.168.0.1', { ...strict, allowsLoopback: true }) ?? '', /is private/);
  });

  it('are never where a machine tells its secrets', () => {
    for (const address of ['169.254.169.254', '::ffff:169.254.169.254', '0.0.0.0', 'fd00:ec2::254', 'fe80::1']) {
      assert.match(receiverObjection(address, open) ?? '', /not an allowed web hook address/, address);
    }
  });

  it('are this machine only, where others could read what is sent to a project that uses HTTPS', () => {
    assert.match(receiverObjection('8.8.8.8', { ...open, isClearLine: true }) ?? '', /start with https/);
    assert.equal(receiverObjection('127.0.0.1', { ...open, isClearLine: true }), undefined);
  });
});

describe('the kind of an address', () => {
  assertKind('public', '93.184.215.14', '8.8.8.8', '172.15.0.1', '172.32.0.1', '192.167.1.1', '2606:2800:21f::1');
  assertKind('loopback', '127.0.0.1', '127.255.0.9', '::1', '0:0:0:0:0:0:0:1');
  assertKind('private', '10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', '100.64.0.1', '198.18.0.1');
  assertKind('private', 'fd12:3456::1', 'fc00::1', 'fec0::1', '2001:db8::1');

  it('is forbidden for what every machine has of its own', () => {
    assertAll('forbidden', ['0.0.0.0', '0.1.2.3', '169.254.1.1', '224.0.0.1', '255.255.255.255', '240.0.0.1']);
    assertAll('forbidden', ['::', 'fe80::1', 'fe80::1%eth0', 'febf::1', 'ff02::1', '4000::1', '100::1']);
  });

  it('is forbidden for services that know the secrets of a machine', () => {
    assertAll('forbidden', ['169.254.169.254', '169.254.170.2', '100.100.100.200', '168.63.129.16', '192.0.0.192']);
    assertAll('forbidden', ['fd00:ec2::254', 'fd20:ce::254']);
  });

  it('is that of the IPv4 address that an IPv6 one stands for', () => {
    assertAll('forbidden', [
      '::ffff:169.254.169.254',
      '::ffff:a9fe:a9fe',
      '0:0:0:0:0:FFFF:A9FE:A9FE',
      '::ffff:0.0.0.0',
    ]);
    assertAll('forbidden', [
      '::ffff:0:169.254.169.254',
      '::169.254.169.254',
      '64:ff9b::169.254.169.254',
      '2002:a9fe:a9fe::',
    ]);
    assertAll('forbidden', ['64:ff9b:1::1', '2001:0:a9fe:a9fe::1']);
    assertAll('loopback', ['::ffff:127.0.0.1', '64:ff9b::7f00:1', '2002:7f00:1::1', '::127.0.0.1']);
    assertAll('private', ['::ffff:10.0.0.1', '64:ff9b::192.168.0.1', '2002:a00:1::']);
    assertAll('public', ['::ffff:8.8.8.8', '64:ff9b::8.8.8.8', '2002:808:808::1']);
  });

  it('is forbidden for what is no address', () => {
    assertAll('forbidden', ['', 'localhost', '127.1', '1.2.3.4.5', '::ffff:1.2.3', '[::1]', '0x7f.0.0.1']);
  });
});

function assertKind(kind: AddressKind, ...addresses: readonly string[]): void {
  it(`is ${kind} for ${addresses.join(', ')}`, () => assertAll(kind, addresses));
}

function assertAll(kind: AddressKind, addresses: readonly string[]): void {
  for (const address of addresses) assert.equal(kindOf(address), kind, address);
}

type AddressKind = 'public' | 'private' | 'loopback' | 'forbidden';

const REASONS: readonly (readonly [kind: AddressKind, reason: RegExp])[] = [
  ['private', / is private; /],
  ['loopback', / is this machine; /],
  ['forbidden', / is not an allowed web hook address\.$/],
];

/** As whom the rules take an address: those that allow public ones only say what is wrong with any other. */
function kindOf(address: string): AddressKind | undefined {
  const objection = receiverObjection(address, { allowsLoopback: false, allowsPrivate: false });
  if (objection === undefined) return 'public';
  return REASONS.find(([, reason]) => reason.test(objection))?.[0];
}
