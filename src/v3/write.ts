import { XMLBuilder } from 'fast-xml-parser';
import { replacedCharacters } from './assumptions.ts';
import type { Element } from './element.ts';
import { XmlError } from './xmlError.ts';

const NAME = /^[A-Za-z_][\w.-]*$/;
const ATTRIBUTES = ':@';
const TEXT = '#text';
const INDENT = '  ';
/** What stands in an empty element that is to have a closing tag; no text can hold it. */
const NOTHING = '\0';
/** Elements that are only there to be cut off again. */
const AROUND = 'a';

const builder = new XMLBuilder({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  textNodeName: TEXT,
  format: true,
  indentBy: INDENT,
  suppressEmptyNode: true,
  suppressBooleanAttributes: false,
  processEntities: false,
});

type Node = Record<string, unknown>;

const declaration: Node = { '?xml': [{ [TEXT]: '' }], [ATTRIBUTES]: { version: '1.0', encoding: 'UTF-8' } };

/** The document as text: declaration, two-space indent, final newline. Text and children of one element do not mix. */
export function writeDocument(root: Element): string {
  return `${withoutNothing(root, builder.build([declaration, nodeOf(root)]))}\n`;
}

/** The start of every document, without a line end. */
export const DECLARATION = builder.build([declaration]);

/** The element as it stands in a document below `depth` others, from the line end before it on. */
export function writeElement(element: Element, depth: number): string {
  let node = nodeOf(element);
  for (let level = 0; level < depth; level += 1) node = { [AROUND]: [node] };
  const text = builder.build([node]).slice(lengthAround(depth, '<>'), -lengthAround(depth, '</>') || undefined);
  return withoutNothing(element, text);
}

function withoutNothing({ hasClosingTag }: Element, text: string): string {
  return hasClosingTag ? text.replace(NOTHING, '') : text;
}

/** How long the tags, their line ends and indents are that so many elements put before or behind what is in them. */
function lengthAround(depth: number, brackets: string): number {
  const line = '\n'.length + AROUND.length + brackets.length;
  return depth * line + INDENT.length * ((depth * (depth - 1)) / 2);
}

function nodeOf(element: Element): Node {
  const content = element.children.length > 0 ? element.children.map(nodeOf) : textNodes(element);
  const node: Node = { [checkedName(element.name)]: content };
  const attributes = Object.entries(element.attributes);
  if (attributes.length > 0) node[ATTRIBUTES] = Object.fromEntries(attributes.map(attributeEntry));
  return node;
}

function textNodes({ text, hasClosingTag }: Element): readonly Node[] {
  if (text !== '') return [{ [TEXT]: escaped(text) }];
  return hasClosingTag ? [{ [TEXT]: NOTHING }] : [];
}

function attributeEntry([name, value]: [string, string]): [string, string] {
  return [checkedName(name), escaped(value).replace(/[\t\n]/g, characterReference)];
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** The builder's own escaping is off: it would let a carriage return be read back as a line feed. Quotes are its part. */
function escaped(text: string): string {
  return replacedCharacters(text).replace(
    /[&<>\r]/g,
    (character) => ESCAPES[character] ?? characterReference(character),
  );
}

function characterReference(character: string): string {
  return `&#${character.charCodeAt(0)};`;
}

/** A name that came from data must not be able to open or close elements. */
function checkedName(name: string): string {
  if (!NAME.test(name)) throw new XmlError(`"${name}" cannot be the name of an XML element.`);
  return name;
}
