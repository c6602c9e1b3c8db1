/** Characters; older names may be longer than a header can be. The end is kept, since it says what kind of file it is. */
const LONGEST = 255;

/** The header that gives a download its name: an ASCII stand-in, and the exact name (RFC 6266, RFC 5987). */
export function contentDisposition(name: string): string {
  const filename = name.slice(-LONGEST);
  const plain = filename.replace(/[^\x20-\x7e]|["\\%/]/gu, '_');
  const exact = encodeURIComponent(filename.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${exact}`;
}
