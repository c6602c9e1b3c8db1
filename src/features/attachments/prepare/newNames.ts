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
