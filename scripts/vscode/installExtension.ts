import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Makes the extension in `folder` an installed one of the VS Code that keeps its extensions in `extensionsFolder`, without copying it. */
export async function installExtension(folder: string, extensionsFolder: string): Promise<void> {
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const entry = {
    identifier: { id: `${manifest.publisher}.${manifest.name}` },
    version: manifest.version,
    location: { $mid: 1, path: folder, scheme: 'file' },
    metadata: { installedTimestamp: Date.now(), source: 'vsix' },
  };
  await mkdir(extensionsFolder, { recursive: true });
  await writeFile(join(extensionsFolder, 'extensions.json'), JSON.stringify([entry]));
}
