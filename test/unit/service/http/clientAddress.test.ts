import assert from 'node:assert/strict';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { networkOf, TrustedProxies, wideNetworkOf } from '../../../../src/service/http/clientAddress.ts';

describe('who sent a request', () => {
  const behind = ['10.0.0.0/8', '192.0.2.7', '2001:db8::/32'];

  assertSender([], '203.0.113.5', { for: '198.51.100.1', proto: 'https' }, '203.0.113.5 clear');
  assertSender(behind, '203.0.113.5', { for: '198.51.100.1', proto: 'https' }, '203.0.113.5 clear');
  assertSender(behind, '192.0.2.7', { for: '198.51.100.1', proto: 'https' }, '198.51.100.1 private');
  assertSender(behind, '::ffff:10.1.2.3', { for: '198.51.100.1', proto: 'http' }, '198.51.100.1 clear');
  assertSender(behind, '10.1.2.3', { for: '198.51.100.1' }, '198.51.100.1 clear');
  assertSender(behind, '2001:db8::1', { for: '[2001:0db9::5]:443', proto: 'https' }, '2001:0db9::5 private');
  assertSender(behind, '10.1.2.3', { for: 'forged, 198.51.100.1, 10.9.9.9', proto: 'https' }, '198.51.100.1 private');
  assertSender(behind, '10.1.2.3', { for: '198.51.100.1:4711', proto: 'https,http' }, '198.51.100.1 clear');
  assertSender(behind, '10.1.2.3', {}, '10.1.2.3 clear');
  assertSender(['127.0.0.1'], '127.0.0.1', { for: '198.51.100.1', proto: 'http' }, '198.51.100.1 clear');
  assertSender(['127.0.0.1'], '127.0.0.1', {}, '127.0.0.1 private');

  it('is never asked of what is no address', () => {
    for (const wrong of ['example.org', '10.0.0.0/33', '10.0.0.0/x', '', '::/129']) {
      assert.throws(() => new TrustedProxies([wrong]), TypeError, wrong);
    }
  });
});

interface Forwarded {
  readonly for?: string;
  readonly proto?: string;
}

function assertSender(trusted: readonly string[], peer: string, forwarded: Forwarded, expected: string): void {
  it(`${peer} saying ${JSON.stringify(forwarded)}, with trust in ${trusted.join(' ') || 'none'}: ${expected}`, () => {
    const socket = new Socket();
    Object.defineProperty(socket, 'remoteAddress', { value: peer });
    const request = new IncomingMessage(socket);
    if (forwarded.for !== undefined) request.headers['x-forwarded-for'] = forwarded.for;
    if (forwarded.proto !== undefined) request.headers['x-forwarded-proto'] = forwarded.proto;
    const { address, isPrivate } = new TrustedProxies(trusted).senderOf(request);
    assert.equal(`${address} ${isPrivate ? 'private' : 'clear'}`, expected);
  });
}

describe('the network of an address', () => {
  it('is the first half of one of IPv6, however it is written, and all of another', () => {
    assert.equal(networkOf('192.0.2.7'), '192.0.2.7');
    const same = ['2001:db8:0:1::1', '2001:0DB8::1:ffff:0:0:2', '2001:db8:0:1:a:b:c:d', '2001:db8:0:1::%eth0'];
    assert.deepEqual([...new Set(same.map(networkOf))], ['2001:db8:0:1::/64']);
    assert.equal(networkOf('::1'), '0:0:0:0::/64');
    assert.notEqual(networkOf('2001:db8:0:2::1'), networkOf('2001:db8:0:1::1'));
    assert.equal(networkOf('nothing'), 'nothing');
  });
});

describe('the networks around an address', () => {
  it('are 64 bits and 48 of IPv6, and one of 24 bits around each of IPv4', () => {
    const cases = {
      '192.0.2.7': ['192.0.2.7', '192.0.2.0/24'],
      '2001:db8::1': ['2001:db8:0:0::/64', '2001:db8:0::/48'],
      '2001:0DB8:0000:0000:ffff::': ['2001:db8:0:0::/64', '2001:db8:0::/48'],
      '2001:db8:1:2:3:4:5:6': ['2001:db8:1:2::/64', '2001:db8:1::/48'],
      '::1': ['0:0:0:0::/64', '0:0:0::/48'],
      '64:ff9b::192.0.2.7': ['64:ff9b:0:0::/64', '64:ff9b:0::/48'],
      'fe80::1%eth0': ['fe80:0:0:0::/64', 'fe80:0:0::/48'],
      unknown: ['unknown', 'unknown'],
      '': ['', ''],
    };
    for (const [address, expected] of Object.entries(cases)) {
      assert.deepEqual([networkOf(address), wideNetworkOf(address)], expected, address);
    }
  });
});
