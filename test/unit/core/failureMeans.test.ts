import assert from 'node:assert/strict';
import { failureMeans, kindOf, TrackerError, type TrackerErrorKind } from '../../../src/core/errors.ts';
import { fieldNames } from '../../../src/core/fieldNames.ts';

/** Every kind: one that is new does not compile until it stands here. */
const KINDS: Readonly<Record<TrackerErrorKind, true>> = {
  ...{ unreachable: true, timeout: true, cancelled: true, unauthorized: true, forbidden: true, notFound: true },
  ...{ refused: true, tooLarge: true, busy: true, server: true, protocol: true, conflict: true, input: true },
};

describe('what follows from a failure', () => {
  assertKinds('final', 'forbidden', 'notFound', 'refused', 'tooLarge', 'conflict', 'input');
  assertKinds('away', 'unreachable', 'timeout');
  assertKinds('signIn', 'unauthorized');
  assertKinds('undone', 'unauthorized', 'forbidden', 'notFound', 'refused', 'tooLarge', 'conflict', 'input');
  assertKinds('unsettled', 'unreachable', 'timeout', 'cancelled', 'server', 'protocol');
  assertKinds('everyProject', 'unreachable', 'timeout', 'unauthorized', 'busy');

  it('is never both that the server did not do it and that it may have', () => {
    for (const kind of fieldNames(KINDS))
      assert.ok(!(failureMeans(kind, 'undone') && failureMeans(kind, 'unsettled')), kind);
  });

  it('is nothing for what is no error of the tracker and for a kind from a newer version', () => {
    assert.equal(kindOf(new Error('unauthorized')), undefined);
    assert.equal(failureMeans(undefined, 'final'), false);
    const { kind }: { readonly kind: TrackerErrorKind } = JSON.parse('{ "kind": "moved" }');
    assert.equal(failureMeans(kind, 'final'), false);
    assert.equal(failureMeans(kindOf(new TrackerError('refused', 'No.')), 'final'), true);
  });
});

function assertKinds(meaning: Parameters<typeof failureMeans>[1], ...expected: readonly TrackerErrorKind[]): void {
  it(meaning, () => {
    assert.deepEqual(
      fieldNames(KINDS).filter((kind) => failureMeans(kind, meaning)),
      expected,
    );
  });
}
