/** With what a spreadsheet takes a text for a formula: also the wide and small forms, which some of them make plain. */
const SIGN = '[=+\\-@\\u207a\\u207c\\u208a\\u208c\\u2212\\ufe62\\ufe63\\ufe66\\ufe6b\\uff0b\\uff0d\\uff1d\\uff20]';
/** A text that begins so, or with white space that spreadsheets skip. */
const BEGINS = new RegExp(`^'*(?:${SIGN}|[\\t\\r\\n])`);
/**
 * Where a cell begins for a spreadsheet that separates by something else than commas: then quotes do not keep a text together. Items of
 * a list remain as they are, as long as they cannot be a formula that does anything.
 */
const BEGINS_ANEW = new RegExp(`[;\\t\\r\\n]"*(?='+${SIGN}|(?![+-] [^\\t\\r\\n;|!(]*(?:[\\t\\r\\n;]|$))${SIGN})`, 'g');
const GUARDED = new RegExp(`^'(?='*(?:${SIGN}|[\\t\\r\\n]))`);
const GUARDED_ANEW = new RegExp(`([;\\t\\r\\n]"*)'(?='*${SIGN})`, 'g');

/** A row of a table, with its line end. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(quoted).join(',')}\r\n`;
}

function quoted(cell: string): string {
  return /[",;\t\r\n\uFEFF]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/**
 * The cell of a text that somebody typed: no spreadsheet takes it, or a part of it, for a formula. An apostrophe stands before each sign
 * that could begin one, and one more where there are some already, so that `textOfCell` gives the text back whatever it is.
 */
export function cellOfText(text: string): string {
  const guarded = text.replace(BEGINS_ANEW, "$&'");
  return BEGINS.test(text) ? `'${guarded}` : guarded;
}

/** The text of a cell, of this service's tables or of others, which guard against formulas in the same way. */
export function textOfCell(cell: string): string {
  return cell.replace(GUARDED, '').replace(GUARDED_ANEW, '$1');
}
