import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { messageOf } from '../../core/errors.ts';
import { type CsvHeader, readCsvHeader } from './csvHeader.ts';
import { readCsvRow } from './csvRow.ts';
import { csvText, firstLine } from './csvText.ts';
import type { ImportedStory } from './importedStory.ts';
import type { Remarks } from './remarks.ts';

/** What some spreadsheets write and read before the first row, unquoted or quoted: `sep=;`. */
const NAMED_DELIMITER = /^\uFEFF?"?sep=([,;\t|])"?\s*$/i;
const LARGEST_ROW = 16 * 1024 * 1024;

export interface ReadFile {
  readonly path: string;
  readonly remarks: Remarks;
  /** Told how many bytes were read so far. */
  readonly onBytes: (bytes: number) => void;
}

/** The stories of the closed service's export, one after the other. Throws when the file is no such table. */
export async function* readCsv({ path, remarks, onBytes }: ReadFile): AsyncGenerator<ImportedStory> {
  const file = createReadStream(path);
  const line = await firstLine(path);
  const named = NAMED_DELIMITER.exec(line)?.[1];
  const parser = parse({
    delimiter: named ?? delimiterOf(line),
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: LARGEST_ROW,
  });
  pipeline(file, csvText, parser, () => undefined); // What goes wrong is thrown by the loop below.
  let header: CsvHeader | undefined;
  let row = 0;
  try {
    for await (const record of parser) {
      row += 1;
      onBytes(file.bytesRead);
      if (row === 1 && named !== undefined) continue;
      const cells = cellsOf(record);
      if (!header) {
        header = readCsvHeader(cells);
        continue;
      }
      const id = cells[header.at.id ?? -1]?.trim() ?? '';
      const remark = (column: string, value: string, why: string) => remarks.add({ row, id, column, value, why });
      const story = readCsvRow(header, cells, row, remark);
      if (story) yield story;
    }
  } catch (error) {
    throw error instanceof CsvError
      ? new Error(`This is not a table of comma-separated values: ${messageOf(error)}`)
      : error;
  } finally {
    file.destroy();
  }
  if (!header) throw new Error('The file is empty.');
}

/** Spreadsheets of some countries write semicolons or tabs. */
function delimiterOf(line: string): string {
  const count = (delimiter: string): number => line.split(delimiter).length;
  return [',', ';', '\t'].reduce((best, each) => (count(each) > count(best) ? each : best));
}

function cellsOf(record: unknown): readonly string[] {
  return Array.isArray(record) ? record.map(String) : [];
}
