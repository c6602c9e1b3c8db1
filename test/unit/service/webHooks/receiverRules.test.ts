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
