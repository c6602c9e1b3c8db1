import assert from 'node:assert/strict';
import { newNames } from '../../../../../src/features/attachments/prepare/newNames.ts';
import { kindOfContents } from '../../../../../src/features/attachments/show/theAttachment.ts';

describe('newNames', () => {
  const assertNames = (wished: readonly string[], taken: readonly string[], expected: readonly string[]) =>
    it(`are ${expected.join(', ')} for ${wished.join(', ')} where there is ${taken.join(', ') || 'nothing'}`, () =>
      assert.deepEqual(newNames(wished, taken), expected));

  assertNames(['a.txt', 'b.txt'], [], ['a.txt', 'b.txt']);
  assertNames(['a.txt', 'a.txt', 'A.TXT'], [], ['a.txt', 'a (2).txt', 'A (3).TXT']);
  assertNames(['a.txt', 'a.txt'], ['A.txt', 'a (2).txt'], ['a (3).txt', 'a (4).txt']);
  assertNames(['.env', '.env'], [], ['.env', '.env (2)']);
  assertNames(['cafe\u0301.md'], ['café.md'], ['cafe\u0301 (2).md']);
});

describe('kindOfContents', () => {
  const assertKind = (name: string, start: string | readonly number[], expected: string) =>
    it(`is ${expected} for ${name} that begins with ${JSON.stringify(start)}`, () =>
      assert.equal(kindOfContents(name, Buffer.from(typeof start === 'string' ? start : [...start])), expected));

  assertKind('notes.txt', 'brød', 'text');
  assertKind('Makefile', 'all:', 'text');
  assertKind('empty', '', 'text');
  assertKind('windows.txt', [0xff, 0xfe, 0x61, 0], 'text');
  assertKind('shot.PNG', [0x89, 0x50, 0], 'image');
  assertKind('drawing.svg', '<svg/>', 'text');
  assertKind('archive.zip', [0x50, 0x4b, 3, 4, 0], 'other');
  assertKind('paper.pdf', '%PDF-1.7', 'other');
});
