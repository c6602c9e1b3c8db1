import { protocolToolName } from '../../../../src/core/agents/agentToolNames.ts';
import type { InputSchema } from '../../../../src/core/agents/inputSchema.ts';
import { type ServiceToolName, serviceToolNames, serviceTools } from '../../../../src/service/agents/serviceTools.ts';
import type { ParamIds } from './hostileTargets.ts';
import { type HostileText, inXml } from './hostileTexts.ts';

export interface Body {
  readonly type: string;
  readonly bytes: Buffer;
}

/** In which a caller can send a document. */
export const rootShapes = ['XML', 'a form', 'JSON'] as const;
export type RootShape = (typeof rootShapes)[number];

/** What goes through, for elements of which not every text does; a body with these and nothing else is accepted. */
const ACCEPTED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  story: { name: 'A' },
  project: { name: 'A' },
  task: { description: 'A' },
  note: { text: 'A' },
  integration: { name: 'A' },
  membership: { role: 'Member', 'person/email': 'victim@example.org', 'person/name': 'Victim' },
  source_commit: { message: '[#STORY] A', commit_id: 'a1', author: 'A' },
};

export interface Document {
  readonly root: string;
  /** All that are read, for a root that is new here. */
  readonly elements: readonly string[];
  /** By the paths of their elements; the rest is what goes through. */
  readonly texts: ReadonlyMap<string, string>;
  readonly storyId?: number;
}

/** A document that goes through but for its texts. */
export function rootBody(shape: RootShape, { root, elements, texts, storyId = 1 }: Document): Body {
  const accepted = ACCEPTED[root] ?? Object.fromEntries(elements.map((element) => [element, '1']));
  const values = new Map(Object.entries(accepted).map(([path, text]) => [path, text.replace('STORY', `${storyId}`)]));
  for (const [element, text] of texts) {
    for (const path of values.keys()) if (path.startsWith(`${element}/`)) values.delete(path);
    values.set(element, text);
  }
  const entries = [...values];
  if (shape === 'XML') return { type: 'application/xml', bytes: Buffer.from(xmlOf(root, entries)) };
  if (shape === 'JSON')
    return { type: 'application/json', bytes: Buffer.from(JSON.stringify({ [root]: jsonOf(entries) })) };
  const pairs = entries.map(([path, text]) => {
    const key = `${root}[${path.replaceAll('/', '][')}]`;
    return `${encodeURIComponent(key)}=${encodeURIComponent(text.toWellFormed())}`;
  });
  return { type: 'application/x-www-form-urlencoded', bytes: Buffer.from(pairs.join('&')) };
}

type Entries = readonly (readonly [path: string, text: string])[];

function xmlOf(name: string, entries: Entries): string {
  const inside = [...grouped(entries)].map(([child, below]) =>
    typeof below === 'string' ? `<${child}>${inXml(below)}</${child}>` : xmlOf(child, below),
  );
  return `<${name}>${inside.join('')}</${name}>`;
}

function jsonOf(entries: Entries): Record<string, unknown> {
  return Object.fromEntries(
    [...grouped(entries)].map(([child, below]) => [child, typeof below === 'string' ? below : jsonOf(below)]),
  );
}

/** By the first step of their paths. */
function grouped(entries: Entries): ReadonlyMap<string, string | Entries> {
  const groups = new Map<string, string | (readonly [string, string])[]>();
  for (const [path, text] of entries) {
    const [first = '', ...rest] = path.split('/');
    const below = groups.get(first);
    if (rest.length === 0) groups.set(first, text);
    else if (typeof below === 'object') below.push([rest.join('/'), text]);
    else groups.set(first, [[rest.join('/'), text]]);
  }
  return groups;
}

/** A payload of a host of code: all of its fields by their paths, where a field that has others is a list of one. */
export function fieldsBody(
  fields: readonly string[],
  filled: ParamIds | { readonly field: string; readonly text: string },
): Body {
  const text = 'text' in filled ? filled.text : `[#${filled.storyId}] A`;
  const inside = (above: string): Record<string, unknown> => {
    const below = fields.filter((path) => path.startsWith(above) && !path.slice(above.length).includes('/'));
    return Object.fromEntries(below.map((path) => [path.slice(above.length), valueAt(path)]));
  };
  const valueAt = (path: string): unknown => {
    if ('field' in filled && filled.field === path) return text;
    const below = inside(`${path}/`);
    if (Object.keys(below).length === 0) return 'field' in filled ? '1' : text;
    return path.includes('/') ? below : [below];
  };
  return { type: 'application/json', bytes: Buffer.from(JSON.stringify(inside(''))) };
}

/** Every field that a tool for agents takes. */
export const toolFields = serviceToolNames.flatMap((tool) =>
  Object.keys(serviceTools[tool].inputSchema.properties).map((field) => ({ tool, field })),
);

/** A call of a tool by an agent with what it needs, and with a text in one of its fields. */
export function toolBody(
  tool: ServiceToolName,
  ids: ParamIds,
  filled?: { readonly field: string; readonly text: string },
): Body {
  const { properties, required }: InputSchema = serviceTools[tool].inputSchema;
  const entries = required.map((field): [string, unknown] => [field, usualInput(properties[field], field, ids)]);
  const input = new Map(entries);
  if (filled) input.set(filled.field, properties[filled.field]?.type === 'array' ? [filled.text] : filled.text);
  const params = { name: protocolToolName(tool), arguments: Object.fromEntries(input) };
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
  return { type: 'application/json', bytes: Buffer.from(JSON.stringify(message)) };
}

function usualInput(schema: InputSchema['properties'][string] | undefined, field: string, ids: ParamIds): unknown {
  if (field === 'storyIds') return [ids.storyId];
  if (schema?.type === 'integer') return field === 'targetId' ? ids.otherStoryId : ids.storyId;
  if (schema?.type === 'string' && 'enum' in schema) return schema.enum[0];
  return field === 'filter' ? 'A' : 'abcdef0';
}

/** Columns of the table that an import takes; the first is read as a number. */
export const tableColumns = ['Id', 'Title', 'Labels', 'Type', 'Estimate', 'Created at', 'Requested By', 'Comment'];

/** A table of one story, as an import takes it, with a text in one of its columns. */
export function tableBody(filled?: string, text = ''): Body {
  const cells = tableColumns.map((column) => {
    const usual = column === 'Title' ? 'A' : '';
    return `"${(column === filled ? text : usual).replaceAll('"', '""')}"`;
  });
  return { type: 'text/csv', bytes: Buffer.from(`${tableColumns.join(',')}\n${cells.join(',')}\n`) };
}

/** Where a text can be in a form with files. */
export const multipartPlaces = [
  'boundary',
  'preamble',
  'head',
  'name of a field',
  'file name',
  'extended file name',
  'text of a field',
  'bytes',
  'parts',
] as const;
export type MultipartPlace = (typeof multipartPlaces)[number];

const MOST_PARTS = 20_000;

export function multipartBody(place?: MultipartPlace, { text }: Pick<HostileText, 'text'> = { text: '' }): Body {
  const line = text.replace(/[\r\n]/g, ' ');
  const at = (wanted: MultipartPlace, value: string, otherwise: string): string =>
    place === wanted ? value : otherwise;
  const boundary = at('boundary', line.replace(/[^ -!#-~]/g, '-'), 'b');
  const disposition = 'Content-Disposition: form-data';
  const description = at('name of a field', line, 'description');
  const fileName = at('extended file name', `filename*=utf-8''${line}`, `filename="${at('file name', line, 'a.txt')}"`);
  const field = `--${boundary}\r\n${disposition}; name="${description}"\r\n\r\n${at('text of a field', text, 'A')}\r\n`;
  const parts = place === 'parts' ? field.repeat(Math.min(text.length, MOST_PARTS)) : field;
  const head = `${at('head', `X-${line}\r\n`, '')}${disposition}; name="Filedata"; ${fileName}`;
  const file = `--${boundary}\r\n${head}\r\n\r\n${at('bytes', text, 'A')}\r\n`;
  const whole = `${at('preamble', text, '')}\r\n${parts}${file}--${boundary}--\r\n`;
  return { type: `multipart/form-data; boundary="${boundary.slice(0, 12_000)}"`, bytes: Buffer.from(whole) };
}
