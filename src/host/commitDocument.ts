import * as vscode from 'vscode';
import type { TextRange } from '../core/markerSyntax.ts';
import type { TextEdit } from '../core/textEdit.ts';
import { rootOfCommitBox } from './scmInput.ts';

/** Where commit messages are written: the commit box and the file that `git commit` waits for. */
export const commitMessages: vscode.DocumentSelector = [{ language: 'scminput' }, { language: 'git-commit' }];

/** What begins the lines that Git drops; empty in a commit box, of which VS Code has Git keep every line. */
export function commentCharOf({ languageId }: vscode.TextDocument): string {
  return languageId === 'git-commit' ? '#' : '';
}

/** A commit box has settings of its repository. */
export function scopeOf({ uri }: vscode.TextDocument): vscode.Uri {
  const root = rootOfCommitBox(uri);
  return root === undefined ? uri : vscode.Uri.file(vscode.Uri.parse(root).path);
}

/** Root of the repository that a message belongs to; the file that `git commit` waits for is in its `.git`. */
export function rootOf(document: vscode.TextDocument): { readonly path: string } {
  return { path: scopeOf(document).path.replace(/\/\.git\/.*$/, '') };
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
