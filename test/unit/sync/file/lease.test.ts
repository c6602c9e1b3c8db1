import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { leaseOf, releaseLease, renewLease, takeLease } from '../../../../src/sync/file/lease.ts';
import { ReplicaFile } from '../../../../src/sync/file/replicaFile.ts';
import { silentLog } from '../../../support/silentLog.ts';

describe('A lease', () => {
  const name = 'polling';
  let folder: string;
  let one: ReplicaFile;
  let other: ReplicaFile;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'story-tracker-lease-'));
    const path = join(folder, 'replica.sqlite');
    [one, other] = [new ReplicaFile({ path, log: silentLog }), new ReplicaFile({ path, log: silentLog })];
    await Promise.all([one.ready(), other.ready()]);
  });
  afterEach(async () => {
    one.close();
    other.close();
    await rm(folder, { recursive: true, force: true });
  });

  const take = (file: ReplicaFile, owner: string, now: number, rank = 0) =>
    file.run((database) => takeLease(database, { name, owner, rank, until: now + 100, now }));
  const holder = () => other.run((database) => leaseOf(database, name));

  it('is had by one window, which may prolong it', () => {
    assert.equal(take(one, 'one', 0), true);
    assert.equal(take(other, 'other', 50), false);
    assert.equal(take(one, 'one', 60), true);
    assert.deepEqual(holder(), { name, owner: 'one', rank: 0, until: 160 });
    assert.equal(take(other, 'other', 159), false);
  });

  it('is taken over when it has run out, and then not prolonged by who had it', () => {
    take(one, 'one', 0);
    assert.equal(take(other, 'other', 100), true);
    assert.equal(
      one.run((database) => renewLease(database, { name, owner: 'one', until: 300 })),
      false,
    );
    assert.equal(take(one, 'one', 110), false);
    assert.equal(holder()?.owner, 'other');
  });

  it('is taken over by a higher rank at once, by the same one not', () => {
    take(one, 'one', 0, 1);
    assert.equal(take(other, 'other', 1, 1), false);
    assert.equal(take(other, 'other', 1, 2), true);
    assert.equal(take(one, 'one', 2, 1), false);
  });

  it('is free as soon as its owner gives it up, and of nobody else', () => {
    take(one, 'one', 0);
    other.run((database) => releaseLease(database, { name, owner: 'other' }));
    assert.equal(holder()?.owner, 'one');
    one.run((database) => releaseLease(database, { name, owner: 'one' }));
    assert.equal(holder(), undefined);
    assert.equal(take(other, 'other', 1), true);
  });
});
