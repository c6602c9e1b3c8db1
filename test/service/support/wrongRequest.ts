import { PREFERENCES_PATH } from '../../../src/service/call/mails.ts';
import * as assumptions from '../../../src/v3/assumptions.ts';
import { endpoints } from '../../../src/v3/endpoints.ts';
import type { Seeded } from '../../support/measures/seeded.ts';
import { wrongCsv, wrongXml } from './wrongFiles.ts';
import { noise, wrongNumber, wrongText } from './wrongValues.ts';

/** A request that is HTTP all right and of which anything else may be wrong. */
export interface WrongRequest {
  readonly method: string;
  /** From the root on, as it is sent. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

/** Ids that are there, by the names that paths have for them. */
export type KnownIds = Readonly<Record<string, number>>;

/** What someone has who is signed in to the pages, and who was invited. */
export interface PageSecrets {
  readonly session: string;
  readonly formKey: string;
  readonly invitation: string;
}

const ROOTS = ['story', 'project', 'membership', 'integration', 'note', 'task', 'source_commit', 'person', 'a'];

const FIELDS: Readonly<Record<string, readonly string[]>> = {
  story: [
    ...[
      'name',
      'estimate',
      'current_state',
      'story_type',
      'labels',
      'owned_by',
      'requested_by',
      'deadline',
      'accepted_at',
    ],
    ...['created_at', 'description', 'other_id', 'jira_id', 'integration_id', 'project_id', 'id', '__proto__'],
  ],
  project: [
    ...['name', 'no_owner', 'iteration_length', 'week_start_day', 'point_scale', 'start_date', 'initial_velocity'],
    ...['velocity_scheme', 'number_of_done_iterations_to_show', 'enable_tasks', 'commit_mode', 'use_https'],
    ...['web_hook_url', 'web_hook_secret', 'iteration_strengths'],
  ],
  membership: ['role', 'email', 'name', 'initials', 'person', 'id'],
  integration: ['name', 'type', 'field_name', 'field_label', 'base_url', 'active'],
  note: ['text', 'author', 'noted_at'],
  task: ['description', 'position', 'complete', 'id'],
  source_commit: ['message', 'author', 'commit_id', 'url'],
};

/** All texts among the assumptions of a kind: names of parameters, or of elements. */
function assumed(kind: RegExp): readonly string[] {
  return Object.entries(assumptions).flatMap(([name, value]: [string, unknown]) => {
    if (!kind.test(name)) return [];
    const texts = typeof value === 'object' && value !== null ? Object.values(value) : [value];
    return texts.filter((text): text is string => typeof text === 'string');
  });
}

const ELEMENTS = assumed(/_ELEMENT$/);
const QUERIES = [
  ...assumed(/_PARAMETERS?$/),
  ...['limit', 'offset', 'filter', 'newer_than_version', 'occurred_since_date', 'group', 'move[move]', 'move[target]'],
  ...['token', 'dry_run', 'story[name]', 'story[labels][]', 'membership[person][email]', 'a[][][]', '[]', ''],
];

const TYPES = [
  ...[
    'application/xml',
    'application/xml',
    'text/xml; charset=utf-16',
    'application/x-www-form-urlencoded',
    'application/json',
  ],
  ...[
    'multipart/form-data; boundary=b',
    'multipart/form-data',
    'text/plain',
    '',
    'application/xml;charset="',
    '\u00ff/\u00ff',
  ],
];

/** `token` is for the endpoint that takes it in its path; of pages, those for people are asked for where there are `secrets`. */
export function wrongRequest(chance: Seeded, ids: KnownIds, token: string, secrets?: PageSecrets): WrongRequest {
  if (secrets && chance.chance(12)) return wrongForm(chance, secrets);
  if (chance.chance(15)) return wrongPage(chance, ids);
  const drawn = chance.of(Object.values(endpoints));
  // What is gone is not there for all the requests that come after.
  const endpoint = drawn?.method === 'DELETE' && !chance.chance(20) ? endpoints.updateStory : drawn;
  const method = chance.chance(10) ? (chance.of(METHODS) ?? 'GET') : (endpoint?.method ?? 'GET');
  const signed = endpoint === endpoints.postHostedCommits && !chance.chance(6) ? `&token=${token}` : '';
  const path = pathOf(endpoint?.path ?? '', chance, ids) + query(chance, ids, signed);
  const kind = endpoint?.path ?? '';
  const { body, type } = method === 'GET' && chance.below(5) > 0 ? { body: '', type: '' } : bodyFor(kind, chance, ids);
  const headers = { ...(type !== '' && { 'Content-Type': type }), ...oddHeaders(chance) };
  return { method, path: `/services/v3${path}`, headers, body };
}

/** Of what answers without a token. */
function wrongPage(chance: Seeded, ids: KnownIds): WrongRequest {
  const id = chance.chance(3) ? encoded(wrongNumber(chance)) : String(ids.attachmentId);
  const signed = `?expires=${encoded(wrongNumber(chance))}&signature=${encoded(wrongText(chance)).slice(0, 500)}`;
  const preferences = `${PREFERENCES_PATH}?${encoded(wrongText(chance)).slice(0, 500)}=${encoded(wrongText(chance)).slice(0, 500)}`;
  const paths = [`/download/${id}${signed}`, `/story/show/${id}`, '/healthz', preferences, `/services/v${id}/projects`];
  const method = chance.chance(3) ? (chance.of(METHODS) ?? 'GET') : 'GET';
  const body = method === 'POST' ? form('story', chance) : '';
  return { method, path: chance.of(paths) ?? '/', headers: oddHeaders(chance), body };
}

const BUTTONS = [
  ...['signIn', 'signOut', 'makeToken', 'endTokens', 'endSessions', 'leave:1', 'endToken:1', 'endSession:1'],
  ...['leave:', 'endToken:-1', 'constructor', '__proto__:1', 'leave:1:2', 'toString'],
];
const PAGE_FIELDS = ['key', 'do', 'email', 'name', 'current', 'password', 'repeat', 'others', 'tokens'];

/** Of the pages for people in a browser. */
function wrongForm(chance: Seeded, { session, formKey, invitation }: PageSecrets): WrongRequest {
  const token = chance.chance(4) ? encoded(wrongText(chance)).slice(0, 200) : invitation;
  const path = chance.of(['/account', '/account', '/password', `/invite/${token}`, `//invite//${token}`]) ?? '/account';
  const method = chance.chance(3) ? (chance.of(METHODS) ?? 'GET') : 'POST';
  const fields = PAGE_FIELDS.filter(() => !chance.chance(4)).map((name) => {
    const usual = name === 'key' ? formKey : name === 'do' ? (chance.of(BUTTONS) ?? '') : wrongText(chance);
    // Some passwords at most: each takes a tenth of a second.
    const text = name === 'current' || chance.chance(10) ? wrongText(chance).slice(0, 2_000) : usual;
    return `${encoded(name)}=${encoded(text)}`;
  });
  const cookie = chance.chance(4)
    ? `${wrongText(chance).replace(/[^ -~]/g, '?')}; a=b`
    : `a="; story-tracker=${session}`;
  const body = method === 'GET' || method === 'HEAD' ? '' : chance.chance(9) ? noise(chance, 300) : fields.join('&');
  const type = chance.chance(9) ? (chance.of(TYPES) ?? '') : 'application/x-www-form-urlencoded';
  const headers = {
    Cookie: cookie.slice(0, 4_000),
    ...(type !== '' && { 'Content-Type': type }),
    ...oddHeaders(chance),
  };
  return {
    method,
    path: chance.chance(9) ? `${path}?done=${encoded(wrongText(chance)).slice(0, 500)}` : path,
    headers,
    body,
  };
}

const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS', 'PATCH', 'TRACE', 'PROPFIND', 'LOCK'];

function pathOf(pattern: string, chance: Seeded, ids: KnownIds): string {
  const path = pattern.replace(/:(\w+)/g, (_, name: string) =>
    chance.chance(8) ? encodeURIComponent(wrongNumber(chance)) : String(ids[name] ?? 1),
  );
  return chance.chance(25)
    ? path + (chance.of(['/', '//', '/..', '/%2e%2e', '%00', ';a=b', '.xml', '/%']) ?? '')
    : path;
}

function query(chance: Seeded, ids: KnownIds, signed: string): string {
  if (chance.chance(3)) return signed === '' ? '' : `?${signed}`;
  const pairs = Array.from({ length: chance.below(4) }, () => {
    const name = chance.of(QUERIES) ?? '';
    const value = name === 'move[target]' && chance.chance(2) ? String(ids.storyId) : wrongText(chance).slice(0, 2_000);
    return `${chance.chance(2) ? name : encoded(name)}=${encoded(value)}`;
  });
  return `?${pairs.join(chance.chance(9) ? '&&' : '&')}${signed}`;
}

function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

function oddHeaders(chance: Seeded): Readonly<Record<string, string>> {
  switch (chance.below(11)) {
    case 0:
      return { 'If-None-Match': chance.of(['*', '"', 'W/"x"', ',,,', 'a'.repeat(4_000)]) ?? '' };
    case 1:
      return { 'Accept-Encoding': chance.of(['gzip', 'gzip;q=0', 'gzip;q=x', '*', 'br, gzip;q=0.5', ';;,,']) ?? '' };
    case 2:
      return { Authorization: chance.of(['Basic', 'Basic !!', 'Basic Og==', 'Basic AAAA', 'Bearer x']) ?? '' };
    case 3:
      return { 'Content-Encoding': 'gzip', 'X-HTTP-Method-Override': 'DELETE', 'X-Forwarded-Proto': 'https' };
    case 4:
      return { Range: 'bytes=0-0,-1', 'If-Match': '"x"', 'X-TrackerToken': 'nonsense' };
    case 5:
      return { 'If-Match': chance.of(['*', '', 'W/"x"', '"x", *', ','.repeat(4_000), '"'.repeat(99)]) ?? '' };
    case 6:
      return { Origin: chance.of(['null', 'https://elsewhere.example', 'http://', '\u00ff']) ?? '', Cookie: ';;=;' };
    default:
      return {};
  }
}

interface Body {
  readonly body: string | Buffer;
  readonly type: string;
}

function bodyFor(path: string, chance: Seeded, ids: KnownIds): Body {
  const usual = rootFor(path);
  const root = chance.chance(12) ? (chance.of(ROOTS) ?? 'a') : usual;
  const type = chance.chance(6) ? (chance.of(TYPES) ?? '') : undefined;
  if (path.endsWith('/attachments')) return { type: 'multipart/form-data; boundary=b', ...multipart(chance) };
  if (path.endsWith('/active')) return { body: login(chance), type: type ?? 'application/x-www-form-urlencoded' };
  if (path.endsWith('github_commits')) return { body: payload(chance, ids), type: type ?? 'application/json' };
  if (path.endsWith('/imports') && chance.below(4) > 0) {
    const { bytes, type: own } = chance.chance(2) ? wrongCsv(chance, TABLE) : wrongXml(chance, DOCUMENT);
    return { body: bytes, type: type ?? own };
  }
  switch (chance.below(8)) {
    case 0:
      return { body: noise(chance, 400), type: type ?? 'application/xml' };
    case 1:
    case 2:
      return { body: form(root, chance), type: type ?? 'application/x-www-form-urlencoded' };
    case 3:
      return { body: odd(root, chance), type: type ?? 'application/xml' };
    default:
      return { body: xml(root, chance, ids), type: type ?? 'application/xml' };
  }
}

/** Small ones: what can be wrong with larger ones has tests of its own. */
const TABLE =
  'Id,Title,Labels,Type,Estimate,Current State,Created at,Comment,Task\n1,A,"a,b",bug,1,started,"Jan 5, 2026",C,T\n';
const DOCUMENT =
  '<project><id>1</id><name>A</name><memberships/><integrations/><stories><story><id>1</id><name>A</name></story></stories></project>';

function rootFor(path: string): string {
  if (path.endsWith('/stories') || path.endsWith(':storyId')) return 'story';
  if (path.includes('/tasks')) return 'task';
  if (path.endsWith('/notes')) return 'note';
  if (path.includes('memberships')) return 'membership';
  if (path.includes('integrations')) return 'integration';
  return path.includes('commits') ? 'source_commit' : 'project';
}

function fieldsOf(root: string, chance: Seeded): readonly (readonly [string, string])[] {
  const names = chance.chance(5) ? ELEMENTS : (FIELDS[root] ?? ['name', 'id']);
  const fields = Array.from({ length: chance.below(6) }, () => [chance.of(names) ?? '', wrongText(chance)] as const);
  const first = names[0] ?? '';
  return chance.chance(3) ? fields : [[first, `Story ${chance.below(1_000)}`], ...fields];
}

function xml(root: string, chance: Seeded, ids: KnownIds): string {
  const fields = fieldsOf(root, chance).map(([name, value]) => {
    if (name === 'iteration_strengths' && chance.chance(2)) return strengths(chance);
    const text = name === 'message' && chance.chance(2) ? `[${wrongText(chance)} #${ids.storyId}] ${value}` : value;
    return `<${name}${chance.of(['', ' type="integer"', ' nil="true"', ' type=""'])}>${escaped(text)}</${name}>`;
  });
  const inside = root === 'membership' && chance.chance(2) ? `<person>${fields.join('')}</person>` : fields.join('');
  return `${chance.chance(3) ? '<?xml version="1.0" encoding="UTF-8"?>' : ''}<${root}>${inside}</${root}>`;
}

function strengths(chance: Seeded): string {
  const some = Array.from({ length: chance.below(4) }, () => {
    const [number, strength, length] = [wrongNumber(chance), wrongNumber(chance), wrongNumber(chance)].map(escaped);
    return `<iteration><number>${number}</number><team_strength>${strength}</team_strength><iteration_length>${length}</iteration_length></iteration>`;
  });
  return `<iteration_strengths type="array">${some.join('')}</iteration_strengths>`;
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replace(/[^\t\n\r -\uD7FF\uE000-\uFFFD]/g, '?');
}

function form(root: string, chance: Seeded): string {
  const pairs = fieldsOf(root, chance).map(([name, value]) => {
    const key = name === 'labels' ? `${root}[${name}]${chance.of(['', '[]'])}` : `${root}[${name}]`;
    return `${chance.chance(2) ? key : encoded(key)}=${encoded(value)}`;
  });
  return pairs.join('&');
}

function login(chance: Seeded): string {
  return `username=${encoded(wrongText(chance))}&password=${encoded(wrongText(chance))}`;
}

/** XML that is none, or none that anyone means. */
function odd(root: string, chance: Seeded): string | Buffer {
  const bombs = [
    `<!DOCTYPE a [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]><${root}><name>&b;</name></${root}>`,
    `<!DOCTYPE a SYSTEM "file:///etc/passwd"><${root}/>`,
    `<${root}>${'<name>'.repeat(1 + chance.below(60))}`,
    `<${root} ${Array.from({ length: chance.below(60) }, (_, at) => `a${at}="1"`).join(' ')}/>`,
    `<${root}><![CDATA[${wrongText(chance)}]]></${root}>`,
    `<?xml version="1.0" encoding="${chance.of(['UTF-16', 'latin1', 'x'])}"?><${root}><name>é</name></${root}>`,
    `<${root}>${'<name/>'.repeat(chance.below(3_000))}</${root}>`,
    `<${root}><name>&#${wrongNumber(chance)};&#x${chance.below(0x11_0000).toString(16)};</name></${root}>`,
    `\uFEFF<${root}></${root}>`,
  ];
  const text = chance.of(bombs) ?? '';
  const encoding = chance.of(['utf8', 'utf16le', 'latin1'] as const) ?? 'utf8';
  return chance.chance(3)
    ? Buffer.from(text, encoding)
    : text.slice(0, chance.chance(3) ? chance.below(text.length + 1) : undefined);
}

function multipart(chance: Seeded): { readonly body: string; readonly type?: string } {
  const filename = chance.chance(3) ? 'a.txt' : wrongText(chance).slice(0, 4_000);
  const name = chance.chance(4) ? wrongText(chance).slice(0, 100) : 'Filedata';
  const head = `Content-Disposition: form-data; name="${name}"; ${chance.of(['filename', "filename*=utf-8''", 'filename '])}="${filename}"`;
  const parts = Array.from({ length: chance.below(3) + 1 }, () => `--b\r\n${head}\r\n\r\n${wrongText(chance)}\r\n`);
  const whole = `${parts.join('')}--b--\r\n`;
  const type = chance.chance(8) ? { type: chance.of(TYPES) ?? '' } : {};
  return { body: chance.chance(5) ? whole.slice(0, chance.below(whole.length)) : whole, ...type };
}

function payload(chance: Seeded, ids: KnownIds): string {
  const value = (): unknown =>
    chance.of<unknown>([
      null,
      1,
      -1e300,
      true,
      [],
      {},
      [[]],
      wrongText(chance),
      `[#${ids.storyId}] ${wrongText(chance)}`,
    ]);
  const commit = (): unknown => ({
    id: value(),
    message: value(),
    url: value(),
    author: { name: value() },
    x: value(),
  });
  const commits = chance.chance(4) ? value() : Array.from({ length: chance.below(5) }, commit);
  const text = JSON.stringify({ commits, ref: value() });
  return chance.chance(4) ? `payload=${encodeURIComponent(text)}` : text;
}
