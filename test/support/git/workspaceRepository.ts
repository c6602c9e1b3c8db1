import { type GitRepositoryFolder, gitRepository } from './gitRepository.ts';

/** A repository to open as a workspace: one commit, and an author for those made inside VS Code. */
export async function workspaceRepository(place?: string): Promise<GitRepositoryFolder> {
  const repository = await gitRepository(place);
  await repository.git('config', 'user.name', 'Ada Lovelace');
  await repository.git('config', 'user.email', 'ada@example.org');
  await repository.git('config', 'commit.gpgSign', 'false');
  await repository.commit('Begin the project', 'README.md');
  return repository;
}
