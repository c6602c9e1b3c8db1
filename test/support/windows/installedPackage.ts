import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { writeExtensionPackage } from '../../../scripts/extensionPackage.ts';
import { codeServerFolder } from '../../../scripts/vscode/codeServerInstall.ts';
import { temporaryFolder } from '../../../scripts/vscode/temporaryFolder.ts';

let installing: Promise<string> | undefined;

/** The folder into which VS Code itself has put the package of what was built last; one for all windows of this process. */
export function installedPackage(): Promise<string> {
  installing ??= install();
  return installing;
}

async function install(): Promise<string> {
  const { path } = temporaryFolder('installed');
  const file = join(path, 'story-tracker.vsix');
  await writeExtensionPackage(file);
  const extensions = join(path, 'extensions');
  const program = join(await codeServerFolder((line) => void process.stdout.write(`${line}\n`)), 'out/server-main.js');
  const folders = ['--extensions-dir', extensions, '--server-data-dir', join(path, 'data')];
  const { stdout } = await promisify(execFile)(process.execPath, [
    program,
    ...folders,
    '--accept-server-license-terms',
    '--install-extension',
    file,
  ]);
  assert.match(stdout, /successfully installed/);
  const [name] = (await readdir(extensions)).filter((each) => each.startsWith('story-tracker.story-tracker-'));
  assert.ok(name !== undefined, `in ${await readdir(extensions)}`);
  return join(extensions, name);
}
