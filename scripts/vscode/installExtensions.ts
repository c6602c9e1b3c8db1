import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Makes the extensions in `folders` installed ones of the VS Code that keeps its extensions in `extensionsFolder`, without copying them. */
export async function installExtensions(folders: readonly string[], extensionsFolder: string): Promise<void> {
  await mkdir(extensionsFolder, { recursive: true });
  const entries = await Promise.all(folders.map(entryOf));
  await writeFile(join(extensionsFolder, 'extensions.json'), JSON.stringify(entries));
}

async function entryOf(folder: string) {
  const { publisher, name, version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  return {
    identifier: { id: `${publisher}.${name}` },
    version,
    location: { $mid: 1, path: folder, scheme: 'file' },
    metadata: { installedTimestamp: Date.now(), source: 'vsix' },
  };
}
