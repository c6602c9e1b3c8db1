import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';

export const EMPTY_ID = 'story-tracker-bench.empty';

/** Nothing activates it by itself. */
const NEVER = ['onCommand:storyTrackerBench.never'];

/** An extension that does nothing, bundled like ours; gives its folder. */
export function emptyExtension(folder: string, activationEvents: readonly string[] = NEVER): Promise<string> {
  const source = "import * as vscode from 'vscode';\nexport function activate() { return vscode.version; }\n";
  return extension(folder, 'empty', source, activationEvents);
}

/** Ours, in `root`, as it is but for starting with the window; gives the folder of the copy. */
export async function sleepingCopy(root: string, folder: string): Promise<string> {
  const home = join(folder, 'sleeping');
  await mkdir(home, { recursive: true });
  for (const name of await readdir(root)) {
    if (name !== 'package.json') await symlink(join(root, name), join(home, name));
  }
  const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  await writeFile(join(home, 'package.json'), JSON.stringify({ ...manifest, activationEvents: NEVER }));
  return home;
}

/** An extension of the bench's own that runs when VS Code has started; `module` exports `activate`. */
export async function probeExtension(folder: string, module: string): Promise<string> {
  return extension(folder, 'probe', `export { activate } from ${JSON.stringify(module)};\n`, ['onStartupFinished']);
}

async function extension(
  folder: string,
  name: string,
  source: string,
  activationEvents: readonly string[],
): Promise<string> {
  const home = join(folder, name);
  await mkdir(home, { recursive: true });
  await build({
    stdin: { contents: source, resolveDir: home, loader: 'ts' },
    outfile: join(home, 'extension.js'),
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node22',
    minify: true,
    external: ['vscode'],
    logLevel: 'warning',
  });
  const manifest = {
    name,
    publisher: 'story-tracker-bench',
    version: '1.0.0',
    engines: { vscode: '^1.116.0' },
    main: './extension.js',
    extensionKind: ['workspace'],
    activationEvents,
    capabilities: { untrustedWorkspaces: { supported: true } },
  };
  await writeFile(join(home, 'package.json'), JSON.stringify(manifest));
  return home;
}
