const LONGEST = 200;
/** What Windows cannot have in a name, with controls and marks that hide or turn what follows. */
const UNFIT = /[<>:"/\\|?*\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu;
/** Names that are devices on Windows, with any ending. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i;

/** A name from a server as one file in one folder may have it on every system; only its last part counts. */
export function safeFileName(name: string): string {
  const last = name.split(/[\\/]/).findLast((part) => part.trim() !== '') ?? '';
  const fit = last
    .replace(UNFIT, '_')
    .trim()
    .replace(/[. ]+$/, '')
    .replace(DEVICE, '_$&');
  if (fit === '') return 'attachment';
  if (fit.length <= LONGEST) return fit;
  const ending = /\.[^.]{1,20}$/.exec(fit)?.[0] ?? '';
  return fit.slice(0, LONGEST - ending.length).replace(/[\ud800-\udbff]$/, '') + ending;
}
