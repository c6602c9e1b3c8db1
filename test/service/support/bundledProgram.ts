import { basename, join } from 'node:path';
import { build } from 'esbuild';

/** Bundles a program that is started very often, so that it starts sooner; tells where it is. */
export async function bundledProgram(source: string, folder: string): Promise<string> {
  const outfile = join(folder, `${basename(source, '.ts')}.mjs`);
  const head = `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);`;
  await build({
    ...{ entryPoints: [source], outfile, bundle: true, platform: 'node', format: 'esm', target: 'node22' },
    ...{ banner: { js: head }, logLevel: 'warning', external: ['pg-native', 'pg-cloudflare'] },
  });
  return outfile;
}
