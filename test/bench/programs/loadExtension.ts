/** `loadExtension FILE`: loads an extension's main file as VS Code would, with a stand-in for its API, and times that. */
import Module, { createRequire } from 'node:module';
import { dirname, sep } from 'node:path';
import type { LoadFigures } from '../size.ts';

/** Whatever is asked of it is itself again: a class, a function, a value. */
const anything: object = new Proxy(class {}, {
  get: (target, name) => (name === 'prototype' ? Reflect.get(target, name) : anything),
  apply: () => anything,
});

type Resolve = (request: string, ...rest: readonly unknown[]) => string;
const internals = Module as unknown as { _resolveFilename: Resolve; _cache: Record<string, unknown> };
const resolve = internals._resolveFilename;
internals._resolveFilename = (request, ...rest) => (request === 'vscode' ? 'vscode' : resolve(request, ...rest));
internals._cache.vscode = Object.assign(new Module('vscode'), { exports: anything, loaded: true });

const file = process.argv[2] ?? '';
const require = createRequire(file);
const begun = performance.now();
require(file);
const milliseconds = performance.now() - begun;
const files = Object.keys(internals._cache).filter((name) => name.startsWith(dirname(file) + sep));
const figures: LoadFigures = { milliseconds, files };
process.stdout.write(`${JSON.stringify(figures)}\n`);
process.exit(0);
