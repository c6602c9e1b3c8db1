/** `npm run package`: the installable extension, as `dist/story-tracker-VERSION.vsix`. */
import { readFileSync, statSync } from 'node:fs';
import { createVSIX } from '@vscode/vsce';

const { name, version } = JSON.parse(readFileSync('package.json', 'utf8'));
const packagePath = `dist/${name}-${version}.vsix`;
await createVSIX({ packagePath, dependencies: false, allowMissingRepository: true });
process.stdout.write(`${packagePath}: ${Math.ceil(statSync(packagePath).size / 1024)} KiB\n`);
