import * as vscode from 'vscode';
import { withoutEnds } from '../../core/text.ts';

/**
 * The folder that is checked out for a Git folder: the one that `.git` lies in; a worktree's Git folder names it in `gitdir`,
 * a submodule's in `config`. Where nothing names one, the Git folder itself.
 */
export async function checkedOutFor(gitFolder: vscode.Uri): Promise<vscode.Uri> {
  if (gitFolder.path.endsWith('/.git')) return vscode.Uri.joinPath(gitFolder, '..');
  const link = (await textOf(gitFolder, 'gitdir')).trim();
  if (link !== '') return vscode.Uri.joinPath(placeIn(gitFolder, link), '..');
  const worktree = worktreeIn(await textOf(gitFolder, 'config'));
  return worktree === '' ? gitFolder : placeIn(gitFolder, worktree);
}

/** What the settings of a repository name as its folder; empty where they name none. */
function worktreeIn(config: string): string {
  const values = config.split(/\r?\n/).flatMap((line) => /^worktree\s*=(.*)$/s.exec(line.trim())?.[1] ?? []);
  return withoutEnds(values[0]?.trim() ?? '', '"');
}

/** Empty when there is no such file. */
async function textOf(folder: vscode.Uri, name: string): Promise<string> {
  try {
    return new TextDecoder().decode(await vscode.workspace.fs.readFile(vscode.Uri.joinPath(folder, name)));
  } catch {
    return '';
  }
}

function placeIn(folder: vscode.Uri, path: string): vscode.Uri {
  const isAbsolute = /^(?:[/\\]|[A-Za-z]:)/.test(path);
  return isAbsolute ? folder.with({ path: vscode.Uri.file(path).path }) : vscode.Uri.joinPath(folder, path);
}
