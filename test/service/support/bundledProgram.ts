import { basename, join } from 'node:path';
import { build } from 'esbuild';

/** Where parts of a bundle find the files of their threads, which are left as they were written. */
const mailSources = new URL('../../../src/service/mail/reply/', import.meta.url).href;

/** Bundles a program that is started very often, so that it starts sooner; tells where it is. */
export async function bundledProgram(source: string, folder: string): Promise<string> {
  const outfile = join(folder, `${basename(source, '.ts')}.mjs`);
  const head = `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);`;
  await build({
    ...{ entryPoints: [source], outfile, bundle: true, platform: 'node', format: 'esm', target: 'node22' },
    define: { 'import.meta.url': JSON.stringify(mailSources) },
    ...{ banner: { js: head }, logLevel: 'warning', external: ['pg-native', 'pg-cloudflare'] },
  });
  return outfile;
}
