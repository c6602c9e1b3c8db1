import { basename } from 'node:path';
import * as vscode from 'vscode';

interface LanguageContribution {
  readonly id?: unknown;
  readonly extensions?: unknown;
}

/** What to call a document that was never saved: as its tab does, with the extension of its language. */
export function untitledName({ uri, languageId }: vscode.TextDocument): string {
  const name = nameOf(uri);
  return /\.\w+$/.test(name) ? name : `${name}${extensionOf(languageId)}`;
}

function extensionOf(languageId: string): string {
  if (languageId === 'plaintext') return '.txt';
  const contributed = vscode.extensions.all.flatMap(({ packageJSON }): readonly LanguageContribution[] => {
    const languages: unknown = packageJSON?.contributes?.languages;
    return Array.isArray(languages) ? languages : [];
  });
  const found = contributed.find(({ id, extensions }) => id === languageId && Array.isArray(extensions));
  const [extension] = Array.isArray(found?.extensions) ? found.extensions : [];
  return typeof extension === 'string' && extension.startsWith('.') ? extension : '.txt';
}

/** The file's own name, without folders. */
export function nameOf(uri: vscode.Uri): string {
  return basename(uri.path) || uri.path;
}
