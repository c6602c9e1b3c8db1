/** `npm run reference`: renews the tables of commands, keys and settings in README.md and docs/. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { referencePages } from './manifestTables.ts';

const root = join(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const pages = referencePages(JSON.parse(read('package.json')), JSON.parse(read('package.nls.json')), read('README.md'));
for (const [path, text] of Object.entries(pages)) writeFileSync(join(root, path), text);
