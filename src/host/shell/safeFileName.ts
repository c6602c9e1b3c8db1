import { lastOfPath } from '../../core/story/attachment.ts';
import { withoutEnd } from '../../core/text.ts';

/** Bytes; file systems take 255, and a number or the ending of an unfinished file may come behind it. */
const LONGEST = 200;
/** What Windows cannot have in a name, with controls and marks that hide or turn what follows. */
const UNFIT = /[<>:"/\\|?*\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu;
/** Names that are devices on Windows, with any ending. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?= *(?:\.|$))/i;

/** A name from a server as one file in one folder may have it on every system; only its last part counts. */
export function safeFileName(name: string): string {
  const fit = withoutEnd(lastOfPath(name).replace(UNFIT, '_').trim(), '. ').replace(DEVICE, '_$&');
  if (fit === '') return 'attachment';
  if (Buffer.byteLength(fit) <= LONGEST) return fit;
  const ending = /\.[^.]{1,20}$/.exec(fit)?.[0] ?? '';
  const stem = fit.slice(0, fit.length - ending.length);
  const cut = withoutEnd(beginning(stem, LONGEST - Buffer.byteLength(ending)), '. ') + ending;
  return cut === '' ? 'attachment' : cut.replace(DEVICE, '_$&');
}

/** As many whole characters as fit. */
function beginning(text: string, bytes: number): string {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(bytes));
  return text.slice(0, read);
}
