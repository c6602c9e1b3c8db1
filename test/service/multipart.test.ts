import assert from 'node:assert/strict';
import fc from 'fast-check';
import { MultipartScanner, readPartHead } from '../../src/service/attachments/multipartScanner.ts';
import { Refusal } from '../../src/service/ground/errors.ts';
import { growsBySquare } from '../support/measures/growth.ts';

/** What was in each part, or undefined for a body that has no end. */
function partsOf(body: Buffer, boundary: string, cuts: readonly number[]): Buffer[] | undefined {
  const scanner = new MultipartScanner(boundary);
  const parts: Buffer[][] = [];
  let start = 0;
  for (const cut of [...cuts, body.length]) {
    for (const event of scanner.push(body.subarray(start, cut))) {
      if (event.kind === 'part') parts.push([]);
      else if (event.kind === 'data') parts.at(-1)?.push(Buffer.from(event.bytes));
    }
    start = cut;
  }
  return scanner.done ? parts.map((pieces) => Buffer.concat(pieces)) : undefined;
}

const HEAD = 'Content-Disposition: form-data; name="Filedata"; filename="x"';

function bodyOf(parts: readonly Buffer[], boundary: string): Buffer {
  const pieces = parts.flatMap((part) => [Buffer.from(`--${boundary}\r\n${HEAD}\r\n\r\n`), part, Buffer.from('\r\n')]);
  return Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)]);
}

/** Bytes that look like delimiters more often than chance would have it. */
const trickyBytes = fc
  .array(fc.oneof(fc.constantFrom('\r', '\n', '-', '--', '\r\n', '\r\n--', '--b', 'b', '\r\n--a'), fc.string()))
  .map((pieces) => Buffer.from(pieces.join('')));

describe('multipart bodies', () => {
  it('give back their parts, wherever they are cut', () => {
    const boundary = 'bound';
    fc.assert(
      fc.property(fc.array(trickyBytes, { maxLength: 4 }), fc.array(fc.nat(400), { maxLength: 12 }), (parts, cuts) => {
        fc.pre(parts.every((part) => !part.includes(`--${boundary}`)));
        const body = bodyOf(parts, boundary);
        const places = cuts.map((cut) => cut % (body.length + 1)).sort((one, other) => one - other);
        assert.deepEqual(partsOf(body, boundary, places), parts);
      }),
      { numRuns: 1_000 },
    );
  });

  it('that are cut short never seem whole', () => {
    const body = bodyOf([Buffer.from('one'), Buffer.from('two')], 'b');
    for (let length = 0; length < body.length - 2; length += 1) {
      assert.equal(partsOf(body.subarray(0, length), 'b', []), undefined, String(length));
    }
  });

  it('name their file in either form', () => {
    const filename = (rest: string) =>
      readPartHead(Buffer.from(`Content-Disposition: form-data; name="Filedata"${rest}`)).filename;
    assert.equal(filename("; filename*=utf-8''na%C3%AFve.txt"), 'naïve.txt');
    assert.equal(filename("; filename*=UTF-8'en'a%20b"), 'a b');
    assert.equal(filename(`; filename="x"; filename*=utf-8''y`), 'y');
    assert.equal(filename(`; filename="x"; filename*=utf-8''%C3`), 'x');
    assert.equal(filename(`; filename="x; filename*=utf-8''y"`), "x; filename*=utf-8''y");
    for (const wrong of ["; filename*=utf-8''%C3", "; filename*=latin1''x", '; filename*=x', "; filename*=utf-8''"]) {
      assert.equal(filename(wrong), undefined, wrong);
    }
  });

  it('that are anything else are refused, or wait for more, and nothing worse', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 500 }), (bytes) => {
        try {
          partsOf(Buffer.concat([Buffer.from('--b'), bytes]), 'b', [1, 5]);
        } catch (error) {
          assert.ok(error instanceof Refusal);
        }
      }),
      { numRuns: 1_000 },
    );
    assert.throws(() => partsOf(Buffer.from(`--b\r\nX: ${'x'.repeat(20_000)}`), 'b', []), Refusal);
  });

  it('are read in a time that grows with the length of their heads only', () => {
    for (const piece of [';a="b', ';a="', '" ', ';a=b', '; ', 'a=', ';a="b";', ';name="x']) {
      const head = (length: number) => `Content-Disposition: form-data${piece.repeat(length / piece.length)}`;
      assert.equal(
        growsBySquare((length) => void readPartHead(Buffer.from(head(length)))),
        false,
        piece,
      );
    }
  });

  it('name their parts as different senders write them', () => {
    const cases: [string, string | undefined, string | undefined][] = [
      ['Content-Disposition: form-data; name="Filedata"; filename="a.txt"', 'Filedata', 'a.txt'],
      ['content-disposition:form-data;filename=a.txt;name=Filedata', 'Filedata', 'a.txt'],
      ['Content-Disposition: form-data; name="Filedata"; filename="a\\"b.txt"', 'Filedata', 'a"b.txt'],
      ['Content-Disposition: form-data; name="Filedata"; filename="a%22b%0d%0A.txt"', 'Filedata', 'a"b\r\n.txt'],
      ['Content-Disposition: form-data; name="Filedata"; filename="100%25.txt"', 'Filedata', '100%25.txt'],
      ['Content-Disposition: form-data; name="Filedata"; filename="a\\"', 'Filedata', 'a\\'],
      ['Content-Disposition: form-data; name="description"', 'description', undefined],
      ['Content-Type: text/plain', undefined, undefined],
    ];
    for (const [head, name, filename] of cases) {
      assert.deepEqual(readPartHead(Buffer.from(head)), { name, filename }, head);
    }
    const latin = Buffer.from('Content-Disposition: form-data; name="f"; filename="caf\u00e9"', 'latin1');
    assert.equal(readPartHead(latin).filename, 'café');
  });
});
