import { realpath } from 'node:fs/promises';
import { posix } from 'node:path';
import * as vscode from 'vscode';
import { TrackerError } from '../../core/errors.ts';
import { isGitsOwn } from '../../core/ports/outgoingFiles.ts';
import { visibleLine } from '../../core/text.ts';

/** A file of the workspace that a model named. */
interface WorkspaceFile {
  readonly uri: vscode.Uri;
  /** As VS Code shows it. */
  readonly path: string;
  /** Bytes. */
  readonly size: number;
}

/**
 * Files of the workspace by their paths, absolute or relative to one of its folders. What links lead out of it is refused when it
 * is attached. @throws TrackerError `input` for what is no file of it, and for what Git keeps for itself, where addresses may hold tokens.
 */
export async function workspaceFiles(paths: readonly string[]): Promise<readonly WorkspaceFile[]> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  if (folders.length === 0) throw new TrackerError('input', 'No folder is open, so there are no files to attach.');
  const files: WorkspaceFile[] = [];
  for (const path of paths) {
    const file = await fileAt(folders, path);
    if (files.every(({ uri }) => uri.toString() !== file.uri.toString())) files.push(file);
  }
  return files;
}

async function fileAt(folders: readonly vscode.WorkspaceFolder[], path: string): Promise<WorkspaceFile> {
  const name = visibleLine(path, 200);
  const inside = candidates(folders, path).filter((uri) => vscode.workspace.getWorkspaceFolder(uri));
  if (inside.length === 0) {
    throw new TrackerError('input', `“${name}” is outside of the workspace. The person can attach it in VS Code.`);
  }
  for (const uri of inside) {
    const found = await statOf(uri);
    if (!found) continue;
    if (await leadsToGit(uri)) {
      throw new TrackerError('input', `“${name}” is one of Git’s own files, which are not attached.`);
    }
    if ((found.type & vscode.FileType.File) === 0) {
      throw new TrackerError('input', `“${name}” is not a file. Pass the files of a folder one by one.`);
    }
    return { uri, path: vscode.workspace.asRelativePath(uri), size: found.size };
  }
  throw new TrackerError('input', `There is no file “${name}” in the workspace.`);
}

/** Where a path may lead; without the dots that could lead out of a folder unseen. */
function candidates(folders: readonly vscode.WorkspaceFolder[], path: string): readonly vscode.Uri[] {
  const slashes = path.replaceAll('\\', '/');
  if (slashes.startsWith('/') || /^[a-z]:\//i.test(slashes)) {
    const absolute = posix.normalize(slashes.startsWith('/') ? slashes : `/${slashes}`);
    return folders.map(({ uri }) => uri.with({ path: absolute }));
  }
  const [first, ...rest] = slashes.split('/');
  return folders.flatMap(({ uri, name }) => [
    vscode.Uri.joinPath(uri, slashes),
    // As VS Code shows paths where several folders are open.
    ...(name === first && rest.length > 0 ? [vscode.Uri.joinPath(uri, ...rest)] : []),
  ]);
}

/** As spelled, and as links and the file system's other spellings resolve. */
async function leadsToGit(uri: vscode.Uri): Promise<boolean> {
  return isGitsOwn(uri.path) || (uri.scheme === 'file' && isGitsOwn(await realpath(uri.fsPath)));
}

async function statOf(uri: vscode.Uri): Promise<vscode.FileStat | undefined> {
  try {
    return await vscode.workspace.fs.stat(uri);
  } catch {
    // Another candidate may be there.
    return undefined;
  }
}
