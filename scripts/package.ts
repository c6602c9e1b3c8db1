/** `npm run package`: the installable extension, as `dist/story-tracker-VERSION.vsix`. */
import { readFileSync } from 'node:fs';
import { MOST_BYTES, writeExtensionPackage } from './extensionPackage.ts';

const { name, version } = JSON.parse(readFileSync('package.json', 'utf8'));
const packagePath = `dist/${name}-${version}.vsix`;
const size = await writeExtensionPackage(packagePath);
const kilobytes = (bytes: number) => `${Math.ceil(bytes / 1000)} KB`;
process.stdout.write(
  `${packagePath}: ${kilobytes(size)} of at most ${kilobytes(MOST_BYTES)}; GitHub Pull Requests, Atlassian and GitLens have 2 to 11 MB\n`,
);
