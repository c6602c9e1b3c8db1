import type { SwitchedRepository } from '../../../src/features/activeStory/switchBranch.ts';
import type { GitRepositoryFolder } from './gitRepository.ts';

interface State {
  HEAD: SwitchedRepository['state']['HEAD'];
  workingTreeChanges: readonly string[];
  readonly onDidChange: () => { dispose(): void };
}

/** A repository as VS Code's Git has it, for tests without VS Code: real Git, run with the arguments that VS Code's extension gives it. */
export function gitOfVsCode({ root, git }: GitRepositoryFolder): SwitchedRepository {
  const state: State = {
    HEAD: undefined,
    workingTreeChanges: [],
    onDidChange: () => ({ dispose: () => undefined }),
  };
  const told = async (...args: readonly string[]) => (await git(...args).catch(() => '')).trim();
  return {
    rootUri: { fsPath: root },
    state,
    async status() {
      const [name, commit] = [await told('branch', '--show-current'), await told('rev-parse', '--verify', 'HEAD')];
      state.HEAD = { ...(name !== '' && { name }), ...(commit !== '' && { commit }) };
      state.workingTreeChanges = (await told('status', '--porcelain')).split('\n').filter((line) => line !== '');
    },
    checkout: async (treeish) => void (await git('checkout', '-q', treeish)),
    createBranch: async (name, checkout, ref) => {
      const args = checkout ? ['checkout', '-q', '-b', name, '--no-track'] : ['branch', '-q', name];
      await git(...args, ...(ref === undefined ? [] : [ref]));
    },
    deleteBranch: async (name, force = false) => void (await git('branch', force ? '-D' : '-d', name)),
    createStash: async ({ message, includeUntracked }) =>
      void (await git('stash', 'push', ...(includeUntracked ? ['-u'] : []), '-m', message)),
    popStash: async (index) => void (await git('stash', 'pop', `stash@{${index}}`)),
  };
}
