import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What `esbuild.js` notes of each file that it wrote. */
export type Bundles = Readonly<Record<string, { readonly inputs: Readonly<Record<string, unknown>> }>>;

interface Manifest {
  readonly version: string;
  readonly license?: string;
  readonly author?: string | { readonly name: string };
  readonly homepage?: string;
}

/** The innermost folder of a package. */
const PACKAGE = /^.*node_modules\/((?:@[^/]+\/)?[^/]+)\//;
const LICENSE_FILE = /^licen[cs]e/i;
const RULE = '-'.repeat(80);

/** The bundles that were built last. */
export function builtBundles(root: string): Bundles {
  return JSON.parse(readFileSync(join(root, 'out/bundles.json'), 'utf8'));
}

/** The licenses of all packages of which some code is in these bundles. */
export function thirdPartyLicenses(root: string, built: Bundles, isShipped: (path: string) => boolean): string {
  const folders = new Map<string, string>();
  for (const [path, { inputs }] of Object.entries(built)) {
    if (!isShipped(path)) continue;
    for (const input of Object.keys(inputs)) {
      const [folder, name] = PACKAGE.exec(input) ?? [];
      if (folder !== undefined && name !== undefined) folders.set(folder, name);
    }
  }
  const texts = [...folders].map(([folder, name]) => licenseOf(join(root, folder), name));
  return [...new Set(texts)].sort().join(`\n${RULE}\n\n`);
}

function licenseOf(folder: string, name: string): string {
  const manifest: Manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const { version, license, author, homepage } = manifest;
  const by = typeof author === 'string' ? author : author?.name;
  const file = readdirSync(folder).find((each) => LICENSE_FILE.test(each));
  if (file === undefined && license === undefined) throw new Error(`${name} comes without a license.`);
  const text =
    file === undefined ? `Its package has no text of the license.` : readFileSync(join(folder, file), 'utf8');
  const head = [`${name} ${version}`, license, by, homepage].filter((line) => line !== undefined);
  return `${head.join('\n')}\n\n${text.trim()}\n`;
}
