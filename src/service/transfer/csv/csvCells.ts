import { open } from 'node:fs/promises';
import { TextDecoder } from 'node:util';
import { namedDay } from '../../../core/calendar.ts';
import { readZonedDate } from '../../../v3/dates.ts';
import { ownCopy } from '../../../v3/ownedText.ts';
import type { ImportedNote } from '../import/importedStory.ts';
import { FileFault } from '../import/remarks.ts';

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
 * The cell of a text that someone typed: no spreadsheet takes it, or a part of it, for a formula. An apostrophe stands before each sign
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

/**
 * The text of a table, in pieces: UTF-8, or UTF-16 where it begins by saying so. Throws for other encodings, which spreadsheets
 * write too, since what cannot be read would be lost.
 */
export async function* csvText(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined;
  for await (const chunk of bytes) {
    decoder ??= new TextDecoder(encodingOf(chunk), { fatal: true });
    yield decoded(decoder, chunk);
  }
  if (decoder) yield decoded(decoder);
}

/** The first line of a table, or as much of it as a few thousand bytes hold. */
export async function firstLine(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4096), 0, 4096, 0);
    const bytes = buffer.subarray(0, bytesRead);
    return new TextDecoder(encodingOf(bytes)).decode(bytes).split(/\r?\n/, 1)[0] ?? '';
  } finally {
    await file.close();
  }
}

function encodingOf(start: Uint8Array): string {
  return start[0] === 0xff && start[1] === 0xfe ? 'utf-16le' : 'utf-8';
}

function decoded(decoder: TextDecoder, chunk?: Uint8Array): string {
  try {
    return chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode();
  } catch {
    throw new FileFault('The table is not in UTF-8. Save it as "CSV UTF-8", so that no character is lost.');
  }
}

/** Who wrote a comment that does not say so at its end. */
export const UNKNOWN_AUTHOR = 'unknown';

/** Takes `text (Author - Jan 5, 2017)` apart; undefined when that is not at the end. */
export function readCsvComment(cell: string): ImportedNote | undefined {
  const trimmed = cell.trimEnd();
  if (!trimmed.endsWith(')')) return undefined;
  const separator = trimmed.lastIndexOf(' - ');
  const notedAt = separator < 0 ? undefined : readZonedDate(trimmed.slice(separator + 3, -1)).time;
  if (notedAt === undefined) return undefined;
  const start = startOfAuthor(trimmed.slice(0, separator));
  if (start === undefined) return undefined;
  return { text: trimmed.slice(0, start.text), author: ownCopy(trimmed.slice(start.author, separator)), notedAt };
}

interface Start {
  readonly text: number;
  readonly author: number;
}

/** Where the text ends and the author begins: at the last bracket that is not one of the author's own. Looks at each character once. */
function startOfAuthor(before: string): Start | undefined {
  let last: Start | undefined;
  let open = 0;
  for (let at = before.length - 1; at >= 0; at--) {
    const character = before[at];
    if (character === ')') open -= 1;
    if (character !== '(') continue;
    if (at === 0 || /\s/.test(before.charAt(at - 1))) {
      const start = { text: Math.max(0, at - 1), author: at + 1 };
      if (open === 0) return start;
      last ??= start;
    }
    open += 1;
  }
  return last;
}

export function writeCsvComment({ text, author, notedAt }: ImportedNote): string {
  return `${text} (${author} - ${namedDay(notedAt ?? 0)})`;
}
