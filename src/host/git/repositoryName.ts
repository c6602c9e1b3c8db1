import type { GitRepository } from './gitBridge.ts';

/** The folder's name, as VS Code calls the repository too. */
export function repositoryName({ rootUri }: Pick<GitRepository, 'rootUri'>): string {
  return rootUri.path.split('/').findLast((part) => part !== '') ?? rootUri.path;
}
