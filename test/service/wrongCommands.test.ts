import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdir, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describeOnSqlite } from './support/testDatabase.ts';
import { temporaryFolder } from './support/testService.ts';

/** `FUZZ_SEED` of an earlier run gives the same commands, and `FUZZ_COMMANDS` as many as are wanted. */
const SEED = Number(process.env.FUZZ_SEED ?? Math.floor(Math.random() * 2 ** 31));
const COMMANDS = Number(process.env.FUZZ_COMMANDS ?? 300);
const program = fileURLToPath(new URL('support/commandAttack.ts', import.meta.url));

describeOnSqlite(`Commands that are not right (FUZZ_SEED=${SEED})`, () => {
  it('are done or refused in a sentence, whatever their options and operands say, and change nothing that is refused', async () => {
    const folder = await temporaryFolder();
    const args = [program, String(SEED), String(COMMANDS), folder];
    const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 64 * 1024 * 1024 });
    assert.deepEqual(JSON.parse(stdout), []);
    assert.deepEqual((await readdir(folder)).sort(), ['a', 'data']);
    await rm(folder, { recursive: true, force: true });
  }).timeout(60_000 + COMMANDS * 1_000);
});
