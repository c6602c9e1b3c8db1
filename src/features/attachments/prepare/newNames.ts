import type { PatchOf } from '../../../core/ports/outgoingFiles.ts';
import { normalized } from '../../../core/text.ts';

/** Names that nothing in a folder has yet, nor each other: "notes (2).txt" where "notes.txt" is taken. Letters' case makes no other name. */
export function newNames(wished: readonly string[], taken: Iterable<string>): readonly string[] {
  const used = new Set([...taken].map(folded));
  return wished.map((name) => {
    const free = freeName(name, used);
    used.add(folded(free));
    return free;
  });
}

function freeName(name: string, used: ReadonlySet<string>): string {
  const dot = name.lastIndexOf('.');
  const [stem, ending] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
  let free = name;
  for (let nth = 2; used.has(folded(free)); nth += 1) free = `${stem} (${nth})${ending}`;
  return free;
}

/** As file systems without case compare. */
function folded(name: string): string {
  return normalized(name, 'NFC').toUpperCase();
}

const MOST = 3;

/** What to call some lines of a file: "app.ts" and 10 to 20 make "app.lines-10-20.ts". */
export function partName(name: string, lines: readonly (readonly [first: number, last: number])[]): string {
  const dot = name.lastIndexOf('.');
  const [stem, extension] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
  const ranges = lines.slice(0, MOST).map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`));
  const more = lines.length > MOST ? '+' : '';
  const [only] = lines;
  const word = lines.length === 1 && only?.[0] === only?.[1] ? 'line' : 'lines';
  return `${stem}.${word}-${ranges.join('+')}${more}${extension}`;
}

/** "story-tracker-feature-12-login-staged.patch"; without what file systems do not take. */
export function patchName(repository: string, branch: string | undefined, of: PatchOf): string {
  const parts = [repository, ...(branch ? [branch] : []), ...(of === 'all' ? [] : [of])];
  return `${parts.join('-').replace(/[\\/:*?"<>|\s\p{Cc}]+/gu, '-')}.patch`;
}
