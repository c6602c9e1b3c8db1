import * as vscode from 'vscode';
import { commentCharIn } from '../../core/marker/commitMessage.ts';
import type { TextRange } from '../../core/marker/markerSyntax.ts';
import type { TextEdit } from '../../core/marker/textEdit.ts';
import { checkedOutFor } from './checkedOutFor.ts';
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
