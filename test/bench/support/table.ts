import { falls, type Row } from './bench.ts';

const HEAD = ['', 'what', 'measured', 'goal', 'figures'] as const;

/** The rows as a Markdown table that also reads well in a terminal; `✗` marks a goal that was missed. */
export function table(rows: readonly Row[]): string {
  const cells = [HEAD, ...rows.map(cellsOf)];
  const widths = HEAD.map((_, column) => Math.max(...cells.map((row) => (row[column] ?? '').length)));
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const rule = `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`;
  const [head = HEAD, ...body] = cells;
  return [line(head), rule, ...body.map(line)].join('\n');
}

function cellsOf(row: Row): readonly string[] {
  const goal = row.goal === undefined ? '' : `${row.goal.bound} ${row.goal.value} ${row.unit}`;
  const mark = row.goal === undefined ? '' : falls(row) ? '✗' : '✓';
  return [mark, row.what, `${rounded(row.value)} ${row.unit}`, goal, row.detail];
}

/** Three digits that mean something. */
export function rounded(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}
