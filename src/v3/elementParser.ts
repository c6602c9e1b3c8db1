import { type SaxesOptions, SaxesParser } from 'saxes';
import type { Element } from './element.ts';
import { namedEntities } from './namedEntities.ts';
import { OwnedTexts } from './ownedText.ts';
import { XmlError } from './xmlError.ts';

/** How much a document may hold. All are far above what a server sends, and low enough to keep memory small. */
export const LIMITS = {
  depth: 32,
  name: 128,
  attributes: 32,
  attribute: 4096,
  /** Characters of one text, and of anything else between two tags. */
  text: 1024 * 1024,
  /** Elements held at the same time; items that were handed over do not count. */
  elements: 1_000_000,
} as const;

type PlainOptions = SaxesOptions & { xmlns: false };

export interface ParserOptions {
  /** The most elements, items that were handed over not counted. */
  readonly elements?: number;
  /** Whether elements come with their attributes: small ones take many times as much as was sent. */
  readonly keepsAttributes?: boolean;
}

interface OpenElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  children: Element[];
  text: string;
}

/** What every element without children holds. */
const NO_CHILDREN: Element[] = [];
Object.freeze(NO_CHILDREN);
const NO_ATTRIBUTES: Readonly<Record<string, string>> = Object.freeze(Object.create(null));
const NOT_SPACE = /[^ \t\n\r]/;

/**
 * Turns text, fed in pieces, into elements. An element at one of `itemPaths` (names below the root, joined by `/`) goes to
 * `onItem` when it is complete and is not kept in its parent. Throws `XmlError`.
 */
export class ElementParser {
  private readonly parser = new SaxesParser<PlainOptions>({
    xmlns: false,
    position: false,
    defaultXMLVersion: '1.0',
    forceXMLVersion: true,
  });
  private readonly texts = new OwnedTexts();
  private readonly names = new Map<string, string>();
  private readonly typeAttributes = new Map<string, Readonly<Record<string, string>>>();
  private readonly open: OpenElement[] = [];
  /** How many elements were held when each of those was opened. */
  private readonly heldBefore: number[] = [];
  private readonly itemPaths: readonly (readonly string[])[];
  private readonly itemNames: ReadonlySet<string>;
  private readonly onItem: (item: Element) => void;
  private readonly elements: number;
  private readonly keepsAttributes: boolean;
  private root: Element | undefined;
  private attributeCount = 0;
  private heldElements = 0;
  private charactersSinceEvent = 0;

  constructor(
    itemPaths: readonly string[],
    onItem: (item: Element) => void,
    { elements = LIMITS.elements, keepsAttributes = true }: ParserOptions = {},
  ) {
    this.elements = elements;
    this.keepsAttributes = keepsAttributes;
    this.itemPaths = itemPaths.map((path) => path.split('/'));
    this.itemNames = new Set(this.itemPaths.map((path) => path[path.length - 1] ?? ''));
    this.onItem = onItem;
    this.parser.ENTITIES = namedEntities();
    this.listen();
  }

  /** Pieces of some ten thousand characters keep each call short. */
  feed(piece: string): void {
    this.charactersSinceEvent += piece.length;
    this.guarded(() => this.parser.write(piece));
    if (this.charactersSinceEvent > LIMITS.text + piece.length) this.fail('A text in this XML document is too long.');
  }

  /** The root, once everything was fed; refuses a document that was cut off. */
  end(): Element {
    this.guarded(() => this.parser.close());
    if (!this.root) throw new XmlError('This XML document has no root element.');
    return this.root;
  }

  private guarded(run: () => void): void {
    try {
      run();
    } catch (error) {
      if (error instanceof XmlError) throw error;
      throw new XmlError(`This XML document cannot be read: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  /** An eighth listener would turn the parser into a dictionary for V8, five times as slow. */
  private listen(): void {
    const { parser } = this;
    parser.on('error', (error) => this.fail(`This is not well-formed XML: ${error.message.replace(/\.$/, '')}.`));
    parser.on('doctype', () => this.fail('This XML document has a DOCTYPE, which is not accepted.'));
    parser.on('attribute', ({ name, value }) => this.checkAttribute(name, value));
    parser.on('opentag', (tag) => this.openElement(tag.name, tag.attributes));
    parser.on('text', (text) => this.addText(text));
    parser.on('cdata', (text) => this.addText(text));
    parser.on('closetag', () => this.closeElement());
  }

  private fail(message: string): never {
    throw new XmlError(message, { line: this.parser.line, column: this.parser.column + 1 });
  }

  private noteEvent(): void {
    this.charactersSinceEvent = 0;
  }

  private checkAttribute(name: string, value: string): void {
    this.noteEvent();
    this.attributeCount += 1;
    if (this.attributeCount > LIMITS.attributes) this.fail('An element of this XML document has too many attributes.');
    if (name.length > LIMITS.name) this.fail('The name of an attribute in this XML document is too long.');
    if (value.length > LIMITS.attribute) this.fail('An attribute in this XML document is too long.');
  }

  private openElement(name: string, attributes: Readonly<Record<string, string>>): void {
    this.noteEvent();
    if (name.length > LIMITS.name) this.fail('The name of an element in this XML document is too long.');
    if (this.open.length >= LIMITS.depth) this.fail('This XML document is nested too deeply.');
    this.heldBefore[this.open.length] = this.heldElements;
    this.heldElements += 1;
    if (this.heldElements > this.elements) this.fail('This XML document has too many elements.');
    this.open.push({
      name: this.ownName(name),
      attributes: this.ownAttributes(attributes),
      children: NO_CHILDREN,
      text: '',
    });
    this.attributeCount = 0;
  }

  private addText(text: string): void {
    this.noteEvent();
    const element = this.open[this.open.length - 1];
    if (!element) return;
    if (element.text.length + text.length > LIMITS.text) this.fail('A text in this XML document is too long.');
    if (element.children.length > 0 && !NOT_SPACE.test(text)) return;
    element.text = element.text === '' ? text : element.text + text;
  }

  private closeElement(): void {
    this.noteEvent();
    const element = this.open.pop();
    if (!element) return;
    const isParent = element.children !== NO_CHILDREN;
    element.text = isParent && !NOT_SPACE.test(element.text) ? '' : this.texts.of(element.text);
    const parent = this.open[this.open.length - 1];
    if (!parent) this.root = element;
    else if (this.itemNames.has(element.name) && this.isItem(element.name)) this.handOver(element);
    else if (parent.children === NO_CHILDREN) parent.children = [element];
    else parent.children.push(element);
  }

  private isItem(name: string): boolean {
    return this.itemPaths.some(
      (path) =>
        path.length === this.open.length &&
        path[path.length - 1] === name &&
        path.every((step, index) => index === path.length - 1 || this.open[index + 1]?.name === step),
    );
  }

  private handOver(item: Element): void {
    this.heldElements = this.heldBefore[this.open.length] ?? 0;
    this.onItem(item);
  }

  private ownName(name: string): string {
    const known = this.names.get(name);
    if (known !== undefined) return known;
    const own = this.texts.of(name);
    this.names.set(own, own);
    return own;
  }

  private ownAttributes(attributes: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
    if (this.attributeCount === 0 || !this.keepsAttributes) return NO_ATTRIBUTES;
    const type = attributes.type;
    if (this.attributeCount > 1 || type === undefined) return this.copiedAttributes(attributes);
    const known = this.typeAttributes.get(type);
    if (known) return known;
    const own = this.copiedAttributes(attributes);
    if (type.length < LIMITS.name && this.typeAttributes.size < LIMITS.attributes) this.typeAttributes.set(type, own);
    return own;
  }

  /** Without a prototype, so that no attribute's name can mean more than a name. */
  private copiedAttributes(attributes: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
    const own: Record<string, string> = Object.create(null);
    for (const name in attributes) own[this.ownName(name)] = this.texts.of(attributes[name] ?? '');
    return Object.freeze(own);
  }
}
