import assert from 'node:assert/strict';
import { commentCharIn } from '../../../../src/core/marker/commitMessage.ts';

describe('What begins the lines that Git drops', () => {
  const scissors = `${'-'.repeat(24)} >8 ${'-'.repeat(24)}`;
  const assertChar = (file: string, expected: string) =>
    it(`${JSON.stringify(file)} → ${expected}`, () => assert.equal(commentCharIn(file), expected));

  assertChar('', '#');
  assertChar('Sort', '#');
  assertChar('\n# Please enter the message.\n#\n# On branch main\n', '#');
  assertChar('\n; Please enter the message.\n;\n; On branch main\n;\tmodified: a\n', ';');
  assertChar('\r\n; Please enter the message.\r\n;\r\n; On branch main\r\n', ';');
  assertChar('#12 first\n\n! Please enter the message.\n!\n! On branch main\n!\n', '!');
  assertChar(`Sort\n// ${scissors}\n// Do not modify\ndiff --git a b\n`, '//');
  assertChar(`Sort\n# ${scissors}\n; not\n; one\n; of them\n`, '#');
  assertChar('Sort\n\n; one list\nof; two', '#');
  assertChar('Sort\n\n; one', '#');
  assertChar('* one\n* two\n* three', '#');
});
