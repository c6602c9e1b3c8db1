import { setImmediate as nextTurn } from 'node:timers/promises';
import { DecodedPieces } from './decodedPieces.ts';
import type { Element } from './element.ts';
import { ElementParser } from './elementParser.ts';

/** A document as it arrives. */
export type Chunks = AsyncIterable<Uint8Array | string> | Iterable<Uint8Array | string>;

export interface ReadOptions {
  /** The largest document, in decoded bytes. */
  readonly limit?: number;
  /** The most elements, items that were handed over not counted. */
  readonly elements?: number;
}

/** The largest document that is read when nothing else is said, in decoded bytes. */
const DOCUMENT_LIMIT = 64 * 1024 * 1024;

/** How long reading may hold the thread before others get a turn, in milliseconds. */
const TURN = 2;

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
  { limit = DOCUMENT_LIMIT, elements }: ReadOptions = {},
): Promise<Element> {
  const pieces = new DecodedPieces(limit);
  const reader = new ItemReader(itemPaths, onItem, elements);
  let turnStart = performance.now();
  for await (const chunk of chunks) {
    for (const piece of pieces.of(chunk)) {
      reader.feed(piece);
      if (performance.now() - turnStart > TURN) {
        await nextTurn();
        turnStart = performance.now();
      }
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

  constructor(itemPaths: readonly string[], onItem: (item: Element) => void, elements?: number) {
    this.onItem = onItem;
    this.parser = new ElementParser(itemPaths, (item) => this.items.push(item), elements);
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
