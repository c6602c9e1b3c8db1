/** Prints the figures of `src`: how large its files are and how they hang together. `--exports` lists what only tests import, and what nothing does. */
import { globSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { figureLines, houseFigures } from '../test/support/architecture/houseFigures.ts';
import { rooms } from '../test/support/architecture/rooms.ts';

const { values } = parseArgs({ options: { exports: { type: 'boolean' } } });
const paths = globSync(['src/**/*.ts', 'test/**/*.ts', 'scripts/**/*.ts']).map((path) => path.replaceAll('\\', '/'));
const figures = houseFigures(new Map(paths.sort().map((path) => [path, readFileSync(path, 'utf8')])));
const lists = [
  ...figures.testOnlyExports.map((one) => `for tests only: ${one}`),
  ...figures.deadExports.map((one) => `nothing imports: ${one}`),
];
process.stdout.write(`${[...figureLines(figures, rooms), ...(values.exports ? lists : [])].join('\n')}\n`);
