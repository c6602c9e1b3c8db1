import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { functionLengths } from '../support/architecture/functionLengths.ts';
import { figureLines, houseFigures } from '../support/architecture/houseFigures.ts';
import { exportedNames, takenNames } from '../support/architecture/moduleExports.ts';

const house = {
  'src/extension.ts': "import { show } from './host/show.ts';\nexport function activate() {\n  show();\n}\n",
  'src/core/a.ts':
    'export interface A {\n  readonly b: number;\n}\nexport const forTests = 1;\nexport const DEAD = 2;\n',
  'src/core/b.ts': "import type { A } from './a.ts';\nexport const later = (a: A) => a;\nexport const never = 1;\n",
  'src/host/show.ts': `${[
    "import type { A } from '../core/a.ts';",
    'export async function show(a?: A) {',
    "  (await import('../core/b.ts')).later(a);",
    '}',
  ].join('\n')}\n${'// Space.\n'.repeat(12)}`,
  'test/unit/a.test.ts': "import { forTests } from '../../src/core/a.ts';\nimport '../../src/host/show.ts';\n",
};

describe('the figures of the house', () => {
  const figures = houseFigures(new Map(Object.entries(house)));

  it('count files and lines of src alone', () => {
    assert.deepEqual([figures.files, figures.lines, figures.medianLines, figures.short], [4, 28, 5, 3]);
  });

  it('count files with one importer, for types and at run time, but not tests', () => {
    assert.equal(figures.withOneImporter, 2);
  });

  it('name exports that only tests import, and those that nothing imports', () => {
    assert.deepEqual(figures.testOnlyExports, ['src/core/a.ts forTests']);
    assert.deepEqual(figures.deadExports, ['src/core/a.ts DEAD', 'src/core/b.ts never']);
  });

  it('take what a script imports for used', () => {
    const scripted = { ...house, 'scripts/draw.ts': "import { forTests } from '../src/core/a.ts';\n" };
    assert.deepEqual(houseFigures(new Map(Object.entries(scripted))).testOnlyExports, []);
  });

  it('take a name for used where a module that is handed on as a whole is used', () => {
    const handed = {
      'src/core/a.ts': 'export const a = 1;\nexport const b = 2;\n',
      'src/core/later.ts': "export const later = () => import('./a.ts');\n",
      'src/core/user.ts': "import { later } from './later.ts';\nlater().then(({ a }) => a);\n",
    };
    assert.deepEqual(houseFigures(new Map(Object.entries(handed))).deadExports, ['src/core/a.ts b']);
  });

  it('name rings, those of types too', () => {
    assert.deepEqual(figures.rings, []);
    const ringed = {
      ...house,
      'src/core/c.ts': "import './d.ts';\n",
      'src/core/d.ts': "import type { C } from './c.ts';\n",
    };
    assert.deepEqual(houseFigures(new Map(Object.entries(ringed))).rings, [
      'src/core/c.ts → src/core/d.ts → src/core/c.ts',
    ]);
  });

  it('are told in aligned lines, with the parts of each room in their order', () => {
    const room = { imports: [], packages: [] };
    const lines = figureLines(figures, { core: { ...room, parts: ['story', 'backlog'] }, git: room });
    assert.deepEqual(lines, [
      'Files                      4',
      'Lines                      28, median 5 per file',
      'Files with one importer    2 (50 %)',
      'Files of 15 lines or fewer 3',
      'Longest function           activate, 3 lines, in src/extension.ts',
      'Rings of imports           none',
      'Exports for tests only     1',
      'Exports nothing imports    2',
      'Room core                  story < backlog',
      'Room git                   (no parts)',
    ]);
  });
});

describe('the house itself', () => {
  const top = fileURLToPath(new URL('../../', import.meta.url));
  const paths = globSync(['src/**/*.ts', 'test/**/*.ts', 'scripts/**/*.ts'], { cwd: top });
  const sources = paths.map((path) => [path.replaceAll('\\', '/'), readFileSync(`${top}${path}`, 'utf8')] as const);

  it('exports nothing that nothing imports', () => {
    assert.deepEqual(houseFigures(new Map(sources)).deadExports, []);
  });
});

describe('what a module exports', () => {
  assertExports('export const a = 1;\nexport async function b() {}\nexport abstract class C {}', 'a', 'b', 'C');
  assertExports('export type A = string;\nexport interface B {}\nconst c = 1;', 'A', 'B');
  assertExports("export { a, type B as C } from './b.ts';", 'a', 'C');
  assertExports('// export const a = 1;');
});

describe('what a module takes', () => {
  assertTaken("import { a, type B as C } from './b.ts';", 'a', 'B');
  assertTaken("import type {\n  A,\n  B,\n} from './b.ts';", 'A', 'B');
  assertTaken("export { a as b } from './b.ts';", 'a');
  assertTaken("import * as all from './b.ts';", 'all of it');
  assertTaken("const { a } = await import('./b.ts');", 'all of it');
});

describe('the length of functions', () => {
  assertLengths('export async function a() {\n  b();\n}', 'a 3');
  assertLengths('function a(\n  b: string,\n): string {\n  return b;\n}', 'a 5');
  assertLengths('class A {\n  private b() {\n    if (c) {\n      d();\n    }\n  }\n}', 'b 5');
  assertLengths('export const a = (b: string) => {\n  c(b);\n};', 'a 3');
  assertLengths('function a() {\n  b(\n    c,\n  );\n}', 'a 5');
  assertLengths('it(`a`, () => {\n  b();\n});');
});

function assertExports(text: string, ...expected: readonly string[]): void {
  it(JSON.stringify(text), () => assert.deepEqual(exportedNames(text), expected));
}

function assertTaken(text: string, ...expected: readonly string[]): void {
  it(JSON.stringify(text), () => {
    const taken = takenNames(text).get('./b.ts');
    assert.deepEqual(taken?.isWhole ? ['all of it'] : [...(taken?.names ?? [])], expected);
  });
}

function assertLengths(text: string, ...expected: readonly string[]): void {
  it(JSON.stringify(text), () =>
    assert.deepEqual(
      functionLengths(text).map(({ name, lines }) => `${name} ${lines}`),
      expected,
    ),
  );
}
