import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createVSIX, listFiles, PackageManager } from '@vscode/vsce';
import { transformSync } from 'esbuild';
import { packagedReadme } from './packagedReadme.ts';
import { builtBundles, thirdPartyLicenses } from './thirdPartyLicenses.ts';
import { temporaryFolder } from './vscode/temporaryFolder.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
/** What of the built files is in the package besides the parts of the extension, as `.vscodeignore` lists it. */
const SHIPPED = ['worker.js', 'service.js', 'settingsPage.js', 'storyPage.js', 'xml.js'];
/** The parts of the extension, before they become the files in `dist`. */
const PARTS = 'out/extension/';
/** The most that the package may have. */
export const MOST_BYTES = 900 * 1024;

/**
 * Writes the extension as it was built last into a file to install, with the licenses of what is bundled, and tells its size in bytes.
 * @throws Error where vsce warns of something, or the package is too large.
 */
export async function writeExtensionPackage(packagePath: string): Promise<number> {
  const licenses = thirdPartyLicenses(root, builtBundles(root), isShipped);
  writeFileSync(join(root, 'dist/ThirdPartyNotices.txt'), licenses);
  const folder = temporaryFolder('package');
  await copyPackaged(folder.path);
  const warnings = await warningsOf(() => createVSIX({ cwd: folder.path, packagePath: resolve(packagePath) }));
  await folder.remove();
  if (warnings.length > 0) throw new Error(`vsce warns: ${warnings.join('\n')}`);
  const { size } = statSync(packagePath);
  if (size > MOST_BYTES) throw new Error(`The package has ${size} bytes, more than ${MOST_BYTES}.`);
  return size;
}

/** Everything that is packaged, with the README as it is there; vsce has a look at that, too. */
async function copyPackaged(folder: string): Promise<void> {
  const paths = await listFiles({ cwd: root, packageManager: PackageManager.None });
  for (const path of [...paths, '.vscodeignore']) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), withoutSpaces(path));
  }
  writeFileSync(join(folder, 'README.md'), packagedReadme(readFileSync(join(root, 'README.md'), 'utf8')));
}

/** A file without what only people read it by, where it is one to be read by programs. */
function withoutSpaces(path: string): string | Buffer {
  const content = readFileSync(join(root, path));
  if (path.endsWith('.json')) return JSON.stringify(JSON.parse(content.toString()));
  return path.endsWith('.css') ? transformSync(content, { loader: 'css', minify: true }).code : content;
}

function isShipped(path: string): boolean {
  return path.startsWith(PARTS) || SHIPPED.includes(basename(path));
}

/** What vsce tells beside what it does; it writes to the console. */
async function warningsOf(run: () => Promise<unknown>): Promise<readonly string[]> {
  const { warn, error } = console;
  const warnings: string[] = [];
  const record = (...texts: readonly unknown[]) => void warnings.push(texts.join(' '));
  Object.assign(console, { warn: record, error: record });
  try {
    await run();
  } finally {
    Object.assign(console, { warn, error });
  }
  return warnings;
}
