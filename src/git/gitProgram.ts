import { existsSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

let named: string | undefined;

/** From now on this is Git, as VS Code found it or as its settings name it; a name that is no whole path is looked for on the PATH. */
export function useGit(program: string): void {
  named = isAbsolute(program) ? program : undefined;
}

/**
 * What is run as Git. Windows looks for a program in the folder it is to work in before it looks at the PATH. Throws on Windows without
 * Git.
 */
export function gitProgram(environment: Readonly<Record<string, string>>): string {
  if (named !== undefined) return named;
  if (process.platform !== 'win32') return 'git';
  const path = Object.entries(environment).find(([name]) => name.toUpperCase() === 'PATH')?.[1] ?? '';
  const found = ownFolders(path)
    .map((folder) => join(folder, 'git.exe'))
    .find((file) => existsSync(file));
  if (found === undefined) throw new Error('spawn git ENOENT');
  return found;
}

/** Of the PATH: a relative one would be a folder of the repository. */
export function ownFolders(path: string): readonly string[] {
  return path.split(delimiter).filter((folder) => isAbsolute(folder));
}
