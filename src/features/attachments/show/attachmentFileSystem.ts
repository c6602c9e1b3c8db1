import * as vscode from 'vscode';
import type { App } from '../../../host/app.ts';
import { ATTACHMENT_SCHEME } from '../../../host/story/attachmentUri.ts';
import type { AttachmentContents } from './attachmentContents.ts';

/** Attachments as files that can be read, so that editors, comparisons and the Explorer take them. */
export function attachmentFileSystem(needs: Pick<App, 'backlogs' | 'engine'>): vscode.Disposable {
  let loading: Promise<AttachmentContents> | undefined;
  const contents = () => {
    loading ??= import('./attachmentContents.ts').then(({ AttachmentContents: Contents }) => new Contents(needs));
    return loading;
  };
  const refuse = (uri: vscode.Uri) => {
    throw vscode.FileSystemError.NoPermissions(uri);
  };
  const never = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  const provider: vscode.FileSystemProvider = {
    onDidChangeFile: never.event,
    watch: () => new vscode.Disposable(() => undefined),
    stat: async (uri) => (await contents()).stat(uri),
    readFile: async (uri) => (await contents()).read(uri),
    readDirectory: () => [],
    createDirectory: refuse,
    writeFile: refuse,
    delete: refuse,
    rename: refuse,
  };
  const options = { isCaseSensitive: true, isReadonly: true };
  return vscode.Disposable.from(
    never,
    vscode.workspace.registerFileSystemProvider(ATTACHMENT_SCHEME, provider, options),
  );
}
