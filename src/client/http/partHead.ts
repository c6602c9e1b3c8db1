/** The form field of endpoint 5 (api-v3.md). */
const FIELD = 'Filedata';

/** What the plain form of a name cannot carry so that every receiver reads it back. */
const NOT_PLAIN = /["\\\p{Cc}\u2028\u2029]|%(?:22|0d|0a)/iu;

/**
 * The lines above the file in a multipart form. The name is UTF-8 as it is, with `"`, CR and LF as `%22`, `%0D` and `%0A`, which
 * is what browsers send and what receivers of RFC 7578 expect. A name that this would change also goes as `filename*` of
 * RFC 5987, behind the plain one: RFC 7578 (4.2) wants none where the plain one does, and receivers that do not know it pass
 * over it. What is no whole character (half of a surrogate pair) arrives as U+FFFD, as in any UTF-8.
 */
export function partHead(boundary: string, filename: string): string {
  const name = filename.toWellFormed();
  const exact = NOT_PLAIN.test(name) ? `; filename*=UTF-8''${extended(name)}` : '';
  return (
    `--${boundary}\r\nContent-Disposition: form-data; name="${FIELD}"; filename="${plain(name)}"${exact}\r\n` +
    'Content-Type: application/octet-stream\r\n\r\n'
  );
}

/** Other control characters have no form at all in there. */
function plain(name: string): string {
  const escaped = name.replace(/["\r\n]/g, (character) => encodeURIComponent(character));
  return escaped.replace(/\p{Cc}/gu, '_');
}

function extended(name: string): string {
  return encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
