import { type Attachment, addressParser, type Email } from 'postal-mime';
import { lastOfPath } from '../../../core/attachment.ts';
import { withoutClearSignature } from './clearSigned.ts';
import { isFlowed, withHardQuotes } from './flowedText.ts';
import { type HtmlText, htmlText } from './htmlText.ts';
import { refuseManyLines } from './lineLimits.ts';
import { parseMail } from './mailParser.ts';
import { ownText } from './ownText.ts';

/** A mail as far as it matters for a comment. */
export interface IncomingMail {
  readonly messageId: string;
  /** Addresses of its authors, in lower case. */
  readonly from: readonly string[];
  /** Of each header by its name in lower case; the values of several are joined by line ends. */
  readonly headers: ReadonlyMap<string, string>;
  readonly contentType: string;
  /** What its author wrote, without what is quoted and without a signature. */
  readonly text: string;
  readonly files: readonly IncomingFile[];
}

export interface IncomingFile {
  /** As the sender's program called it. */
  readonly filename: string;
  readonly bytes: Uint8Array;
}

/** Proofs of who wrote a mail, cards and invitations' copies: parts of the mail rather than files of it. */
const NO_FILES =
  /^(?:application\/(?:x-)?pkcs7-signature|application\/pgp-(?:signature|keys)|text\/x-vcard|text\/vcard)$/;

/** What parts without a name are called, before and behind their number. */
const NAMELESS = new Map([
  ['message/rfc822', ['mail', '.eml']],
  ['text/calendar', ['invitation', '.ics']],
]);

/** Takes a mail apart. Throws for one that has too many lines or too much text, is nested too deep or has endless headers. */
export async function readMail(raw: Buffer): Promise<IncomingMail> {
  refuseManyLines(raw);
  const email = await parseMail(raw);
  const html = htmlText(email.html ?? '');
  const plain = isFlowed(raw) ? (await parseMail(withHardQuotes(raw))).text : email.text;
  const headers = headersOf(email);
  const shown = referredTo(html);
  const files = email.attachments.filter((file) => isFile(file, shown));
  const text = plain?.trim() ? plain : html.text;
  return {
    messageId: headers.get('message-id')?.trim() ?? '',
    from: addressesIn(headers.get('from') ?? ''),
    headers,
    contentType: headers.get('content-type')?.trim().toLowerCase() ?? '',
    text: withoutImageNames(ownText(withoutClearSignature(text)), files),
    files: files.map((file, index) => ({ filename: nameOf(file, index), bytes: bytesOf(file) })),
  };
}

function headersOf({ headers }: Email): ReadonlyMap<string, string> {
  const all = new Map<string, string>();
  for (const { key, value } of headers) {
    const before = all.get(key);
    all.set(key, before === undefined ? value : `${before}\n${value}`);
  }
  return all;
}

function addressesIn(value: string): readonly string[] {
  return addressParser(value.replaceAll('\n', ', '), { flatten: true }).flatMap(({ address }) =>
    address ? [address.trim().toLowerCase()] : [],
  );
}

/** Content-IDs of the images that stand in what the author wrote, not in what is quoted or in a signature. */
function referredTo({ text, images }: HtmlText): ReadonlySet<string> {
  const before = ownText(text).split('[image]').length - 1;
  return new Set(images.slice(0, before));
}

/** Images that belong to the HTML count where the author put them, since signatures and quotations bring theirs along. */
function isFile({ contentId, related, mimeType }: Attachment, shown: ReadonlySet<string>): boolean {
  if (NO_FILES.test(mimeType)) return false;
  if (!related) return true;
  return contentId !== undefined && shown.has(contentId.replace(/^<|>$/g, ''));
}

function nameOf({ filename, mimeType }: Attachment, index: number): string {
  const name = lastOfPath(filename ?? '').trim();
  if (name !== '') return name;
  const [kind, end] = NAMELESS.get(mimeType) ?? ['attachment', ''];
  return `${kind}-${index + 1}${end}`;
}

function bytesOf({ content }: Attachment): Buffer {
  if (typeof content === 'string') return Buffer.from(content);
  return content instanceof Uint8Array
    ? Buffer.from(content.buffer, content.byteOffset, content.byteLength)
    : Buffer.from(content);
}

/** Programs name images in the text too, which the attachments do already. */
function withoutImageNames(text: string, files: readonly Attachment[]): string {
  const names = new Set(files.map(({ filename }) => `[image: ${filename}]`));
  return text
    .replace(/\[image(?:: [^\]\n]{1,255})?\]|\[cid:[^\]\s]{1,255}\]/g, (whole) =>
      whole === '[image]' || whole.startsWith('[cid:') || names.has(whole) ? '' : whole,
    )
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}
