import { spawnSync } from 'node:child_process';
import { globSync, statSync } from 'node:fs';
import { join } from 'node:path';

const bundles = ['dist/extension.js', 'dist/worker.js', 'dist/service.js'];

/** Builds unless every bundle is newer than all it is made from; throws when the build fails. */
export async function buildIfNeeded(root: string): Promise<void> {
  const sources = [...globSync('src/**/*', { cwd: root }), 'esbuild.js', 'package.json', 'package-lock.json'];
  const newest = Math.max(...sources.map((path) => modified(join(root, path))));
  const oldest = Math.min(...bundles.map((path) => modified(join(root, path))));
  if (oldest > newest) return;
  process.stdout.write('Building Story Tracker …\n');
  const { status } = spawnSync(process.execPath, ['esbuild.js', '--production', '--quiet'], {
    cwd: root,
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error('The extension could not be built.');
}

/** Milliseconds; 0 for what is not there. */
function modified(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
