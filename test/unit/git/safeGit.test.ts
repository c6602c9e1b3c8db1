import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createHistory } from '../../../src/git/history.ts';
import { useGit } from '../../../src/git/safeGit.ts';
import { type GitRepositoryFolder, gitRepository } from '../../support/git/gitRepository.ts';

describe('the program that is run as Git', () => {
  let repository: GitRepositoryFolder;
  beforeEach(async () => {
    repository = await gitRepository();
  });
  afterEach(async () => {
    useGit('git');
    await repository.remove();
  });

  it('is the one that is named by its whole path, spaces and all', async () => {
    const program = join(repository.root, '.git', 'my git');
    await writeFile(program, '#!/bin/sh\necho once >> "$0.calls"\nexec git "$@"\n', { mode: 0o755 });
    await repository.commit('First');
    useGit(program);
    const [commit] = await createHistory().commits(repository.root, { limit: 1 });
    assert.equal(commit?.message, 'First');
    assert.match(await readFile(`${program}.calls`, 'utf8'), /^once/);
  });

  it('is never one of the folder that is looked at', async () => {
    const program = join(repository.root, 'git');
    await writeFile(program, '#!/bin/sh\necho once >> "$0.calls"\nexec git "$@"\n', { mode: 0o755 });
    await repository.commit('First');
    useGit('./git');
    const [commit] = await createHistory().commits(repository.root, { limit: 1 });
    assert.equal(commit?.message, 'First');
    assert.equal(existsSync(`${program}.calls`), false);
  });
});
