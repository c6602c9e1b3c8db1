import assert from 'node:assert/strict';
import fc from 'fast-check';
import { cellOfText, textOfCell } from '../../../../../src/service/transfer/csv/csvCells.ts';

/** All that spreadsheets take for the beginning of a formula, or skip before it. */
const SIGNS = ['=', '+', '-', '@', '＝', '＋', '－', '＠', '﹣', '⁼'];

describe('the cells of texts that people typed', () => {
  assertCell('=1+1', "'=1+1");
  assertCell('-1', "'-1");
  assertCell('- one\n- two', "'- one\n- two");
  assertCell("'=1", "''=1");
  assertCell("''＝1", "'''＝1");
  assertCell("it's", "it's");
  assertCell("'quoted'", "'quoted'");
  assertCell('\t=1', "'\t'=1");
  assertCell('\r=1', "'\r'=1");
  assertCell('a;=1', "a;'=1");
  assertCell('a;"=1"', 'a;"\'=1"');
  assertCell('a\n=cmd|x', "a\n'=cmd|x");
  assertCell("a\n'@b", "a\n''@b");
  assertCell('a\n- one\n-  two (see below)\n- 1+cmd|x', "a\n- one\n'-  two (see below)\n'- 1+cmd|x");
  assertCell('a, -b', 'a, -b');
  assertCell('', '');

  it('begin with no sign of a formula, whatever separates them for a spreadsheet, and give the text back', () => {
    const piece = fc.constantFrom(...SIGNS, "'", '"', ';', '\t', '\n', '\r', ' ', 'a', '- x', '|', '(', '\u0301');
    fc.assert(
      fc.property(fc.array(fc.oneof({ weight: 9, arbitrary: piece }, fc.string())), (pieces) => {
        const text = pieces.join('');
        const cell = cellOfText(text);
        assert.equal(textOfCell(cell), text);
        assert.equal(cellOfText(textOfCell(cell)), cell);
        assert.ok(!SIGNS.includes(cell.charAt(0)));
        for (const part of cell.split(/[;\t\r\n]"*/).slice(1)) {
          assert.ok(!SIGNS.includes(part.charAt(0)) || /^[+-] [^|!(]*$/.test(part), part);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('of other tables are read with the apostrophe that guards a formula there, too', () => {
    assert.deepEqual(["'=1", "'-1", "'a", '-1'].map(textOfCell), ['=1', '-1', "'a", '-1']);
  });
});

function assertCell(text: string, cell: string): void {
  it(`${JSON.stringify(text)} is ${JSON.stringify(cell)}`, () => {
    assert.equal(cellOfText(text), cell);
    assert.equal(textOfCell(cell), text);
  });
}
