import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { importCycles, wayTo } from '../support/architecture/importCycles.ts';
import { brokenImportRules } from '../support/architecture/importRules.ts';
import { atRunTime, type ImportGraph, importGraph } from '../support/architecture/moduleImports.ts';

const top = fileURLToPath(new URL('../../', import.meta.url));

describe('architecture', () => {
  const graph = projectGraph();
  const unitTests = [...graph.keys()].filter((path) => path.startsWith('test/unit/'));

  it('lets every module of src import only what its room may', () => {
    assert.deepEqual(brokenImportRules(graph), []);
  });

  it('has no ring of imports', () => {
    assert.deepEqual(importCycles(atRunTime(graph)), []);
  });

  it('has no ring of types in src either', () => {
    const product = new Map([...graph].filter(([path]) => path.startsWith('src/')));
    assert.deepEqual(importCycles(product), []);
  });

  it('keeps VS Code out of the unit tests', () => {
    assert.deepEqual(
      unitTests.flatMap((path) => wayTo(atRunTime(graph), path, 'vscode') ?? []),
      [],
    );
    const named = unitTests.filter((path) => graph.get(path)?.some(({ target }) => target === 'vscode'));
    assert.deepEqual(named, []);
  });

  it('looks at the whole house', () => {
    const imports = [...graph].flatMap(([path, all]) => (path.startsWith('src/') ? all : []));
    assert.ok(graph.has('src/extension.ts') && graph.has('src/core/story/story.ts') && unitTests.length > 5);
    assert.ok(imports.some(({ target }) => target === 'vscode'));
    assert.ok(imports.some(({ isType }) => isType) && imports.some(({ isType }) => !isType));
  });
});

describe('reading imports', () => {
  assertImports("import { a } from './b.ts';", 'src/core/b.ts');
  assertImports("import a, { b } from '../v3/b.ts';", 'src/v3/b.ts');
  assertImports("import {\n  a,\n  type B,\n} from './b.ts';", 'src/core/b.ts');
  assertImports("import * as all from 'vscode';", 'vscode');
  assertImports("import './effect.ts';", 'src/core/effect.ts');
  assertImports("import type { A } from './a.ts';", 'type src/core/a.ts');
  assertImports("export type { A } from './a.ts';", 'type src/core/a.ts');
  assertImports("export { a } from './a.ts';\nexport * from './b.ts';", 'src/core/a.ts', 'src/core/b.ts');
  assertImports("const a = await import('./a.ts');", 'src/core/a.ts');
  assertImports("type A = typeof import('./a.ts');", 'type src/core/a.ts');
  assertImports("let a: import('vscode').Uri;", 'vscode');
  assertImports("const a = require('node:fs');", 'node:fs');
  assertImports('const a = await import(name);', '?');
  assertImports('const a = await import(`./$' + '{name}.ts`);', '?');
  assertImports("const text = \"import('./a.ts')\";\nimport './b.ts';", 'src/core/b.ts');
  assertImports("// import { a } from './b.ts';\n/**\n * import('./c.ts')\n */\nexport const a = 1;");
  assertImports("export const a = 'one';\nexport function from(text: string) {\n  return text + 'two';\n}");
});

describe('rules of imports', () => {
  assertBroken({ 'src/core/a.ts': "import './b.ts';", 'src/core/b.ts': '' });
  assertBroken({
    'src/client/a.ts': "import '../v3/b.ts';\nimport '../core/c.ts';\nimport 'undici';",
    ...empty('src/v3/b.ts', 'src/core/c.ts'),
  });
  assertBroken({
    'src/extension.ts': "import 'vscode';\nimport './features/a/index.ts';",
    ...empty('src/features/a/index.ts'),
  });
  assertBroken({
    'src/features/a/b.ts': "import './c.ts';\nimport '../../host/d.ts';",
    ...empty('src/features/a/c.ts', 'src/host/d.ts'),
  });

  assertBroken({ 'src/core/a.ts': "import '../v3/b.ts';", ...empty('src/v3/b.ts') }, 'core may not import v3');
  assertBroken(
    { 'src/core/a.ts': "import type { B } from '../v3/b.ts';", ...empty('src/v3/b.ts') },
    'core may not import v3',
  );
  assertBroken({ 'src/core/a.ts': "import 'node:fs';" }, 'core may not use it');
  assertBroken({ 'src/core/a.ts': "let uri: import('vscode').Uri;" }, 'core may not use it');
  assertBroken(
    { 'src/service/a.ts': "import '../client/b.ts';", ...empty('src/client/b.ts') },
    'service may not import client',
  );
  assertBroken({
    'src/service/routes/a.ts': "import '../store/jobs/b.ts';",
    ...empty('src/service/store/jobs/b.ts'),
  });
  assertBroken(
    { 'src/service/store/a.ts': "import type { B } from '../auth/b.ts';", ...empty('src/service/auth/b.ts') },
    'store may not import auth, which comes after it',
  );
  assertBroken(
    { 'src/service/misc/a.ts': "import '../ground/b.ts';", ...empty('src/service/ground/b.ts') },
    'misc is no part of service',
  );
  assertBroken({ 'src/service/store/a.ts': "import { sql } from 'kysely';" });
  assertBroken({ 'src/service/useCases/a.ts': "import { sql } from 'kysely';" }, 'useCases may not use it');
  assertBroken(
    { 'src/client/a.ts': "import '../service/b.ts';", ...empty('src/service/b.ts') },
    'client may not import service',
  );
  assertBroken({ 'src/remote/a.ts': "import '../v3/b.ts';", ...empty('src/v3/b.ts') }, 'remote may not import v3');
  assertBroken(
    { 'src/host/a.ts': "import '../features/b/c.ts';", ...empty('src/features/b/c.ts') },
    'host may not import features',
  );
  assertBroken(
    { 'src/features/a/b.ts': "import '../c/d.ts';", ...empty('src/features/c/d.ts') },
    'no feature imports a feature',
  );
  assertBroken(
    { 'src/features/a/b.ts': "await import('../../client/d.ts');", ...empty('src/client/d.ts') },
    'features may not import client',
  );
  assertBroken({ 'src/features/a/b.ts': "import 'undici';" }, 'features may not use it');
  assertBroken(
    { 'src/host/a.ts': "import '../extension.ts';", ...empty('src/extension.ts') },
    'nothing imports a composition root',
  );
  assertBroken(
    { 'src/extension.ts': "import './worker.ts';", ...empty('src/worker.ts') },
    'nothing imports a composition root',
  );
  assertBroken({ 'src/worker.ts': "import type { Uri } from 'vscode';" }, 'it has no business with VS Code');
  assertBroken(
    { 'src/utils/a.ts': "import '../core/b.ts';", ...empty('src/core/b.ts') },
    'utils is no room of the house',
  );
  assertBroken(
    { 'src/core/a.ts': "import '../../test/support/b.ts';", ...empty('test/support/b.ts') },
    'it is not part of the product',
  );
  assertBroken({ 'src/core/a.ts': "import './gone.ts';" }, 'there is no such module');
  const PUBLIC = "import type { Story } from '../../../api/story-tracker.d.ts';";
  assertBroken({ 'src/features/extensionApi/a.ts': PUBLIC });
  assertBroken({ 'src/features/stories/a.ts': PUBLIC }, 'there is no such module');
  assertBroken({ 'src/core/a.ts': 'await import(name);' }, 'what it is only shows at run time');

  it('finds a ring, and one of types when asked for those', () => {
    const graph = graphOf({
      'src/core/a.ts': "import './b.ts';",
      'src/core/b.ts': "import type { C } from './c.ts';",
      'src/core/c.ts': "export { a } from './a.ts';",
      'src/core/d.ts': "import './a.ts';",
    });
    assert.deepEqual(importCycles(graph), ['src/core/a.ts → src/core/b.ts → src/core/c.ts → src/core/a.ts']);
    assert.deepEqual(importCycles(atRunTime(graph)), []);
    const withValue = graphOf({ 'src/core/a.ts': "import './b.ts';", 'src/core/b.ts': "import './a.ts';" });
    assert.deepEqual(importCycles(atRunTime(withValue)), ['src/core/a.ts → src/core/b.ts → src/core/a.ts']);
  });

  it('takes two ways to one module for no ring', () => {
    const two = { 'src/core/a.ts': "import './b.ts';\nimport './c.ts';", 'src/core/b.ts': "import './c.ts';" };
    assert.deepEqual(importCycles(graphOf({ ...two, ...empty('src/core/c.ts') })), []);
  });

  it('finds the way to a package through other modules, but for types', () => {
    const graph = graphOf({
      'test/unit/a.test.ts': "import '../../src/host/b.ts';",
      'test/unit/b.test.ts': "import type { B } from '../../src/host/b.ts';",
      'src/host/b.ts': "import * as vscode from 'vscode';",
    });
    assert.equal(wayTo(graph, 'test/unit/a.test.ts', 'vscode'), 'test/unit/a.test.ts → src/host/b.ts → vscode');
    assert.equal(wayTo(atRunTime(graph), 'test/unit/b.test.ts', 'vscode'), undefined);
  });
});

function projectGraph(): ImportGraph {
  const paths = globSync(['src/**/*.ts', 'test/**/*.ts', 'scripts/**/*.ts'], { cwd: top });
  const named = paths.map((path) => path.replaceAll('\\', '/')).sort();
  return importGraph(new Map(named.map((path) => [path, readFileSync(top + path, 'utf8')])));
}

function graphOf(sources: Readonly<Record<string, string>>): ImportGraph {
  return importGraph(new Map(Object.entries(sources)));
}

function empty(...paths: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(paths.map((path) => [path, '']));
}

/** The imports of a module in `src/core`; those of types only are marked. */
function assertImports(text: string, ...expected: readonly string[]): void {
  it(JSON.stringify(text), () => {
    const imports = graphOf({ 'src/core/module.ts': text }).get('src/core/module.ts') ?? [];
    assert.deepEqual(
      imports.map(({ target, isType }) => (isType ? `type ${target}` : target)),
      expected,
    );
  });
}

/** `why` is what is wrong with the only bad import; without it there is none. */
function assertBroken(sources: Readonly<Record<string, string>>, why?: string): void {
  const [[path = '', text = ''] = []] = Object.entries(sources);
  it(`${path}: ${text.replaceAll('\n', ' ')} ${why ?? 'is fine'}`, () => {
    const broken = brokenImportRules(graphOf(sources));
    assert.equal(broken.length, why === undefined ? 0 : 1, broken.join('\n'));
    if (why !== undefined) assert.ok(broken[0]?.endsWith(`: ${why}`), broken[0]);
  });
}
