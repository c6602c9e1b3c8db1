import assert from 'node:assert/strict';
import { type Ready, unsentOf } from '../../../../../src/features/attachments/prepare/candidate.ts';

describe('unsentOf', () => {
  const made = (filename: string): Ready => ({
    ...{ kind: 'ready', filename, size: 1 },
    open: async () => ({ kind: 'bytes', bytes: Buffer.from('x'), filename }),
    discard: async () => undefined,
  });

  it('is what was made to be sent and is not', () => {
    const [sent, leftOut] = [made('a.patch'), made('b.patch')];
    const unusable = { kind: 'unusable', sentence: 'No.' } as const;
    assert.deepEqual(unsentOf([sent, unusable, leftOut], [sent]), [leftOut]);
    assert.deepEqual(unsentOf([sent, leftOut], []), [sent, leftOut]);
  });
});
