import assert from 'node:assert/strict';
import { ByteCount } from '../../../../../src/features/attachments/send/byteCount.ts';
import { byteText } from '../../../../../src/host/shell/plainText.ts';

describe('ByteCount', () => {
  it('adds up the uploads and reports whole percents that sum to 100', () => {
    const count = new ByteCount(300);
    assert.deepEqual(count.count('a', 50), { sent: 50, total: 300, percent: 16, increment: 16 });
    assert.deepEqual(count.count('b', 100), { sent: 150, total: 300, percent: 50, increment: 34 });
    assert.deepEqual(count.count('a', 100), { sent: 200, total: 300, percent: 66, increment: 16 });
    assert.deepEqual(count.count('b', 200), { sent: 300, total: 300, percent: 100, increment: 34 });
  });

  it('never goes back, nor over the total when a file grew in the meantime', () => {
    const count = new ByteCount(100);
    count.count('a', 80);
    assert.deepEqual(count.count('a', 10), { sent: 10, total: 100, percent: 10, increment: 0 });
    assert.deepEqual(count.count('a', 150), { sent: 100, total: 100, percent: 100, increment: 20 });
  });

  it('calls nothing at all complete', () => {
    assert.equal(new ByteCount(0).count('a', 0).percent, 100);
  });
});

describe('byteText', () => {
  const assertText = (bytes: number, expected: string) => assert.equal(byteText(bytes), expected);

  it('reads as people say sizes', () => {
    assertText(0, '0 B');
    assertText(1, '1 B');
    assertText(1023, '1023 B');
    assertText(1024, '1.0 KB');
    assertText(1536, '1.5 KB');
    assertText(10 * 1024, '10 KB');
    assertText(5 * 1024 ** 2, '5.0 MB');
    assertText(3 * 1024 ** 5, '3072 TB');
  });
});
