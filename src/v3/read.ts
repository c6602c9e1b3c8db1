import { setImmediate as nextTurn } from 'node:timers/promises';
import { TextDecoder } from 'node:util';
import { TimeBudget } from '../core/timeBudget.ts';
import type { Element } from './element.ts';
import { ElementParser, type ParserOptions } from './elementParser.ts';
import { XmlError } from './xmlError.ts';

/** A document as it arrives. */
export type Chunks = AsyncIterable<Uint8Array | string> | Iterable<Uint8Array | string>;

interface ReadOptions extends ParserOptions {
  /** The largest document, in decoded bytes. */
  readonly limit?: number;
}

/** The largest document that is read when nothing else is said, in decoded bytes. */
const DOCUMENT_LIMIT = 64 * 1024 * 1024;

/** Milliseconds for which reading may hold the thread before others get a turn. */
const SLICE_MS = 2;

/**
 * Reads a document of which the elements at `itemPaths` (names below the root joined by `/`, for instance `story` or
 * `iteration/stories/story`) go to `onItem` as soon as they are complete and are then dropped; a nested item comes before the
 * one around it. The root comes back with all that is left. Gives way to the event loop. Throws `XmlError`, what `chunks`
 * throws, and what `onItem` throws.
 */
export async function readItems(
  chunks: Chunks,
  itemPaths: readonly string[],
  onItem: (item: Element) => void,
  { limit = DOCUMENT_LIMIT, ...options }: ReadOptions = {},
): Promise<Element> {
  const pieces = new DecodedPieces(limit);
  const reader = new ItemReader(itemPaths, onItem, options);
  const budget = new TimeBudget(SLICE_MS, { now: () => performance.now(), pause: nextTurn });
  budget.begin();
  for await (const chunk of chunks) {
    for (const piece of pieces.of(chunk)) {
      reader.feed(piece);
      if (budget.isSpent) await budget.giveWay();
    }
  }
  for (const piece of pieces.end()) reader.feed(piece);
  return reader.end();
}

/** Reads a whole document. Throws `XmlError`, and what `chunks` throws. */
export function readDocument(chunks: Chunks, options: ReadOptions = {}): Promise<Element> {
  return readItems(chunks, [], ignore, options);
}

/** Reads a short document that is at hand. Throws `XmlError`. */
export function readText(text: Uint8Array | string, { limit = DOCUMENT_LIMIT }: ReadOptions = {}): Element {
  const pieces = new DecodedPieces(limit);
  const reader = new ItemReader([], ignore);
  for (const piece of pieces.of(text)) reader.feed(piece);
  for (const piece of pieces.end()) reader.feed(piece);
  return reader.end();
}

function ignore(): void {}

/** Hands items over between two pieces, so that an error of the receiver is not taken for one of the document. */
class ItemReader {
  private readonly parser: ElementParser;
  private readonly onItem: (item: Element) => void;
  private items: Element[] = [];

  constructor(itemPaths: readonly string[], onItem: (item: Element) => void, options?: ParserOptions) {
    this.onItem = onItem;
    this.parser = new ElementParser(itemPaths, (item) => this.items.push(item), options);
  }

  feed(piece: string): void {
    this.parser.feed(piece);
    for (const item of this.items) this.onItem(item);
    this.items = [];
  }

  end(): Element {
    return this.parser.end();
  }
}

/** Bytes or characters handed on at once: small enough that reading one piece takes a fraction of a millisecond. */
const PIECE = 8 * 1024;
const HEAD = 256;

const DECODERS: Readonly<Record<string, string>> = {
  'utf-8': 'utf-8',
  utf8: 'utf-8',
  'us-ascii': 'windows-1252',
  ascii: 'windows-1252',
  'iso-8859-1': 'windows-1252',
  latin1: 'windows-1252',
  'windows-1252': 'windows-1252',
};

/**
 * Turns chunks of bytes (UTF-8, or the Latin encoding that the XML declaration names) or of text into pieces of well-formed
 * text. A piece shares no memory with a chunk of bytes. Throws `XmlError` for other encodings and for more than `limit`.
 */
class DecodedPieces {
  private readonly limit: number;
  private received = 0;
  private head: Uint8Array | undefined = new Uint8Array(0);
  private decoder: TextDecoder | undefined;
  private halfPair = '';

  constructor(limit: number) {
    this.limit = limit;
  }

  *of(chunk: Uint8Array | string): Generator<string> {
    this.received += chunk.length;
    if (this.received > this.limit) throw new XmlError(`This XML document is larger than ${this.limit} bytes.`);
    if (typeof chunk === 'string') yield* this.ofText(chunk);
    else yield* this.ofBytes(chunk);
  }

  *end(): Generator<string> {
    if (this.head && this.head.length > 0) yield* this.decodeHead(this.head);
    const rest = this.decode(new Uint8Array(0), false) + this.halfPair.toWellFormed();
    if (rest !== '') yield rest;
  }

  private *ofText(chunk: string): Generator<string> {
    let text = this.halfPair + chunk;
    this.halfPair = /[\uD800-\uDBFF]$/.test(text) ? text.slice(-1) : '';
    text = text.slice(0, text.length - this.halfPair.length).toWellFormed();
    for (let start = 0; start < text.length; start += PIECE) yield text.slice(start, start + PIECE);
  }

  private *ofBytes(chunk: Uint8Array): Generator<string> {
    if (!this.head) {
      yield* this.decodeAll(chunk);
      return;
    }
    const head = Buffer.concat([this.head, chunk]);
    this.head = head;
    if (head.length >= HEAD || head.includes('>')) yield* this.decodeHead(head);
  }

  private *decodeHead(head: Uint8Array): Generator<string> {
    this.head = undefined;
    this.decoder = new TextDecoder(encodingOf(head), { fatal: true });
    yield* this.decodeAll(head);
  }

  private *decodeAll(bytes: Uint8Array): Generator<string> {
    for (let start = 0; start < bytes.length; start += PIECE) {
      yield this.decode(bytes.subarray(start, start + PIECE), true);
    }
  }

  private decode(bytes: Uint8Array, stream: boolean): string {
    try {
      return this.decoder?.decode(bytes, { stream }) ?? '';
    } catch {
      throw new XmlError('This XML document has bytes that are not valid in its encoding.');
    }
  }
}

function encodingOf(head: Uint8Array): string {
  const start = Buffer.from(head.subarray(0, HEAD)).toString('latin1');
  const declared =
    /^(?:\u00EF\u00BB\u00BF)?<\?xml[^>]*?\sencoding\s*=\s*["']([\w.:-]+)["']/.exec(start)?.[1] ?? 'utf-8';
  const label = declared.toLowerCase();
  const known = Object.hasOwn(DECODERS, label) ? DECODERS[label] : undefined;
  if (!known)
    throw new XmlError(`This XML document is in the encoding "${declared}"; only UTF-8 and Latin-1 can be read.`);
  return known;
}
