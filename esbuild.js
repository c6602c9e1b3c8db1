// Bundles what ships: `node esbuild.js [--production] [--watch] [--quiet]`. CommonJS, because it runs before anything is built.
const esbuild = require('esbuild');
const { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } = require('node:fs');
const { basename, join } = require('node:path');

const production = process.argv.includes('--production');
const watch = process.argv.includes('--watch');
const quiet = process.argv.includes('--quiet');

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
  logLevel: quiet ? 'warning' : 'info',
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
const ENTRY = 'extension.js';
const SHARED = 'part-shared.js';
const CHUNK = /^part-chunk-/;
/** What commands do, read when a person first runs one. */
const COMMANDS = /^part-commands-/;
const COMMANDS_TOGETHER = 'part-commands.js';
const PART = /^(?:\.\/)?part-.*\.js(?:\.map)?$/;

// What the extension imports with `import()` becomes a part of its own in `dist`, read on first use, so that activation stays
// quick. esbuild splits ES modules only; a second pass makes them CommonJS, which is what VS Code requires, and merges all
// that is read at activation into one file. Parts find there what they share with it.
const asCommonJs = {
  name: 'as-common-js',
  setup(build) {
    build.onStart(() => rmSync(MODULES, { recursive: true, force: true }));
    build.onEnd(async ({ errors, metafile }) => {
      if (errors.length > 0) return;
      mkdirSync('dist', { recursive: true });
      for (const name of readdirSync('dist')) if (PART.test(name)) rmSync(join('dist', name));
      const early = readAtActivation(metafile);
      const late = readdirSync(MODULES).filter((name) => name.endsWith('.js') && !early.includes(name));
      const common = { ...shared, metafile: false, logLevel: 'warning' };
      const { outputFiles: entries } = await esbuild.build({
        ...common,
        stdin: { contents: mergedSource(early), resolveDir: MODULES },
        outfile: 'dist/extension.js',
        external: ['vscode'],
        write: false,
        plugins: [plainVsCode, keepParts(late)],
      });
      const entryPoints = late.map((name) => join(MODULES, name));
      const parts = { ...common, bundle: false, entryPoints, outdir: 'dist', write: false, plugins: [plainVsCode] };
      const { outputFiles } = await esbuild.build(parts);
      // Source maps are of single files, so those stay single while one works on them.
      const together = (pattern) => (production ? late.filter((name) => pattern.test(name)) : []);
      const homes = new Map([
        ...together(CHUNK).map((name) => [name, SHARED]),
        ...together(COMMANDS).map((name) => [name, COMMANDS_TOGETHER]),
      ]);
      const texts = new Map(outputFiles.map(({ path, text }) => [basename(path), withHomes(text, early, homes)]));
      for (const { path, text } of entries) writeFileSync(path, withHomes(text, [], homes));
      for (const home of new Set(homes.values())) {
        const names = [...homes.keys()].filter((name) => homes.get(name) === home);
        writeFileSync(join('dist', home), sharedSource(names, texts));
      }
      for (const [name, text] of texts) if (!homes.has(name)) writeFileSync(join('dist', name), text);
    });
  },
};

/** The entry and every file that it imports without asking for it later. */
function readAtActivation({ outputs }) {
  const names = [ENTRY];
  for (const name of names) {
    const imported = outputs[`${MODULES}/${name}`].imports.filter(({ kind }) => kind === 'import-statement');
    for (const { path } of imported)
      if (path.startsWith(MODULES) && !names.includes(basename(path))) names.push(basename(path));
  }
  return names;
}

function mergedSource(names) {
  const parts = names.filter((name) => name !== ENTRY);
  const imports = parts.map((name, index) => `import * as part${index} from './${name}';`);
  const entries = parts.map((name, index) => `'${name}': part${index}`);
  return [`export * from './${ENTRY}';`, ...imports, `export const parts = { ${entries.join(', ')} };`].join('\n');
}

/** What is read at activation has no file of its own but is asked of the extension; what lies with others is asked of their `homes`. */
function withHomes(text, early, homes) {
  const required = text.replace(/require\("\.\/([^"]+)"\)/g, (whole, name) => {
    if (homes.has(name)) return `require("./${homes.get(name)}").shared("${keyOf(name)}")`;
    return name !== ENTRY && early.includes(name) ? `require("./${ENTRY}").parts["${name}"]` : whole;
  });
  const imported = required.replace(/import\("\.\/([^"]+)"\)/g, (whole, name) =>
    homes.get(name) === COMMANDS_TOGETHER ? `$commands("${keyOf(name)}")` : whole,
  );
  return imported === required ? imported : imported.replace(/^(?:"use strict";)?/, `$&${COMMANDS_IMPORTED}`);
}

// Told once in each file, so that the extension stays small.
const COMMANDS_IMPORTED = `const $$commands=name=>import("./${COMMANDS_TOGETHER}").then(all=>all.shared(name));`;

/** What a part is called among those that it lies with: what esbuild tells it apart by. */
function keyOf(name) {
  return /-(\w+)\.js$/.exec(name)[1];
}

/** One file for several, each run when it is first asked for: dozens of small files would make the package larger. */
function sharedSource(names, texts) {
  const makers = names.map((name) => `${JSON.stringify(keyOf(name))}(module, exports, require) {\n${texts.get(name)}}`);
  return `'use strict';
const makers = {
${makers.join(',\n')}
};
const made = {};
exports.shared = (name) => {
  if (!made[name]) makers[name]((made[name] = { exports: {} }), made[name].exports, require);
  return made[name].exports;
};
`;
}

/** Leaves the `import()` of a part as it is, to be read from beside the extension. */
function keepParts(names) {
  return {
    name: 'keep-parts',
    setup(build) {
      build.onResolve({ filter: PART }, ({ path }) =>
        names.includes(basename(path)) ? { path: `./${basename(path)}`, external: true } : undefined,
      );
    },
  };
}

/** Parts of the service that lie beside it, so that the extension, which has no use for them, does not carry them. */
const partsApart = {
  name: 'parts-apart',
  setup(build) {
    for (const [file, part] of [
      [/\/openPostgres\.ts$/, './postgres.js'],
      [/\/openMail\.ts$/, './mail.js'],
      [/\/bucketFiles\.ts$/, './bucket.js'],
      [/\/protocolServer\.ts$/, './mcp.js'],
      [/\/runCommand\.ts$/, './commands.js'],
    ]) {
      build.onResolve({ filter: file }, ({ kind }) =>
        kind === 'dynamic-import' ? { path: part, external: true } : undefined,
      );
    }
  },
};

/** The libraries for XML, which worker and service share: they are large, and each would carry its own. */
const xmlApart = {
  name: 'xml-apart',
  setup(build) {
    build.onResolve({ filter: /^(?:saxes|fast-xml-parser)$/ }, () => ({ path: './xml.js', external: true }));
  },
};

/** The SDK brings a validator of JSON Schema, as large as all the rest, for answers to questions that the service never asks. */
const withoutAjv = {
  name: 'without-ajv',
  setup(build) {
    build.onResolve({ filter: /\/ajv-provider\.js$/ }, ({ path }) => ({ path, namespace: 'no-validator' }));
    build.onLoad({ filter: /./, namespace: 'no-validator' }, () => ({
      contents: 'exports.AjvJsonSchemaValidator = undefined;',
    }));
  },
};

/**
 * See `scripts/undiciParts.js`. Left out besides: HTTP/2, which is never allowed, forms, which are never sent, and the second build of
 * the parser, for processors that take several bytes at a time.
 */
const undiciParts = {
  name: 'undici-parts',
  setup(build) {
    build.onResolve({ filter: /^undici$/ }, () => ({ path: join(__dirname, 'scripts/undiciParts.js') }));
    build.onResolve({ filter: /\/llhttp_simd-wasm\.js$/ }, () => ({
      path: require.resolve('undici/lib/llhttp/llhttp-wasm.js'),
    }));
    build.onResolve({ filter: /\/(?:client-h2\.js|web\/webidl|web\/fetch\/(?:body\.js|formdata))$/ }, ({ path }) => ({
      path,
      namespace: 'left-out',
    }));
    build.onLoad({ filter: /./, namespace: 'left-out' }, () => ({
      contents: 'exports.webidl = { is: { FormData: () => false } };',
    }));
  },
};

/** `socks` reads addresses by a package that could do much more, and is larger than itself. */
const ipAddressParts = {
  name: 'ip-address-parts',
  setup(build) {
    build.onResolve({ filter: /^ip-address$/ }, () => ({ path: join(__dirname, 'scripts/ipAddressParts.ts') }));
  },
};

/** Where there is `import()`, esbuild bundles packages whole: what of this one the service uses is picked first, without the rest. */
const kyselyParts = {
  name: 'kysely-parts',
  setup(build) {
    build.onLoad({ filter: /[\\/]kysely[\\/]dist[\\/]index\.js$/ }, async () => {
      const [picked] = (await esbuild.build({ ...kyselyBundle, write: false })).outputFiles;
      return { contents: picked.text };
    });
  },
};

const kyselyBundle = {
  entryPoints: ['scripts/kyselyParts.js'],
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node22',
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
  // undici asks for this name to know that it is bundled without its second, experimental parser of HTTP: 160 KB less.
  {
    entryPoints: ['src/worker.ts'],
    outfile: 'dist/worker.js',
    define: { esbuildDetection: 'true' },
    plugins: [undiciParts, ipAddressParts, xmlApart],
  },
  {
    entryPoints: ['src/features/storyPanel/page/storyPage.ts'],
    outfile: 'dist/storyPage.js',
    platform: 'browser',
    format: 'iife',
    target: 'es2022',
  },
  {
    entryPoints: ['src/features/projectSettings/page/settingsPage.ts'],
    outfile: 'dist/settingsPage.js',
    platform: 'browser',
    format: 'iife',
    target: 'es2022',
  },
  {
    entryPoints: ['src/service/main.ts'],
    outfile: 'dist/service.js',
    banner: { js: serviceHead },
    plugins: [partsApart, xmlApart, kyselyParts],
  },
  { entryPoints: ['scripts/xmlParts.js'], outfile: 'dist/xml.js' },
  {
    entryPoints: ['src/service/store/postgres/openPostgres.ts'],
    outfile: 'dist/postgres.js',
    external: ['pg-native', 'pg-cloudflare'],
  },
  {
    entryPoints: ['src/service/mail/openMail.ts'],
    outfile: 'dist/mail.js',
    define: { 'import.meta.url': 'undefined' },
  },
  { entryPoints: ['src/service/mail/reply/readingThread.ts'], outfile: 'dist/mailReader.js' },
  { entryPoints: ['src/service/attachments/bucketFiles.ts'], outfile: 'dist/bucket.js' },
  { entryPoints: ['src/service/agents/protocolServer.ts'], outfile: 'dist/mcp.js', plugins: [withoutAjv] },
  {
    entryPoints: ['src/service/commandLine/runCommand.ts'],
    outfile: 'dist/commands.js',
    plugins: [partsApart, xmlApart],
  },
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
