import { globSync } from 'node:fs';
import { copyFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';

/** Bundles `test/vscode` into `out/test/vscode`, each file for itself, and gives the module that VS Code is to run. */
export async function bundleVsCodeTests(root: string): Promise<string> {
  const outdir = join(root, 'out', 'test', 'vscode');
  await rm(outdir, { recursive: true, force: true });
  await build({
    entryPoints: [join(root, 'test/vscode/index.ts'), ...globSync(join(root, 'test/vscode/**/*.test.ts'))],
    outdir,
    outbase: join(root, 'test/vscode'),
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node22',
    sourcemap: 'inline',
    // Mocha's own entry is an ES module, whose default export a bundle in CommonJS would not find.
    alias: { mocha: 'mocha/lib/mocha.cjs' },
    // QuickJS reads its own WebAssembly from beside itself.
    external: ['vscode', 'mocha/lib/mocha.cjs', 'quickjs-wasi'],
    logLevel: 'warning',
  });
  return join(outdir, 'index.js');
}

/** Bundles the extension of `test/neighbour`, which uses our API as those of others do, and gives its folder. */
export async function bundleNeighbour(root: string): Promise<string> {
  const outdir = join(root, 'out', 'test', 'neighbour');
  await build({
    entryPoints: [join(root, 'test/neighbour/extension.ts')],
    outfile: join(outdir, 'extension.cjs'),
    bundle: true,
    platform: 'node',
    format: 'cjs',
    external: ['vscode'],
    logLevel: 'warning',
  });
  await copyFile(join(root, 'test/neighbour/package.json'), join(outdir, 'package.json'));
  return outdir;
}
