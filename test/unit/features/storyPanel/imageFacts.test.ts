import assert from 'node:assert/strict';
import fc from 'fast-check';
import { imageFacts, isNamedLikeImage } from '../../../../src/features/storyPanel/imageFacts.ts';
import { toPage } from '../../../../src/features/storyPanel/panelMessages.ts';

const bytesOf = (...parts: readonly (string | readonly number[])[]) =>
  new Uint8Array(parts.flatMap((part) => (typeof part === 'string' ? [...Buffer.from(part, 'latin1')] : part)));
const big = (value: number) => [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255];
const png = (width: number, height: number) =>
  bytesOf('\x89PNG\r\n\x1a\n', [0, 0, 0, 13], 'IHDR', big(width), big(height));

const segment = [0xff, 0xe0, 0, 4, 1, 2];
const jpeg = bytesOf([0xff, 0xd8], segment, [0xff, 0xff], [0xc2, 0, 8, 8, 0, 5, 0, 7, 3]);
const gif = bytesOf('GIF89a', [7, 0, 5, 0]);
const riff = (...parts: readonly (string | readonly number[])[]) => bytesOf('RIFF', [0, 0, 0, 0], 'WEBP', ...parts);

describe('Images among attachments', () => {
  assertFacts('PNG', png(7, 5), { mime: 'image/png', width: 7, height: 5 });
  assertFacts('JPEG behind other segments', jpeg, { mime: 'image/jpeg', width: 7, height: 5 });
  assertFacts('GIF', gif, { mime: 'image/gif', width: 7, height: 5 });
  const webp = { mime: 'image/webp', width: 7, height: 5 } as const;
  assertFacts('WebP', riff('VP8X', [10, 0, 0, 0, 0, 0, 0, 0], [6, 0, 0, 4, 0, 0]), webp);
  assertFacts('lossy WebP', riff('VP8 ', [0, 0, 0, 0, 0, 0, 0, 0x9d, 1, 0x2a], [7, 0, 5, 0]), webp);
  assertFacts('lossless WebP', riff('VP8L', [0, 0, 0, 0, 0x2f], [6, 0, 1, 0], [0, 0, 0, 0, 0]), webp);

  assertFacts('an SVG, whatever it is called', bytesOf('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'));
  assertFacts('a page', bytesOf('<!DOCTYPE html><script>alert(1)</script>'));
  assertFacts('nothing', new Uint8Array());
  assertFacts('a PNG that ends early', png(7, 5).slice(0, 20));
  assertFacts('a PNG of more pixels than are worth the memory', png(16_000, 16_000));
  assertFacts('a PNG with an endless side', png(4_000_000_000, 1));
  assertFacts('a PNG without any pixels', png(0, 5));
  assertFacts('a JPEG whose segments lead nowhere', bytesOf([0xff, 0xd8, 0xff, 0xe0, 0xff, 0xff]));

  it('are told from any bytes without a fault', () => {
    const start = fc.constantFrom(png(7, 5), jpeg, gif, riff('VP8X'), riff('VP8 '), riff('VP8L'), new Uint8Array());
    fc.assert(
      fc.property(start, fc.uint8Array({ maxLength: 80 }), fc.nat(40), (before, behind, cut) => {
        imageFacts(bytesOf([...before].slice(0, cut), [...behind]));
      }),
    );
  });

  it('are asked for by name', () => {
    for (const name of ['a.png', 'a.JPG', 'a.jpeg', 'a.gif', 'a.webp']) assert.ok(isNamedLikeImage(name), name);
    for (const name of ['a.svg', 'a.png.svg', 'a.html', 'png', 'a.txt']) assert.ok(!isNamedLikeImage(name), name);
  });

  it('are taken by the page only as one of the four kinds', () => {
    const bytes = png(7, 5);
    assert.deepEqual(toPage({ type: 'image', id: 1, mime: 'image/png', bytes }), {
      type: 'image',
      id: 1,
      mime: 'image/png',
      bytes,
    });
    assert.equal(toPage({ type: 'image', id: 1, mime: 'image/svg+xml', bytes }), undefined);
    assert.equal(toPage({ type: 'image', id: 1, mime: 'image/png', bytes: 'iVBOR' }), undefined);
  });
});

function assertFacts(what: string, bytes: Uint8Array, expected?: ReturnType<typeof imageFacts>): void {
  it(`${expected ? 'are' : 'are not'} ${what}`, () => assert.deepEqual(imageFacts(bytes), expected));
}
