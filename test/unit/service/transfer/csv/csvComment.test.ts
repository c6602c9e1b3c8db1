import assert from 'node:assert/strict';
import fc from 'fast-check';
import { namedDay } from '../../../../../src/core/calendar.ts';
import { readCsvComment, writeCsvComment } from '../../../../../src/service/transfer/csv/csvCells.ts';
import { readZonedDate } from '../../../../../src/v3/dates.ts';
import { growsBySquare } from '../../../../support/measures/growth.ts';

describe('a comment of the CSV export', () => {
  assertRead('Looks good (Ada Lovelace - Jan 5, 2017)', ['Looks good', 'Ada Lovelace', '2017-01-05']);
  assertRead('two\nlines (see below)\n(Ada - Dec 31, 2019)', ['two\nlines (see below)', 'Ada', '2019-12-31']);
  assertRead('a - b (Ada (QA) - May 1, 2017) ', ['a - b', 'Ada (QA)', '2017-05-01']);
  assertRead('(Ada - May 1, 2017)', ['', 'Ada', '2017-05-01']);
  assertRead('Jean - Luc (Jean - Luc - May 1, 2017)', ['Jean - Luc', 'Jean - Luc', '2017-05-01']);
  assertRead('x (Ada - 2017/05/01)', ['x', 'Ada', '2017-05-01']);
  assertRead('no author at the end', undefined);
  assertRead('x (Ada - some day)', undefined);
  assertRead('x (Ada, May 1, 2017)', undefined);
  assertRead('', undefined);

  it('is read in a time that grows with its length only', () => {
    for (const piece of [' (', ' ()', ' - ', ') ', ' (a', '\n(']) {
      const cell = (length: number) => `${piece.repeat(length / piece.length)} - Jan 5, 2017)`;
      assert.equal(
        growsBySquare((length) => readCsvComment(cell(length))),
        false,
        piece,
      );
    }
  });

  it('that was written reads as it was, up to where its author begins', () => {
    const name = fc.string({ unit: 'grapheme', maxLength: 12 }).filter((text) => !/ - |\s\(|^\(|\)\s*$/.test(text));
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), name, fc.integer({ min: 0, max: 40_000 }), (text, author, day) => {
        const cell = writeCsvComment({ text, author, notedAt: day * 86_400_000 });
        const note = readCsvComment(cell);
        assert.deepEqual(note && writeCsvComment(note), cell);
      }),
    );
  });
});

describe('a date of the CSV export', () => {
  assertDate('Jan 5, 2017', '2017-01-05T00:00:00.000Z');
  assertDate('March 15, 2020', '2020-03-15T00:00:00.000Z');
  assertDate(' feb 29, 2020 ', '2020-02-29T00:00:00.000Z');
  assertDate('Feb 29, 2019', undefined);
  assertDate('Foo 1, 2019', undefined);
  assertDate('2019-02-03', '2019-02-03T00:00:00.000Z');
  assertDate('2019/02/03 10:11:12 UTC', '2019-02-03T10:11:12.000Z');
  assertDate('03/04/2019', undefined);

  it('reads as it was written', () => {
    for (let day = 0; day < 20_000; day += 13) {
      assert.equal(readZonedDate(namedDay(day * 86_400_000 + 1234)).time, day * 86_400_000);
    }
  });
});

function assertRead(cell: string, expected: readonly [string, string, string] | undefined): void {
  it(JSON.stringify(cell), () => {
    const note = readCsvComment(cell);
    const read = note && [note.text, note.author, new Date(note.notedAt ?? 0).toISOString().slice(0, 10)];
    assert.deepEqual(read, expected);
  });
}

function assertDate(text: string, expected: string | undefined): void {
  it(`${text} is ${expected ?? 'none'}`, () => {
    const { time } = readZonedDate(text);
    assert.equal(time === undefined ? undefined : new Date(time).toISOString(), expected);
  });
}
