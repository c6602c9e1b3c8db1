import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

const suffixes = process.platform === 'win32' ? ['.exe', '.cmd', ''] : [''];

/** The first of `names` that stands as a file on the PATH or is itself an absolute path of one. */
export function commandPath(names: readonly string[]): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  return names
    .flatMap((name) => (/[\\/]/.test(name) ? [name] : folders.map((folder) => join(folder, name))))
    .flatMap((path) => suffixes.map((suffix) => path + suffix))
    .find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
