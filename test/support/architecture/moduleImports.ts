import { posix } from 'node:path';

/** One import of a module, static or dynamic, types included. */
export interface ModuleImport {
  /** Path from the top of the project for what is ours; the bare name of a package; `?` for what only shows at run time. */
  readonly target: string;
  /** Whether nothing of it is left at run time. */
  readonly isType: boolean;
}

/** What every module imports, by path from the top of the project. */
export type ImportGraph = ReadonlyMap<string, readonly ModuleImport[]>;

const COMMENT = /^\s*(?:\/\/|\/?\*).*$/gm;
const FIXED = /^[ \t]*(?:import|export)\s+(?<type>type\s+)?(?:[\w$*{][^'"`;()]*?\bfrom\s*)?['"](?<from>[^'"\n]+)['"]/;
const CALLED = /(?<typeOf>\btypeof\s+)?\b(?<call>import|require)\s*\((?:\s*['"](?<called>[^'"\n]+)['"]\s*[,)])?/;
const TEXT = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/;
/** A text is a token of its own, so that an import that only stands inside one is passed over. */
const TOKEN = new RegExp([FIXED, CALLED, TEXT].map(({ source }) => source).join('|'), 'gm');

/** Reads the imports of each module from its text; `sources` holds texts by path from the top of the project. */
export function importGraph(sources: ReadonlyMap<string, string>): ImportGraph {
  return new Map([...sources].map(([path, text]) => [path, importsOf(path, text)]));
}

/** The graph without what only types need. */
export function atRunTime(graph: ImportGraph): ImportGraph {
  return new Map([...graph].map(([path, imports]) => [path, imports.filter(({ isType }) => !isType)]));
}

function importsOf(path: string, text: string): readonly ModuleImport[] {
  const tokens = [...text.replace(COMMENT, '').matchAll(TOKEN)];
  return tokens.flatMap(({ groups = {} }) => {
    const { type, from, typeOf, call, called = '?' } = groups;
    if (from !== undefined) return [imported(path, from, type !== undefined)];
    return call === undefined ? [] : [imported(path, called, typeOf !== undefined)];
  });
}

function imported(path: string, target: string, isType: boolean): ModuleImport {
  const isOurs = target.startsWith('.');
  return { target: isOurs ? posix.join(posix.dirname(path), target) : target, isType };
}
