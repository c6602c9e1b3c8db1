import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { appendFile, chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { PatchOf } from '../../../src/core/ports/outgoingFiles.ts';
import { GitPatches } from '../../../src/git/patches.ts';
import { type GitRepositoryFolder, gitRepository } from '../../support/git/gitRepository.ts';

describe('a patch of a repository', () => {
  const patches = new GitPatches();
  let repository: GitRepositoryFolder;
  let aside: string;

  beforeEach(async () => {
    repository = await gitRepository();
    aside = await mkdtemp(join(tmpdir(), 'story-tracker-aside-'));
    await repository.commit('one\n', 'a.txt');
    await repository.commit('one\n', 'b.txt');
  });
  afterEach(async () => {
    await repository.remove();
    await rm(aside, { recursive: true });
  });

  const write = (name: string, content: string | Uint8Array) => writeFile(join(repository.root, name), content);

  async function patchOf(of: PatchOf): Promise<Buffer> {
    const made = await patches.patch(repository.root, of);
    const bytes = await readFile(made.path);
    assert.equal(bytes.length, made.size);
    await patches.discard(made.path);
    assert.equal(existsSync(dirname(made.path)), false);
    return bytes;
  }

  /** Names of the files that the patch changes. */
  const filesIn = (patch: Buffer) =>
    [...patch.toString('latin1').matchAll(/^diff --git a\/(\S+) /gm)].map(([, n]) => n);

  it('has what is staged, what is not, or both', async () => {
    await write('a.txt', 'staged\n');
    await repository.git('add', 'a.txt');
    await write('b.txt', 'not staged\n');
    assert.deepEqual(filesIn(await patchOf('staged')), ['a.txt']);
    assert.deepEqual(filesIn(await patchOf('unstaged')), ['b.txt']);
    assert.deepEqual(filesIn(await patchOf('all')), ['a.txt', 'b.txt']);
  });

  it('gives the same bytes back when it is applied: text of any encoding, binary, new, deleted and renamed', async () => {
    const binary = Buffer.from([...Array(256).keys()]);
    await write('a.txt', Buffer.from('caf\xe9\r\nno end', 'latin1'));
    await write('new.bin', binary);
    await repository.git('mv', 'b.txt', 'näme with spaces.txt');
    await repository.git('add', '-A');
    await repository.git('config', 'diff.noprefix', 'true');
    await repository.git('config', 'diff.mnemonicPrefix', 'true');
    await repository.git('config', 'color.diff', 'always');
    const patch = await patchOf('all');
    const file = join(aside, 'p.patch');
    await writeFile(file, patch);
    await repository.git('reset', '--quiet', '--hard');
    await repository.git('apply', file);
    assert.equal((await readFile(join(repository.root, 'a.txt'))).toString('latin1'), 'caf\xe9\r\nno end');
    assert.ok((await readFile(join(repository.root, 'new.bin'))).equals(binary));
    assert.equal(await readFile(join(repository.root, 'näme with spaces.txt'), 'utf8'), 'one\n');
    assert.equal(existsSync(join(repository.root, 'b.txt')), false);
  });

  it('is empty when nothing changed, and whole before the first commit', async () => {
    assert.equal((await patchOf('all')).length, 0);
    const fresh = await gitRepository();
    try {
      await writeFile(join(fresh.root, 'first.txt'), 'first\n');
      await fresh.git('add', 'first.txt');
      const made = await patches.patch(fresh.root, 'all');
      assert.deepEqual(filesIn(await readFile(made.path)), ['first.txt']);
      await patches.discard(made.path);
    } finally {
      await fresh.remove();
    }
  });

  it('is no patch where there is no repository, with a sentence', async () => {
    await assert.rejects(patches.patch(aside, 'all'), /There is no Git repository in/);
  });

  it('removes nothing that it did not make', async () => {
    await patches.discard(join(repository.root, 'a.txt'));
    assert.ok(existsSync(join(repository.root, 'a.txt')));
  });

  describe('of a hostile repository', () => {
    async function infect(configuration: string): Promise<string> {
      const program = join(aside, 'program');
      await writeFile(program, `#!/bin/sh\necho run >> ${join(aside, 'left')}\ncat\n`);
      await chmod(program, 0o755);
      await appendFile(join(repository.root, '.git/config'), `\n${configuration.replaceAll('PROGRAM', program)}\n`);
      await write('.gitattributes', '* diff=all filter=all merge=all\n');
      await write('a.txt', 'changed\n');
      return join(aside, 'left');
    }

    for (const configuration of [
      '[diff]\nexternal = PROGRAM',
      '[diff "all"]\ntextconv = PROGRAM\ncommand = PROGRAM\ncachetextconv = true',
      '[filter "all"]\nclean = PROGRAM\nsmudge = PROGRAM\nrequired = true',
      '[filter "all"]\nprocess = PROGRAM\nrequired = true',
      '[core]\nfsmonitor = PROGRAM\npager = PROGRAM\n[pager]\ndiff = PROGRAM',
      '[alias]\ndiff = !PROGRAM\nconfig = !PROGRAM',
    ]) {
      it(`runs nothing of it: ${JSON.stringify(configuration.slice(0, 45))}`, async () => {
        const left = await infect(configuration);
        assert.ok(filesIn(await patchOf('all')).includes('a.txt'));
        assert.equal(existsSync(left), false);
      });
    }

    it('runs no filter whose name would hide it', async () => {
      const left = await infect('[filter "all=x"]\nclean = PROGRAM');
      await write('.gitattributes', '* filter=all=x\n');
      await assert.rejects(patches.patch(repository.root, 'all'), /cannot be turned off/);
      assert.equal(existsSync(left), false);
    });

    it('would run its filter with plain Git', async () => {
      const left = await infect('[filter "all"]\nclean = PROGRAM');
      await repository.git('diff');
      assert.ok(existsSync(left), 'so that the tests above can fail');
    });
  });
}).timeout(20_000);
