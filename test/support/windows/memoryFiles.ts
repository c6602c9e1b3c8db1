import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The folder of that extension, to open as the workspace. */
export const MEMORY_FOLDER = 'memfs:/work';

/** Writes an extension with a file system that is on no disk, with these texts as the files of one folder. Gives its own folder. */
export async function memoryFiles(folder: string, files: Readonly<Record<string, string>>): Promise<string> {
  const manifest = {
    name: 'memory-files',
    publisher: 'story-tracker-tests',
    version: '1.0.0',
    engines: { vscode: '^1.116.0' },
    main: './main.js',
    activationEvents: ['onFileSystem:memfs'],
    capabilities: { virtualWorkspaces: true, untrustedWorkspaces: { supported: true } },
  };
  const main = `const vscode = require('vscode');
const files = new Map(${JSON.stringify(Object.entries(files))}.map(([name, text]) => ['/work/' + name, Buffer.from(text)]));
const changes = new vscode.EventEmitter();
const refuse = () => { throw vscode.FileSystemError.NoPermissions(); };
exports.activate = (context) => {
  const provider = {
    onDidChangeFile: changes.event,
    watch: () => new vscode.Disposable(() => undefined),
    stat: ({ path }) => {
      if (path === '/' || path === '/work') return { type: vscode.FileType.Directory, ctime: 0, mtime: 0, size: 0 };
      const bytes = files.get(path);
      if (!bytes) throw vscode.FileSystemError.FileNotFound();
      return { type: vscode.FileType.File, ctime: 0, mtime: 0, size: bytes.length };
    },
    readDirectory: () => [...files.keys()].map((path) => [path.slice('/work/'.length), vscode.FileType.File]),
    readFile: ({ path }) => files.get(path) ?? refuse(),
    writeFile: refuse, createDirectory: refuse, delete: refuse, rename: refuse,
  };
  context.subscriptions.push(vscode.workspace.registerFileSystemProvider('memfs', provider, { isReadonly: true }));
};
`;
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  await writeFile(join(folder, 'main.js'), main);
  return folder;
}
