import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const NAME = 'story-tracker';

/** The version in the `package.json` that this program came with, above the script that runs; empty when it is not there. */
export async function version(script: string): Promise<string> {
  for (let folder = dirname(script); ; folder = dirname(folder)) {
    const manifest: unknown = await readFile(join(folder, 'package.json'), 'utf8').then(JSON.parse, () => undefined);
    const found = versionIn(manifest);
    if (found !== undefined || folder === dirname(folder)) return found ?? '';
  }
}

function versionIn(manifest: unknown): string | undefined {
  if (typeof manifest !== 'object' || manifest === null) return undefined;
  if (!('name' in manifest) || manifest.name !== NAME || !('version' in manifest)) return undefined;
  return String(manifest.version);
}
