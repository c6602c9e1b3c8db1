const BEGIN = '-----BEGIN PGP SIGNED MESSAGE-----';
const SIGNATURE = '-----BEGIN PGP SIGNATURE-----';
const END = '-----END PGP SIGNATURE-----';

/** A text without the frame and the proof of who signed it (RFC 9580, 7), which stays readable in it; any other as it is. */
export function withoutClearSignature(text: string): string {
  const begin = text.indexOf(BEGIN);
  const signature = begin < 0 ? -1 : text.indexOf(SIGNATURE, begin);
  if (signature < 0) return text;
  const end = text.indexOf(END, signature);
  const [, ...lines] = text.slice(begin, signature).split('\n');
  const blank = lines.findIndex((line) => line.trim() === '');
  const signed = lines.slice(blank + 1).map((line) => line.replace(/^- /, ''));
  return text.slice(0, begin) + signed.join('\n') + (end < 0 ? '' : text.slice(end + END.length));
}
