import * as vscode from 'vscode';

/** The members of VS Code's Git extension API (version 1) that we use, in our own words. */
export interface GitRepository {
  readonly rootUri: vscode.Uri;
  readonly inputBox: { value: string };
  readonly ui: { readonly selected: boolean };
  readonly state: {
    readonly HEAD: { readonly name?: string; readonly commit?: string } | undefined;
    readonly onDidChange: vscode.Event<void>;
  };
}

interface GitApi {
  readonly state: 'uninitialized' | 'initialized';
  readonly onDidChangeState: vscode.Event<unknown>;
  readonly repositories: readonly GitRepository[];
  readonly onDidOpenRepository: vscode.Event<GitRepository>;
  readonly onDidCloseRepository: vscode.Event<GitRepository>;
}

interface GitExtension {
  readonly enabled: boolean;
  getAPI(version: 1): GitApi;
}

/** VS Code's own Git, which may be absent, disabled or late. Nothing here runs Git. */
export class GitBridge {
  /** The open repositories; none when Git is absent, disabled, or the workspace is not trusted. */
  async repositories(): Promise<readonly GitRepository[]> {
    if (!vscode.workspace.isTrusted) return [];
    const extension = vscode.extensions.getExtension<GitExtension>('vscode.git');
    if (!extension) return [];
    const git = extension.isActive ? extension.exports : await extension.activate();
    if (!git.enabled) return [];
    const api = git.getAPI(1);
    if (api.state !== 'initialized') await initialized(api);
    return api.repositories;
  }
}

/** Resolves when the Git extension has looked for repositories, or after some seconds when it never says so. */
function initialized(api: GitApi): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      listening.dispose();
      resolve();
    };
    const timer = setTimeout(done, 5000);
    const listening = api.onDidChangeState(() => {
      if (api.state === 'initialized') done();
    });
  });
}
