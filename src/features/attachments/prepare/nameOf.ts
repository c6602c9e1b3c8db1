import { basename } from 'node:path';
import type * as vscode from 'vscode';

/** The file's own name, without folders. */
export function nameOf(uri: vscode.Uri): string {
  return basename(uri.path) || uri.path;
}
