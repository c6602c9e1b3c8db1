import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { messageOf } from '../../../core/errors.ts';
import { replacedCharacters } from '../../../v3/assumptions.ts';
import { rest } from '../../ground/slices.ts';
import type { ImportedNote, ImportedStory, ImportedTask } from '../import/importedStory.ts';
import { FileFault, type Remarking, type Remarks } from '../import/remarks.ts';
import { csvText, firstLine, textOfCell } from './csvCells.ts';
import { type CsvHeader, isFurtherRow, readCsvHeader, readCsvRow, readRowParts } from './csvRow.ts';

/** What some spreadsheets write and read before the first row, unquoted or quoted: `sep=;`. */
const NAMED_DELIMITER = /^\uFEFF?"?sep=([,;\t|])"?\s*$/i;
/** Named, since the library looks for what ends the first row anew at each of its characters otherwise, which costs tenfold. */
const LINE_ENDS = ['\r\n', '\n', '\r'];
/** Bytes that are taken apart in one go: in about a slice of time, since a row may be of thousands of them. */
const PIECE = 4 * 1024;
/** Characters of one row, and of all rows of one story. */
const LARGEST_ROW = 16 * 1024 * 1024;
/** Far more than the closed service wrote for a story of thousands of tasks. */
const MOST_CELLS = 100_000;

export interface ReadFile {
  readonly path: string;
  readonly remarks: Remarks;
  /** Told how many bytes were read so far. */
  readonly onBytes: (bytes: number) => void;
}

/** The stories of the closed service's export, one after the other. Throws when the file is no such table. */
export async function* readCsv({ path, remarks, onBytes }: ReadFile): AsyncGenerator<ImportedStory> {
  const file = createReadStream(path, { highWaterMark: PIECE });
  const line = await firstLine(path);
  const named = NAMED_DELIMITER.exec(line)?.[1];
  const delimiter = named ?? delimiterOf(line);
  const parser = parse({
    delimiter,
    record_delimiter: LINE_ENDS,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: LARGEST_ROW,
  });
  const text = (bytes: AsyncIterable<Uint8Array>) => withFewCells(csvText(bytes), delimiter);
  pipeline(file, text, parser, () => undefined); // What goes wrong is thrown by the loop below.
  let header: CsvHeader | undefined;
  let last: OpenStory | undefined;
  let row = 0;
  try {
    for await (const record of parser) {
      row += 1;
      onBytes(file.bytesRead);
      await rest();
      if (row === 1 && named !== undefined) continue;
      const found = cellsOf(record);
      const cells = found.map(replacedCharacters);
      if (!header) {
        header = readCsvHeader(cells);
        continue;
      }
      const id = cells[header.at.id ?? -1]?.trim() ?? '';
      const remark = (column: string, value: string, why: string) => remarks.add({ row, id, column, value, why });
      for (const [index, cell] of found.entries())
        if (cell !== cells[index])
          remark(header.names[index] ?? '', cell, 'Characters that no text has were replaced.');
      if (isFurtherRow(header, cells)) {
        if (last?.id !== id)
          remark('Id', id, 'The story of these comments and tasks is not in the row above. They were left out.');
        else if (!last.goesOn(header, cells, remark))
          remark('Id', id, 'The story has too much text. The row was left out.');
        continue;
      }
      if (last) yield last.whole;
      const story = readCsvRow(header, cells, row, remark);
      last = story && new OpenStory(story, cells);
    }
    if (last) yield last.whole;
  } catch (error) {
    throw error instanceof CsvError ? new FileFault(sentenceOf(error, row + 1)) : error;
  } finally {
    file.destroy();
  }
  if (!header) throw new FileFault('The file is empty.');
}

/** What is wrong with a table, with the row; `row` is the one after the last that was read. */
function sentenceOf(error: CsvError, row: number): string {
  switch (error.code) {
    case 'CSV_MAX_RECORD_SIZE':
      return `Row ${row} of this table is larger than ${LARGEST_ROW / 1024 / 1024} MiB. Is a quote not closed before it?`;
    case 'CSV_QUOTE_NOT_CLOSED':
      return `The table ends within quotes, which begin in row ${row}. Close them.`;
    default:
      return `Row ${row} is not one of comma-separated values: ${messageOf(error)}`;
  }
}

/** A story that may go on in the next row. */
class OpenStory {
  private readonly story: ImportedStory;
  private readonly notes: ImportedNote[];
  private readonly tasks: ImportedTask[];
  private length: number;

  constructor(story: ImportedStory, cells: readonly string[]) {
    this.story = story;
    this.notes = [...story.notes];
    this.tasks = [...story.tasks];
    this.length = lengthOf(cells);
  }

  get id(): string {
    return this.story.externalId;
  }

  get whole(): ImportedStory {
    return { ...this.story, notes: this.notes, tasks: this.tasks };
  }

  /** False, and nothing is taken, where a story would become larger than one row may be. */
  goesOn(header: CsvHeader, cells: readonly string[], remark: Remarking): boolean {
    this.length += lengthOf(cells);
    if (this.length > LARGEST_ROW) return false;
    const { notes, tasks } = readRowParts(header, cells, remark);
    for (const note of notes) this.notes.push(note);
    for (const task of tasks) this.tasks.push(task);
    return true;
  }
}

function lengthOf(cells: readonly string[]): number {
  return cells.reduce((sum, cell) => sum + cell.length + 1, 0);
}

/** The same text. Throws for a row of more cells than any table has, before someone makes a list of them. */
async function* withFewCells(pieces: AsyncIterable<string>, delimiter: string): AsyncGenerator<string> {
  let isQuoted = false;
  let cells = 1;
  for await (const piece of pieces) {
    for (const character of piece) {
      if (character === '"') isQuoted = !isQuoted;
      else if (isQuoted) continue;
      else if (character === delimiter) cells += 1;
      else if (character === '\n' || character === '\r') cells = 1;
      if (cells > MOST_CELLS) throw new FileFault(`A row of this table has more than ${MOST_CELLS} cells.`);
    }
    await rest();
    yield piece;
  }
}

/** Spreadsheets of some countries write semicolons or tabs. */
function delimiterOf(line: string): string {
  const count = (delimiter: string): number => line.split(delimiter).length;
  return [',', ';', '\t'].reduce((best, each) => (count(each) > count(best) ? each : best));
}

function cellsOf(record: unknown): readonly string[] {
  return Array.isArray(record) ? record.map((cell) => textOfCell(String(cell))) : [];
}
