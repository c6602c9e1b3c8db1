import { createHmac } from 'node:crypto';
import { MAX_PARAMETERS } from '../../../../src/core/limits.ts';
import { endpoints } from '../../../../src/v3/endpoints.ts';
import { Seeded } from '../../../support/measures/seeded.ts';
import {
  type Body,
  type Document,
  fieldsBody,
  multipartBody,
  multipartPlaces,
  rootBody,
  rootShapes,
  tableBody,
  tableColumns,
  toolBody,
  toolFields,
} from './hostileBodies.ts';
import { isEndpoint, type ParamIds, type Target, targetNames, targetOf } from './hostileTargets.ts';
import { HostileText, inAddress, inHeader, kindNames, lengths, MOST, type TextKind } from './hostileTexts.ts';
import { type Way, ways } from './hostileWays.ts';
import type { ReadNames, TargetName } from './readNames.ts';

export const callers = ['stranger', 'viewer', 'member', 'owner'] as const;
export type Caller = (typeof callers)[number];

/** A request that is HTTP; how it is sent is another matter. */
export interface HostileRequest extends Target {
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer;
}

/** By which a caller is known. */
export interface Credentials {
  readonly token: string;
  /** For the header `Authorization`; of a name that nobody has where the caller is a stranger. */
  readonly basic: string;
  /** For the header `Cookie`; of nobody where the caller is a stranger. */
  readonly cookie: string;
  /** Another address each time, so that guessing is not slowed down before the attack is over. */
  readonly address: string;
}

/** Something hostile, ready to be sent to whatever is there then. */
export interface Assault {
  readonly name: TargetName;
  readonly caller: Caller;
  readonly way: Way;
  /** Of the attack; what is sent in the same part is sent side by side. */
  readonly part: string;
  /** What it does, in a few words. */
  readonly what: string;
  request(ids: ParamIds, as: Credentials): HostileRequest;
}

/** Where in a request to one target a text can be put. */
interface Place {
  readonly what: string;
  put(plain: HostileRequest, text: HostileText, ids: ParamIds): HostileRequest;
}

/** Bytes for one text in the head of a request, which is refused when it is longer than 16 KiB. */
const HEAD_ROOM = 14_000;
/** Characters of a text where no limit of a field is aimed at. */
const BODY_LENGTHS = [20_000, 1_000_000, MOST];
/** Texts that are sent byte by byte, each with a system call. */
const SLOW_ROOM = 60_000;

/**
 * The plan of an attack: every target with every caller, every way and every place that it reads, each place with every kind of
 * text in turn. Equal seeds give equal plans; `count` is how many places are filled, the rest comes on top. With `every` only one of so
 * many places has its turn, which ones is the seed's.
 */
export function assaults(
  names: Readonly<Record<TargetName, ReadNames>>,
  { seed, count, every }: { readonly seed: number; readonly count: number; readonly every: number },
): Assault[] {
  const chance = new Seeded(seed);
  const known = withSharedElements(names);
  const fills = targetNames
    .flatMap((name) => placesOf(name, known[name]).map((place) => ({ name, place })))
    .filter((_, at) => (at + seed) % every === 0);
  const plan: Assault[] = [];
  for (const name of targetNames) {
    for (const caller of callers) plan.push(plain(name, known[name], caller, 'whole'));
    for (const way of ways) plan.push(plain(name, known[name], chance.of(callers) ?? 'owner', way));
  }
  for (let index = 0; index < Math.max(count, fills.length); index += 1) {
    const fill = fills[index % fills.length];
    if (fill === undefined) throw new Error('There is nothing to attack.');
    const kind = kindNames[(index + Math.floor(index / fills.length)) % kindNames.length] ?? 'digits';
    plan.push(filled(fill.name, known[fill.name], fill.place, kind, chance));
  }
  return shuffled(plan, chance);
}

/** What one endpoint looks for in a story, and what a story is answered with, can be sent to all that take one. */
function withSharedElements(names: Readonly<Record<TargetName, ReadNames>>): Readonly<Record<TargetName, ReadNames>> {
  const shared = (root: string | undefined) =>
    root === undefined ? [] : Object.values(names).flatMap((each) => (each.root === root ? each.elements : []));
  const entries = Object.entries(names).map(([name, own]) => [
    name,
    { ...own, elements: [...new Set(shared(own.root))] },
  ]);
  return Object.fromEntries(entries);
}

function lengthOf(chance: Seeded): number {
  return chance.of(chance.chance(3) ? BODY_LENGTHS : lengths) ?? 0;
}

/** Nothing but what its target wants. */
function plain(name: TargetName, names: ReadNames, caller: Caller, way: Way): Assault {
  return {
    name,
    caller,
    way,
    part: way,
    what: 'as it should be',
    request: (ids, as) => requestOf(name, names, ids, as),
  };
}

function filled(name: TargetName, names: ReadNames, place: Place, kind: TextKind, chance: Seeded): Assault {
  const caller = chance.chance(3) ? (chance.of(callers) ?? 'owner') : 'owner';
  const way = chance.chance(8) ? (chance.of(ways) ?? 'whole') : 'whole';
  const length = lengthOf(chance);
  const text = new HostileText(chance, kind, way === 'in chunks of a byte' ? Math.min(length, SLOW_ROOM) : length);
  return {
    name,
    caller,
    way,
    part: way === 'whole' ? `whole, with ${kind}` : way,
    what: `${text.what} in ${place.what}`,
    request: (ids, as) => place.put(requestOf(name, names, ids, as), text, ids),
  };
}

/** A request as its target wants it. */
export function requestOf(
  name: TargetName,
  names: ReadNames,
  ids: ParamIds,
  { token, basic, cookie, address }: Credentials,
): HostileRequest {
  const { method, path } = targetOf(name, ids);
  const plainRequest: HostileRequest = {
    method,
    path,
    headers: [
      signsInByPassword(name) ? ['Authorization', basic] : ['X-ServiceToken', token],
      ['X-Forwarded-For', address],
      ...(names.headers.includes('cookie') ? [['Cookie', cookie] as const] : []),
    ],
    body: Buffer.alloc(0),
  };
  const signed = names.parameters.includes('token') ? withQuery(plainRequest, `token=${token}`) : plainRequest;
  if (name === 'agents') return withBody(withHeader(signed, 'Accept', AGENTS_ACCEPT), toolBody('findStories', ids));
  if (names.isUpload) return withBody(signed, multipartBody());
  if (takesTable(name)) return withBody(withQuery(signed, 'project_name=A'), tableBody());
  if (names.root !== undefined)
    return withBody(signed, rootBody('XML', { ...documentOf(names, names.root), storyId: ids.storyId }));
  if (names.fields.length > 0) return withBody(signed, fieldsBody(names.fields, ids));
  const moves = names.parameters.includes('move[move]') ? `move[move]=before&move[target]=${ids.otherStoryId}` : '';
  return moves === '' ? signed : withQuery(signed, moves);
}

/** What the protocol of agents wants them to take. */
const AGENTS_ACCEPT = 'application/json, text/event-stream';

function signsInByPassword(name: TargetName): boolean {
  return isEndpoint(name) && endpoints[name].needs === 'password';
}

function documentOf({ elements }: ReadNames, root: string): Document {
  return { root, elements, texts: new Map() };
}

function placesOf(name: TargetName, names: ReadNames): readonly Place[] {
  return [
    ...pathPlaces(name),
    ...queryPlaces(names),
    ...names.headers.map(headerPlace),
    ...(signsInByPassword(name) ? credentialPlaces() : []),
    ...bodyPlaces(names),
    ...(takesTable(name) ? tablePlaces() : []),
    ...(name === 'agents' ? toolPlaces() : []),
  ];
}

/** The endpoints that write the body into a file before they read it. */
function takesTable(name: TargetName): boolean {
  return name === 'importNewProject' || name === 'importStories';
}

function tablePlaces(): readonly Place[] {
  return tableColumns.map((column) => ({
    what: `the column ${column} of a table`,
    put: (plain, { text }) => withBody(plain, tableBody(column, text)),
  }));
}

function toolPlaces(): readonly Place[] {
  return toolFields.map(({ tool, field }) => ({
    what: `${field} of ${tool}`,
    put: (plain, { text }, ids) => withBody(plain, toolBody(tool, ids, { field, text })),
  }));
}

function pathPlaces(name: TargetName): readonly Place[] {
  const segments = isEndpoint(name) ? endpoints[name].path.split('/') : [];
  const params = segments.flatMap((segment, at) => (segment.startsWith(':') ? [{ segment, at }] : []));
  const inPath = (path: string, at: number, text: string): string => {
    const parts = path.split('/');
    parts[at + 2] = text; // Behind the root of the API, of two segments.
    return parts.join('/');
  };
  return [
    ...params.map(({ segment, at }) => ({
      what: `the path for ${segment}`,
      put: (plain: HostileRequest, { text }: HostileText) => ({
        ...plain,
        path: inPath(plain.path, at, inAddress(text, HEAD_ROOM)),
      }),
    })),
    {
      what: 'the end of the path',
      put: (plain, { text }) => ({ ...plain, path: plain.path.replace(/(?=\?|$)/, `/${inAddress(text, HEAD_ROOM)}`) }),
    },
    {
      what: 'slashes before the path',
      put: (plain, { text }) => ({ ...plain, path: '/'.repeat(Math.min(text.length, HEAD_ROOM)) + plain.path }),
    },
  ];
}

function queryPlaces({ parameters, root, elements }: ReadNames): readonly Place[] {
  const nested = root === undefined ? [] : elements.map((path) => `${root}[${path.replaceAll('/', '][')}]`);
  return [
    ...[...parameters, ...nested].map((parameter) => ({
      what: `the parameter ${parameter}`,
      put: (plain: HostileRequest, { text }: HostileText) =>
        withQuery(withoutBody(plain), `${encodeURIComponent(parameter)}=${inAddress(text, HEAD_ROOM)}`),
    })),
    { what: 'the name of a parameter', put: (plain, { text }) => withQuery(plain, inAddress(text, HEAD_ROOM)) },
    {
      what: 'the query as it is',
      put: (plain, { text }) => withQuery(plain, inHeader(text, HEAD_ROOM).replace(/[ #\t]/g, '&')),
    },
    { what: 'many parameters', put: (plain, { text }) => withQuery(plain, many('a&', text.length, HEAD_ROOM / 2)) },
  ];
}

function headerPlace(header: string): Place {
  return {
    what: `the header ${header}`,
    put: (plain, { text }) => withHeader(plain, header, inHeader(text, HEAD_ROOM)),
  };
}

function credentialPlaces(): readonly Place[] {
  const basic = (name: string, password: string): string =>
    `Basic ${Buffer.from(`${name}:${password}`)
      .subarray(0, (HEAD_ROOM * 3) / 4)
      .toString('base64')}`;
  return [
    { what: 'a user name', put: (plain, { text }) => withHeader(plain, 'authorization', basic(text, 'a')) },
    { what: 'a password', put: (plain, { text }) => withHeader(plain, 'authorization', basic('a@b.c', text)) },
  ];
}

function bodyPlaces({ root, elements, parameters, fields, isUpload }: ReadNames): readonly Place[] {
  const place = (what: string, body: (text: HostileText) => Body | undefined): Place => ({
    what,
    put: (plain, text) => withBody(plain, body(text) ?? { type: 'application/xml', bytes: plain.body }),
  });
  const wholeBodies = ['application/xml', 'application/x-www-form-urlencoded', 'application/json'].map((type) =>
    place(`a whole body of type ${type}`, ({ text }) => ({ type, bytes: Buffer.from(text) })),
  );
  const inRoot = rootShapes.flatMap((shape) =>
    root === undefined
      ? []
      : elements.map((element) =>
          place(`${element} as ${shape}`, ({ text }) =>
            rootBody(shape, { root, elements, texts: new Map([[element, text]]) }),
          ),
        ),
  );
  const inForm = [...parameters, ...(fields.length > 0 ? ['payload'] : [])].map((parameter) => ({
    what: `the field ${parameter} of a form`,
    put: (plain: HostileRequest, { text }: HostileText) =>
      withBody(plain, formOf([...parameters], parameter, text, formKeyOf(plain))),
  }));
  return [
    ...wholeBodies,
    ...inRoot,
    ...inForm,
    ...(root === undefined ? [] : oddBodies(root, place)),
    ...fields.map((field) =>
      place(`the field ${field} of a payload`, ({ text }) => fieldsBody(fields, { field, text })),
    ),
    ...(isUpload
      ? multipartPlaces.map((part) => place(`the ${part} of a form`, (text) => multipartBody(part, text)))
      : []),
    place('fields of a form without end', ({ text }) => ({
      type: 'application/x-www-form-urlencoded',
      bytes: Buffer.from(many('a&', text.length, 2_000_000)),
    })),
  ];
}

function oddBodies(root: string, place: (what: string, body: (text: HostileText) => Body) => Place): readonly Place[] {
  const type = 'application/xml';
  const xml = (text: string): Body => ({ type, bytes: Buffer.from(text) });
  const name = (text: string): string => text.replace(/[^\p{L}\p{M}\p{N}.-]/gu, 'a');
  return [
    place('the name of an element', ({ text }) => xml(`<${root}><a${name(text)}/></${root}>`)),
    place('an attribute', ({ text }) => xml(`<${root}><name type="${text.replace(/[&<"]/g, ' ')}">a</name></${root}>`)),
    place('elements without end', ({ text }) => xml(`<${root}>${many('<a/>', text.length, 1_000_000)}</${root}>`)),
    place('elements in each other', ({ text }) => xml(`<${root}>${many('<a>', text.length, 1_000_000)}`)),
    place('a comment', ({ text }) => xml(`<!--${text.replaceAll('-', '_')}--><${root}/>`)),
    place('steps of a field of a form', ({ text }) => formOf([], `${root}${many('[a]', text.length, 300_000)}`, 'a')),
    place('lists in a list', ({ text }) => ({
      type: 'application/json',
      bytes: Buffer.from(`{"${root}":${many('[', text.length, 1_000_000)}`),
    })),
  ];
}

/** What the forms of a page have in their field `key`, for whoever has the cookie. */
function formKeyOf({ headers }: HostileRequest): string {
  const cookie = headers.find(([name]) => name === 'Cookie')?.[1] ?? '';
  return createHmac('sha256', cookie.split('=')[1] ?? '')
    .update('form')
    .digest('base64url');
}

function formOf(others: readonly string[], parameter: string, text: string, key = '1'): Body {
  const pairs = others
    .filter((other) => other !== parameter)
    .map((other) => `${encodeURIComponent(other)}=${other === 'key' ? key : '1'}`);
  const own = `${encodeURIComponent(parameter)}=${encodeURIComponent(text.toWellFormed())}`;
  return { type: 'application/x-www-form-urlencoded', bytes: Buffer.from([...pairs, own].join('&')) };
}

/** At and over the limit of parameters too, however short a text was drawn. */
function many(unit: string, length: number, most: number): string {
  return unit.repeat(Math.min(most, Math.max(length, MAX_PARAMETERS)));
}

function withQuery(plain: HostileRequest, query: string): HostileRequest {
  return { ...plain, path: `${plain.path}${plain.path.includes('?') ? '&' : '?'}${query}` };
}

function withHeader(plain: HostileRequest, header: string, value: string): HostileRequest {
  const others = plain.headers.filter(([name]) => name.toLowerCase() !== header.toLowerCase());
  return { ...plain, headers: [...others, [header, value]] };
}

function withBody(plain: HostileRequest, { type, bytes }: Body): HostileRequest {
  return { ...withHeader(plain, 'content-type', type), body: bytes };
}

function withoutBody(plain: HostileRequest): HostileRequest {
  return { ...plain, headers: plain.headers.filter(([name]) => name !== 'content-type'), body: Buffer.alloc(0) };
}

function shuffled<T>(items: readonly T[], chance: Seeded): T[] {
  const all = [...items];
  for (let index = all.length - 1; index > 0; index -= 1) {
    const other = chance.below(index + 1);
    const [one, two] = [all[index], all[other]];
    if (one !== undefined && two !== undefined) {
      all[index] = two;
      all[other] = one;
    }
  }
  return all;
}
