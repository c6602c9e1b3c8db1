import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type GitRepositoryFolder, gitIn } from './gitRepository.ts';
import { workspaceRepository } from './workspaceRepository.ts';

/** A repository with a bare one that it was pushed to, and a colleague's clone of that. */
export interface ClonedRepository {
  readonly mine: GitRepositoryFolder;
  readonly origin: GitRepositoryFolder;
  readonly theirs: GitRepositoryFolder;
  remove(): Promise<void>;
}

/** One commit on `main`, which all of them have; the repository is in `place` where one is given. */
export async function clonedRepository(place?: string): Promise<ClonedRepository> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'story-tracker-clones-')));
  const origin = await gitIn(join(folder, 'origin.git'));
  await origin.git('init', '--quiet', '--bare', '--initial-branch=main');
  const mine = await workspaceRepository(place ?? join(folder, 'mine'));
  await mine.git('remote', 'add', 'origin', origin.root);
  await mine.git('push', '--quiet', '--set-upstream', 'origin', 'main');
  const theirs = await gitIn(join(folder, 'theirs'));
  await theirs.git('clone', '--quiet', origin.root, '.');
  return {
    mine,
    origin,
    theirs,
    async remove() {
      await mine.remove();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
