import { withoutControls } from '../../core/visibleText.ts';

/** Rows for people: cells side by side, tabs between them, which programs can cut at too. Nothing in them moves a terminal's cursor. */
export function table(rows: readonly (readonly (string | number)[])[]): string {
  return rows
    .map((cells) => `${cells.map((cell) => withoutControls(String(cell).replace(/[\t\r\n]+/g, ' '))).join('\t')}\n`)
    .join('');
}

/** A moment for people and programs, or a dash where there was none. */
export function moment(time: number | null): string {
  return time === null ? '-' : new Date(time).toISOString();
}
