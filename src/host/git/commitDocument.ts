import * as vscode from 'vscode';
import { commentCharIn } from '../../core/marker/commitMessage.ts';
import type { TextRange } from '../../core/marker/markerSyntax.ts';
import type { TextEdit } from '../../core/marker/textEdit.ts';
import { withoutEnds } from '../../core/text.ts';
import { rootOfCommitBox } from './scmInput.ts';

/** What begins the lines that Git drops; empty in a commit box, of which VS Code has Git keep every line. */
export function commentCharOf(document: vscode.TextDocument): string {
  return document.languageId === 'git-commit' ? commentCharIn(document.getText()) : '';
}

const roots = new Map<string, Promise<vscode.Uri>>();

/**
 * Root of the repository that a message belongs to, where settings for it are looked up too: a commit box names it; the file
 * that `git commit` waits for is in its Git folder.
 */
export async function rootOf({ uri }: vscode.TextDocument): Promise<vscode.Uri> {
  const root = rootOfCommitBox(uri);
  if (root !== undefined) return vscode.Uri.file(vscode.Uri.parse(root).path);
  const folder = vscode.Uri.joinPath(uri, '..');
  const found = roots.get(folder.toString()) ?? checkedOutFor(folder);
  roots.set(folder.toString(), found);
  return found;
}

export function rangeIn(document: vscode.TextDocument, { start, end }: TextRange): vscode.Range {
  return new vscode.Range(document.positionAt(start), document.positionAt(end));
}

/** Edits that speak of the document as it is now. */
export function workspaceEdit(document: vscode.TextDocument, edits: readonly TextEdit[]): vscode.WorkspaceEdit {
  const edit = new vscode.WorkspaceEdit();
  for (const { offset, length, text } of edits) {
    edit.replace(document.uri, rangeIn(document, { start: offset, end: offset + length }), text);
  }
  return edit;
}

/**
 * The folder that is checked out for a Git folder: the one that `.git` lies in; a worktree's Git folder names it in `gitdir`,
 * a submodule's in `config`. Where nothing names one, the Git folder itself.
 */
async function checkedOutFor(gitFolder: vscode.Uri): Promise<vscode.Uri> {
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
