import PostalMime, { type Attachment, addressParser, type Email } from 'postal-mime';
import { lastOfPath } from '../../../core/story/attachment.ts';
import { type HtmlText, htmlText } from './htmlText.ts';
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

const BEGIN = '-----BEGIN PGP SIGNED MESSAGE-----';
const SIGNATURE = '-----BEGIN PGP SIGNATURE-----';
const END = '-----END PGP SIGNATURE-----';

/** A text without the frame and the proof of who signed it (RFC 9580, 7), which stays readable in it; any other as it is. */
function withoutClearSignature(text: string): string {
  const begin = text.indexOf(BEGIN);
  const signature = begin < 0 ? -1 : text.indexOf(SIGNATURE, begin);
  if (signature < 0) return text;
  const end = text.indexOf(END, signature);
  const [, ...lines] = text.slice(begin, signature).split('\n');
  const blank = lines.findIndex((line) => line.trim() === '');
  const signed = lines.slice(blank + 1).map((line) => line.replace(/^- /, ''));
  return text.slice(0, begin) + signed.join('\n') + (end < 0 ? '' : text.slice(end + END.length));
}

const FLOWED = /format="?flowed/i;
const LONGEST_FLOWED = 'format="flowed'.length;
/** Bytes that are looked at as one string: a string of a whole mail would take as much memory again. */
const WINDOW = 64 * 1024;

/** Whether a part of the mail lets readers break its lines anew (RFC 3676). */
function isFlowed(raw: Buffer): boolean {
  for (let from = 0; from < raw.length; from += WINDOW) {
    if (FLOWED.test(raw.toString('latin1', from, from + WINDOW + LONGEST_FLOWED))) return true;
  }
  return false;
}

/**
 * Without spaces at the end of quoted lines and of those before them: the parser would take what is quoted and what is not for one
 * line (RFC 3676, 4.5). Done on a copy that only the text is read from.
 */
function withHardQuotes(raw: Buffer): Buffer {
  const lines = raw.toString('latin1').split('\n');
  const hard = lines.map((line, index) => {
    const isNextToQuoted = line.startsWith('>') || lines[index + 1]?.startsWith('>') === true;
    return isNextToQuoted && !/^-- \r?$/.test(line) ? `${withoutSpacesAtEnd(line)}\r` : line;
  });
  return Buffer.from(hard.join('\n'), 'latin1');
}

function withoutSpacesAtEnd(line: string): string {
  let text = line.trimEnd();
  while (text.endsWith('=20')) text = text.slice(0, -3).trimEnd();
  return text;
}

const LINE_END = 0x0a;
const MOST_LINES = 500_000;
const MOST_SHORT_LINES = 100_000;
/** Bytes. Programs write files in lines of more than this. */
const SHORT_LINE = 60;

/** Throws for a mail whose lines would hold the service for long: each costs the parser some microseconds. */
function refuseManyLines(raw: Buffer): void {
  let all = 0;
  let short = 0;
  for (let from = 0, end = raw.indexOf(LINE_END); end >= 0; end = raw.indexOf(LINE_END, from)) {
    all += 1;
    if (end - from < SHORT_LINE) short += 1;
    from = end + 1;
  }
  if (all > MOST_LINES || short > MOST_SHORT_LINES)
    throw new Error('it has too many lines. Send long texts in a compressed file');
}

interface TextPart {
  readonly value: unknown;
}

/** What stands for one text of a mail: parts of it, or the same in two forms. */
interface TextForms {
  readonly plain?: readonly TextPart[];
  readonly html?: readonly TextPart[];
}

/** A part of a mail that is being read, which holds each line and its end by itself where lines are what they say. */
interface OpenPart {
  readonly contentDecoder: PartDecoder | null;
}

interface PartDecoder {
  chunks: Piece[];
  /** Gives the bytes of all chunks. */
  finalize: () => Promise<ArrayBuffer>;
}

type Piece = Uint8Array | ArrayBuffer | string;

type ProcessLine = (this: unknown, line: Uint8Array, isFinal: boolean) => Promise<void>;
const processLine: ProcessLine = Reflect.get(PostalMime.prototype, 'processLine');

/** Pieces of a part that are joined to one, since each costs some hundred bytes besides those that it holds. */
const JOINED = 4_096;

/** Of each some microseconds and kilobytes are needed, however short it is. */
const MOST_PARTS = 1_000;

const LIMITS = { maxNestingDepth: 30, maxHeadersSize: 256 * 1024, forceRfc822Attachments: true } as const;
/** Characters of all texts of a mail, with what they quote. */
const LONGEST_PLAIN = 500_000;
const LONGEST_HTML = 4_000_000;

/**
 * The parser with its own way from HTML to text replaced by ours, which drops what is quoted, and whose time grows with the length of
 * the text and not with its square; and whose memory grows with the bytes of a mail and not with its lines. Tests send it what it would
 * otherwise choke on.
 */
class MailParser extends PostalMime {
  declare private readonly textMap: ReadonlyMap<unknown, TextForms>;
  declare private readonly currentNode: OpenPart;
  private readonly joinedUpTo = new WeakMap<object, number>();
  private readonly sparing = new WeakSet<PartDecoder>();
  private readonly begun = new WeakSet<OpenPart>();
  private part: OpenPart | undefined;
  private parts = 0;
  declare protected textContent: { readonly plain: string; readonly html: string };

  /** Called by the parser for each line. */
  protected async processLine(line: Uint8Array, isFinal: boolean): Promise<void> {
    await processLine.call(this, line, isFinal);
    if (this.part !== this.currentNode) this.enter(this.currentNode);
    const decoder = this.currentNode.contentDecoder;
    if (!decoder) return;
    this.spare(decoder);
    this.join(decoder.chunks);
  }

  /** The lines from now on are of this part: one that begins, or the one around a part that has ended. */
  private enter(part: OpenPart): void {
    this.part = part;
    if (this.begun.has(part)) return;
    this.begun.add(part);
    this.parts += 1;
    if (this.parts > MOST_PARTS) throw new Error(`it has more than ${MOST_PARTS.toLocaleString('en')} parts`);
  }

  /** Decoders by themselves would hold all bytes of a file three times when it ends. */
  private spare(decoder: PartDecoder): void {
    if (this.sparing.has(decoder)) return;
    this.sparing.add(decoder);
    const { finalize } = decoder;
    decoder.finalize = async () => {
      const { chunks } = decoder;
      decoder.chunks = [];
      chunks.push(await finalize.call(decoder));
      return joinedBytes(chunks);
    };
  }

  private join(chunks: Piece[]): void {
    const from = this.joinedUpTo.get(chunks) ?? 0;
    if (chunks.length - from < JOINED) return;
    chunks.push(joinedBytes(chunks.splice(from)));
    this.joinedUpTo.set(chunks, from + 1);
  }

  /** Called by the parser when it has seen all parts. */
  protected renderTextContent(): void {
    const forms = [...this.textMap.values()];
    const plain = forms.reduce((sum, each) => sum + lengthOf(each.plain), 0);
    const html = forms.reduce((sum, each) => sum + lengthOf(each.html), 0);
    if (plain > LONGEST_PLAIN || html > LONGEST_HTML) throw new Error('its text is too long. Send it in a file');
    this.textContent = {
      plain: forms.some((each) => each.plain) ? forms.map(asPlain).join('\n') : '',
      html: forms.map((each) => joined(each.html)).join('\n'),
    };
  }
}

function viewOf(piece: Piece): Uint8Array {
  if (typeof piece === 'string') return Buffer.from(piece);
  return piece instanceof Uint8Array ? piece : new Uint8Array(piece);
}

/**
 * Zeros to be overwritten, in memory that the system has again as soon as they are gone: the engine takes pages of their own for a buffer
 * that could be resized, while of others that are as large the process keeps several times what it still uses.
 */
export function pages(size: number): ArrayBuffer {
  return new ArrayBuffer(size, { maxByteLength: size });
}

/** The bytes of pieces one after the other. Those that have a buffer to themselves are gone then. */
function joinedBytes(pieces: readonly Piece[]): ArrayBuffer {
  const views = pieces.map(viewOf);
  const all = new Uint8Array(pages(views.reduce((sum, { length }) => sum + length, 0)));
  let at = 0;
  for (const view of views) {
    const { buffer, length } = view;
    all.set(view, at);
    at += length;
    if (buffer instanceof ArrayBuffer && buffer.byteLength === length) buffer.transfer(0);
  }
  return all.buffer;
}

/** Takes a mail apart. Throws what the parser has against it, and for texts that would take too long to read. */
async function parseMail(raw: Buffer): Promise<Email> {
  const { buffer } = raw;
  const isAlone = buffer instanceof ArrayBuffer && buffer.byteLength === raw.length;
  // The parser would copy a part of a buffer.
  return new MailParser(LIMITS).parse(isAlone ? buffer : raw);
}

function asPlain({ plain, html }: TextForms): string {
  return plain ? joined(plain) : htmlText(joined(html)).text;
}

function joined(parts: readonly TextPart[] = []): string {
  return parts.map(({ value }) => String(value)).join('\n');
}

function lengthOf(parts: readonly TextPart[] = []): number {
  return parts.reduce((sum, { value }) => sum + String(value).length, 0);
}
