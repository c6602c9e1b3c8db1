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
