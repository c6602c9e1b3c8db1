import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { command, jsonOption } from './command.ts';

const NAME = 'story-tracker';

export const version = command({
  name: 'version',
  summary: 'print the version',
  about: 'Prints the version. The same as --version.',
  options: jsonOption,
  examples: ['', '--json'],
  run: async () => {
    const found = await versionAbove(process.argv[1] ?? '');
    return { text: `${found}\n`, data: { version: found, node: process.versions.node } };
  },
});

/** The version in the `package.json` that this program came with, above the script that runs; empty when it is not there. */
async function versionAbove(script: string): Promise<string> {
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
