import * as vscode from 'vscode';
import { TrackerError } from '../../../core/errors.ts';
import { MEMORY_LIMIT, type Ready, virtual } from './candidate.ts';

const NOT_TAKEN = new Set(['.git', '.hg', '.svn', 'node_modules']);

/** Names that are looked at in one folder. */
const MOST = 20_000;

/** All files below a folder that only VS Code can read, no link among them; `isCut` when together they are too much. */
export async function virtualFiles(folder: vscode.Uri, signal: AbortSignal) {
  const files: Ready[] = [];
  const leftOut: string[] = [];
  const links: string[] = [];
  let [bytes, looked] = [0, 0];
  const waiting = [''];
  for (let below = waiting.shift(); below !== undefined; below = waiting.shift()) {
    const at = below === '' ? folder : vscode.Uri.joinPath(folder, below);
    for (const [entry, type] of await vscode.workspace.fs.readDirectory(at)) {
      if (signal.aborted) throw new TrackerError('cancelled', 'Cancelled.');
      const name = below === '' ? entry : `${below}/${entry}`;
      const uri = vscode.Uri.joinPath(folder, name);
      looked += 1;
      if (looked > MOST) return { files, leftOut, links, isCut: true };
      if ((type & vscode.FileType.SymbolicLink) !== 0) links.push(name);
      else if (NOT_TAKEN.has(entry) || (type !== vscode.FileType.File && type !== vscode.FileType.Directory)) {
        leftOut.push(name);
      } else if (type === vscode.FileType.Directory) waiting.push(name);
      else {
        const { size } = await vscode.workspace.fs.stat(uri);
        bytes += size;
        if (bytes > MEMORY_LIMIT) return { files, leftOut, links, isCut: true };
        files.push(virtual(uri, name, size));
      }
    }
  }
  return { files, leftOut, links, isCut: false };
}
