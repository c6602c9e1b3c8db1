import type { ImportGraph } from './moduleImports.ts';
import { BESIDE, rooms, roots, rootsWithVsCode } from './rooms.ts';

/** One sentence for each import of `src` that breaks a rule; none when the house is in order. */
export function brokenImportRules(graph: ImportGraph): readonly string[] {
  const broken: string[] = [];
  for (const [path, imports] of graph) {
    if (!path.startsWith('src/')) continue;
    for (const { target } of imports) {
      const why = objection(path, target, graph);
      if (why !== undefined) broken.push(`${path} imports ${target}: ${why}`);
    }
  }
  return broken;
}

/** What other extensions copy: the types of what they are given. The one feature that gives it has no others. */
const PUBLIC_TYPES = 'api/story-tracker.d.ts';
const ITS_FEATURE = 'src/features/extensionApi/';

function objection(from: string, to: string, graph: ImportGraph): string | undefined {
  if (to === '?') return 'what it is only shows at run time';
  if (to === PUBLIC_TYPES && from.startsWith(ITS_FEATURE)) return undefined;
  if (!graph.has(to)) return to.includes('.ts') ? 'there is no such module' : packageObjection(from, to);
  if (!to.startsWith('src/')) return 'it is not part of the product';
  if (roots.includes(to)) return 'nothing imports a composition root';
  if (roots.includes(from)) return undefined;
  return roomObjection(from, to);
}

function packageObjection(from: string, name: string): string | undefined {
  if (roots.includes(from)) {
    return name === 'vscode' && !rootsWithVsCode.includes(from) ? 'it has no business with VS Code' : undefined;
  }
  const used = name.startsWith('node:') ? 'node:' : name;
  const room = rooms[roomOf(from)];
  if (!room?.packages.includes(used)) return `${roomOf(from)} may not use it`;
  const parts = room.packagesOfParts?.[used];
  return !parts || parts.includes(partOf(from) ?? BESIDE)
    ? undefined
    : `${partOf(from) ?? roomOf(from)} may not use it`;
}

function roomObjection(from: string, to: string): string | undefined {
  const [room, other] = [roomOf(from), roomOf(to)];
  if (!rooms[room]) return `${room} is no room of the house`;
  if (room === 'features' && other === 'features') {
    return folderIn(from) === folderIn(to) ? undefined : 'no feature imports a feature';
  }
  if (room === other) return partObjection(from, to);
  return rooms[room].imports.includes(other) ? undefined : `${room} may not import ${other}`;
}

/** Within a room. */
function partObjection(from: string, to: string): string | undefined {
  const parts = rooms[roomOf(from)]?.parts;
  const [part, other] = [partOf(from), partOf(to)];
  if (!parts || part === undefined || part === other) return undefined;
  if (!parts.includes(part)) return `${part} is no part of ${roomOf(from)}`;
  if (other === undefined) return undefined;
  return parts.indexOf(other) < parts.indexOf(part)
    ? undefined
    : `${part} may not import ${other}, which comes after it`;
}

/** `src/core/story/story.ts` is in `core`, `src/commandIds.ts` in `commandIds`. */
function roomOf(path: string): string {
  return (path.split('/')[1] ?? '').replace(/\.ts$/, '');
}

/** `src/service/store/jobs/queues.ts` is in the part `store`; a file beside the parts is in none. */
function partOf(path: string): string | undefined {
  const [, , part, ...file] = path.split('/');
  return file.length > 0 ? part : undefined;
}

function folderIn(path: string): string {
  return path.split('/')[2] ?? '';
}
