/** `npm start [--web] [--no-open]`: a real VS Code with the extension, the built-in service and a demo project. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { buildIfNeeded } from './start/build.ts';
import { demoRepository } from './start/demoRepository.ts';
import { runDesktop } from './start/desktop.ts';
import { runWeb } from './start/web.ts';
import { desktopVsCode } from './vscode/desktop.ts';

const { values: options } = parseArgs({
  options: { web: { type: 'boolean', default: false }, 'no-open': { type: 'boolean', default: false } },
});
const root = fileURLToPath(new URL('..', import.meta.url)).replace(/[\\/]$/, '');
const home = join(root, '.start');

mkdirSync(home, { recursive: true });
await buildIfNeeded(root);
const place = { root, home, folder: await demoRepository(join(home, 'project')) };
const desktop = options.web ? undefined : await desktopVsCode();
process.exitCode = await (desktop === undefined ? runWeb(place, !options['no-open']) : runDesktop(place, desktop));
