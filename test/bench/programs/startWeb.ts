/** `startWeb HOME`: what `npm start -- --web --no-open` runs, with a folder of its own instead of the person's. */

import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildIfNeeded } from '../../../scripts/start/build.ts';
import { demoRepository } from '../../../scripts/start/demoRepository.ts';
import { runWeb } from '../../../scripts/start/web.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url)).replace(/[\\/]$/, '');
const home = process.argv[2] ?? '';
await buildIfNeeded(root);
process.exitCode = await runWeb({ root, home, folder: await demoRepository(join(home, 'project')) }, false);
