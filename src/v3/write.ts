import { XMLBuilder } from 'fast-xml-parser';
import { replacedCharacters } from './assumptions.ts';
import type { Element } from './element.ts';
import { XmlError } from './xmlError.ts';

const NAME = /^[A-Za-z_][\w.-]*$/;
const ATTRIBUTES = ':@';
const TEXT = '#text';

const builder = new XMLBuilder({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  textNodeName: TEXT,
  format: true,
  indentBy: '  ',
  suppressEmptyNode: true,
  suppressBooleanAttributes: false,
  processEntities: false,
});

type Node = Record<string, unknown>;

const declaration: Node = { '?xml': [{ [TEXT]: '' }], [ATTRIBUTES]: { version: '1.0', encoding: 'UTF-8' } };

/** The document as text: declaration, two-space indent, final newline. Text and children of one element do not mix. */
export function writeDocument(root: Element): string {
  return `${builder.build([declaration, nodeOf(root)])}\n`;
}

function nodeOf(element: Element): Node {
  const content = element.children.length > 0 ? element.children.map(nodeOf) : textNodes(element.text);
  const node: Node = { [checkedName(element.name)]: content };
  const attributes = Object.entries(element.attributes);
  if (attributes.length > 0) node[ATTRIBUTES] = Object.fromEntries(attributes.map(attributeEntry));
  return node;
}

function textNodes(text: string): readonly Node[] {
  return text === '' ? [] : [{ [TEXT]: escaped(text) }];
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
