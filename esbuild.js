// Bundles what ships: `node esbuild.js [--production] [--watch]`. CommonJS, because it runs before anything is built.
const esbuild = require('esbuild');
const { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');

const production = process.argv.includes('--production');
const watch = process.argv.includes('--watch');

// `node:sqlite` is a static import deep in the service and fails on an older Node before any code runs.
// This head runs first: it hands over to the project's own Node where there is one, else says what is needed.
const serviceHead = `'use strict';
{
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < 22 || (major === 22 && minor < 13)) {
    const { join } = require('node:path');
    const own = join(__dirname, '..', 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
    if (!require('node:fs').existsSync(own)) {
      process.stderr.write('The Story Tracker service needs Node.js 22.13 or newer; this is ' + process.versions.node + '.\\n');
      process.exit(1);
    }
    const child = require('node:child_process').spawn(own, [__filename, ...process.argv.slice(2)], { stdio: 'inherit' });
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
    child.on('exit', (code) => process.exit(code ?? 1));
    return;
  }
}
`;

const shared = {
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node22',
  minify: production,
  sourcemap: production ? false : 'linked',
  metafile: true,
  logLevel: 'info',
};

// esbuild would copy VS Code's whole API, member by member, for each module that imports it; that alone took most of activation.
const plainVsCode = {
  name: 'plain-vscode',
  setup(build) {
    build.onLoad({ filter: /\.js$/ }, ({ path }) => ({
      loader: 'js',
      contents: readFileSync(path, 'utf8').replace(
        /\bimport ?\* ?as ([\w$]+) ?from ?"vscode"/g,
        'var $1 = require("vscode")',
      ),
    }));
  },
};

const MODULES = 'out/extension';
const PART = /^part-.*\.js(?:\.map)?$/;

// What the extension imports with `import()` becomes a part of its own in `dist`, read on first use, so that activation stays
// quick. esbuild splits ES modules only; a second pass makes each file CommonJS, which is what VS Code requires.
const asCommonJs = {
  name: 'as-common-js',
  setup(build) {
    build.onStart(() => rmSync(MODULES, { recursive: true, force: true }));
    build.onEnd(async ({ errors }) => {
      if (errors.length > 0) return;
      for (const name of existsSync('dist') ? readdirSync('dist') : []) if (PART.test(name)) rmSync(join('dist', name));
      const entryPoints = readdirSync(MODULES)
        .filter((name) => name.endsWith('.js'))
        .map((name) => join(MODULES, name));
      await esbuild.build({
        ...shared,
        bundle: false,
        metafile: false,
        logLevel: 'warning',
        entryPoints,
        outdir: 'dist',
        plugins: [plainVsCode],
      });
    });
  },
};

const bundles = [
  {
    entryPoints: ['src/extension.ts'],
    outdir: MODULES,
    format: 'esm',
    splitting: true,
    chunkNames: 'part-[name]-[hash]',
    external: ['vscode'],
    plugins: [asCommonJs],
  },
  { entryPoints: ['src/worker.ts'], outfile: 'dist/worker.js' },
  {
    entryPoints: ['src/features/storyPanel/page/storyPage.ts'],
    outfile: 'dist/storyPage.js',
    platform: 'browser',
    format: 'iife',
    target: 'es2022',
  },
  { entryPoints: ['src/service/main.ts'], outfile: 'dist/service.js', banner: { js: serviceHead } },
];

async function main() {
  const present = bundles.filter(({ entryPoints: [source] }) => existsSync(source));
  if (watch) {
    for (const bundle of present) await (await esbuild.context({ ...shared, ...bundle })).watch();
    return;
  }
  mkdirSync('out', { recursive: true });
  const results = await Promise.all(present.map((bundle) => esbuild.build({ ...shared, ...bundle })));
  const outputs = Object.assign({}, ...results.map((result) => result.metafile.outputs));
  writeFileSync('out/bundles.json', JSON.stringify(outputs, undefined, 2));
}

main().catch(() => process.exit(1));
