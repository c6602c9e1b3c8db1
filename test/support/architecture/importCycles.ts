import type { ImportGraph } from './moduleImports.ts';

/** Every closed ring of imports that a walk over the modules meets, as `a → b → a`. */
export function importCycles(graph: ImportGraph): readonly string[] {
  const cycles: string[] = [];
  const finished = new Set<string>();
  const trail: string[] = [];
  const visit = (path: string) => {
    const at = trail.indexOf(path);
    if (at >= 0) cycles.push([...trail.slice(at), path].join(' → '));
    if (at >= 0 || finished.has(path)) return;
    trail.push(path);
    for (const { target } of graph.get(path) ?? []) visit(target);
    trail.pop();
    finished.add(path);
  };
  for (const path of graph.keys()) visit(path);
  return cycles;
}

/** How `path` comes to import `wanted`, as `a → b → wanted`; undefined when it does not. */
export function wayTo(graph: ImportGraph, path: string, wanted: string): string | undefined {
  const seen = new Set([path]);
  const ways: (readonly string[])[] = [[path]];
  for (const way of ways) {
    for (const { target } of graph.get(way.at(-1) ?? '') ?? []) {
      if (seen.has(target)) continue;
      if (target === wanted) return [...way, target].join(' → ');
      seen.add(target);
      ways.push([...way, target]);
    }
  }
  return undefined;
}
