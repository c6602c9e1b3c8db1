import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sweepDrafts } from '../../../../src/service/mail/mailFolder.ts';

describe('the folder of mails', () => {
  it('loses drafts that are older than a day, and nothing else', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'story-tracker-mail-'));
    const now = Date.now();
    const write = async (name: string, hours: number): Promise<void> => {
      await writeFile(join(folder, name), 'x');
      await utimes(join(folder, name), new Date(now), new Date(now - hours * 3_600_000));
    };
    await write('.0123456789abcdef', 25);
    await write('.fedcba9876543210', 23);
    await write('.notes', 99);
    await write('2026-11-01 assigned.eml', 99);
    await sweepDrafts(folder);
    assert.deepEqual((await readdir(folder)).sort(), ['.fedcba9876543210', '.notes', '2026-11-01 assigned.eml']);
    await rm(folder, { recursive: true });
    await sweepDrafts(folder);
  });
});
