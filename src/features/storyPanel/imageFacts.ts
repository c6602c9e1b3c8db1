/** What the first bytes of an image tell. */
interface ImageFacts {
  readonly mime: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';
  /** In pixels. */
  readonly width: number;
  readonly height: number;
}

/** Pixels of a side, and of all: what is larger takes the page more memory than it is worth there. */
const LONGEST_SIDE = 16_384;
const MOST_PIXELS = 40_000_000;

/** What of attachments may be an image, by its name; whether it is one is told by its bytes. */
export function isNamedLikeImage(filename: string): boolean {
  return /\.(?:png|jpe?g|jpe|gif|webp)$/i.test(filename);
}

/**
 * What kind of image it is, by its first bytes and never by its name; `undefined` for anything else (an SVG too, which is a
 * document that can hold programs) and for one that is too large to be shown.
 */
export function imageFacts(bytes: Uint8Array): ImageFacts | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const facts = pngFacts(view) ?? gifFacts(view) ?? webpFacts(view) ?? jpegFacts(view);
  if (!facts) return undefined;
  const { width, height } = facts;
  const fits = Math.max(width, height) <= LONGEST_SIDE && width * height <= MOST_PIXELS;
  return fits && width > 0 && height > 0 ? facts : undefined;
}

/** Whether these bytes are there. */
function has(view: DataView, at: number, text: string): boolean {
  if (view.byteLength < at + text.length) return false;
  return [...text].every((character, index) => view.getUint8(at + index) === character.charCodeAt(0));
}

function pngFacts(view: DataView): ImageFacts | undefined {
  if (!has(view, 0, '\x89PNG\r\n\x1a\n') || !has(view, 12, 'IHDR') || view.byteLength < 24) return undefined;
  return { mime: 'image/png', width: view.getUint32(16), height: view.getUint32(20) };
}

function gifFacts(view: DataView): ImageFacts | undefined {
  if (!(has(view, 0, 'GIF87a') || has(view, 0, 'GIF89a')) || view.byteLength < 10) return undefined;
  return { mime: 'image/gif', width: view.getUint16(6, true), height: view.getUint16(8, true) };
}

function webpFacts(view: DataView): ImageFacts | undefined {
  if (!has(view, 0, 'RIFF') || !has(view, 8, 'WEBP') || view.byteLength < 30) return undefined;
  const mime = 'image/webp';
  const three = (at: number) => view.getUint16(at, true) + view.getUint8(at + 2) * 65_536;
  if (has(view, 12, 'VP8X')) return { mime, width: three(24) + 1, height: three(27) + 1 };
  if (has(view, 12, 'VP8 ')) {
    return { mime, width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
  }
  if (!has(view, 12, 'VP8L')) return undefined;
  const sides = view.getUint32(21, true);
  return { mime, width: (sides & 0x3fff) + 1, height: ((sides >>> 14) & 0x3fff) + 1 };
}

/** The sides are in the segment that begins the image, behind others of any length. */
function jpegFacts(view: DataView): ImageFacts | undefined {
  if (!has(view, 0, '\xff\xd8\xff')) return undefined;
  let at = 2;
  while (at + 9 <= view.byteLength && view.getUint8(at) === 0xff) {
    const marker = view.getUint8(at + 1);
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    const isStart = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (isStart) return { mime: 'image/jpeg', height: view.getUint16(at + 5), width: view.getUint16(at + 7) };
    at += 2 + view.getUint16(at + 2);
  }
  return undefined;
}
