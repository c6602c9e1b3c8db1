/** How VS Code shows a file by itself; `other` files are for other programs. */
export type KindOfContents = 'text' | 'image' | 'other';

const IMAGES = /\.(?:png|jpe?g|jpe|gif|bmp|ico|webp|avif)$/i;
/** Documents of other programs that may begin like text. */
const OTHERS = /\.(?:pdf|ps|eps|rtf)$/i;

/** What an attachment is, by its name and its first bytes. A zero byte is in no text but UTF-16, which begins with a mark. */
export function kindOfContents(filename: string, start: Uint8Array): KindOfContents {
  if (IMAGES.test(filename)) return 'image';
  if (OTHERS.test(filename)) return 'other';
  const [first, second] = start;
  const isUtf16 = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  return isUtf16 || !start.includes(0) ? 'text' : 'other';
}
