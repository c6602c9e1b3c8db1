/**
 * Prints as JSON what the service looks for in requests: `readNames.ts` runs it. Each endpoint of the table is asked again and again,
 * each time with all that it was seen to look for before, until it looks for nothing new.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { registerHooks } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import type { ParamIds } from './hostileTargets.ts';
import type { ReadNames, TargetName } from './readNames.ts';
import { PAYLOAD_MARK, Recording, recordInto, recordReaders } from './recording.ts';

const fields = new URL('../../../../src/v3/fields.ts', import.meta.url).href;
const recordedFields = `${fields}?recorded`;
const recording = new URL('recording.ts', import.meta.url).href;

const readers = Object.keys(await import(fields));
registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context);
    return found.url === fields && context.parentURL !== recordedFields ? { ...found, url: recordedFields } : found;
  },
  load(url, context, next) {
    if (url !== recordedFields) return next(url, context);
    const wrapped = readers.map((name) => `export const ${name} = recorded('${name}', real.${name});`);
    const imports = `import * as real from '${fields}';\nimport { recorded } from '${recording}';\n`;
    return { format: 'module', shortCircuit: true, source: imports + wrapped.join('\n') };
  },
});

const { startService } = await import('../../../../src/service/start/startService.ts');
const { addUser } = await import('../../../../src/service/store/people/users.ts');
const { mintToken } = await import('../../../../src/service/store/people/tokens.ts');
const { addIntegration } = await import('../../../../src/service/store/projects/projectParts.ts');
const { preferencesPath } = await import('../../../../src/service/mail/preferencesPage.ts');
const { beginSession } = await import('../../../../src/service/auth/sessions.ts');
const { invitationPath, makeInvitation } = await import('../../../../src/service/auth/invitations.ts');
const { sharedSecret } = await import('../../../../src/service/store/secrets.ts');
const { targetNames, targetOf } = await import('./hostileTargets.ts');

const folder = mkdtempSync(join(tmpdir(), 'story-tracker-names-'));
const service = await startService({ dataFolder: folder, trustedProxies: ['127.0.0.1'] });
const { database } = service;
const userId = await database.write(async (tx) => (await addUser(tx, { name: 'Ada', email: 'a@b.c' }, Date.now())).id);
const token = await database.write((tx) => mintToken(tx, userId, 'user', Date.now()));
const session = await database.write((tx) => beginSession(tx, userId, 'names', Date.now()));
const mailKey = await sharedSecret(database, 'mailKey', () => 'key');
recordReaders();

interface Sent {
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

let ids = await freshIds();
interface Answered {
  readonly status: number;
  readonly text: string;
}

const found: Partial<Record<TargetName, ReadNames>> = {};
for (const name of targetNames) found[name] = await namesOf(name);
await service.stop();
rmSync(folder, { recursive: true, force: true });
process.stdout.write(JSON.stringify(found));

async function namesOf(name: TargetName): Promise<ReadNames> {
  const names = new Recording();
  for (let before = -1; names.size > before; ) {
    before = names.size;
    if (targetOf(name, ids).method === 'DELETE') ids = await freshIds();
    const { method, path } = targetOf(name, ids);
    for (const sent of variants(names)) {
      recordInto(names);
      const { status, text } = await ask(method, path, sent);
      recordInto(new Recording());
      if (status === 415 && sent.headers?.['Content-Type'] === 'application/xml') names.isUpload = true;
      if (status === 200 && names.root !== undefined)
        for (const each of answeredIn(text, names.root)) names.elements.add(each);
    }
  }
  return names.names;
}

/** Clients send back what they were given: what the document at hand has directly inside. */
function answeredIn(text: string, root: string): readonly string[] {
  if (!text.includes(`<${root}>`)) return [];
  return [...text.matchAll(/^ {2}<(\w+)/gm)].map((match) => match[1] ?? '');
}

/** All shapes in which what is known can be sent. */
function variants(names: Recording): readonly Sent[] {
  const xml = (text: string) => ({
    headers: { 'Content-Type': 'application/xml' },
    body: documentOf(names.root ?? 'unknown', names.elements, text),
  });
  const form = new URLSearchParams([...names.parameters].map((name): [string, string] => [name, '1'])).toString();
  const json = (leaf: 'text' | 'object' | 'list') => ({
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ [PAYLOAD_MARK]: '', ...objectOf(names.fields, leaf) }),
  });
  const multipart = '--b\r\nContent-Disposition: form-data; name="Filedata"; filename="a"\r\n\r\na\r\n--b--\r\n';
  return [
    {},
    { headers: { 'X-ServiceToken': '' } },
    { headers: { Authorization: 'Basic YTpi' } },
    xml('1'),
    xml(''),
    { headers: { 'Content-Type': 'application/x-www-form-urlencoded' }, body: form },
    { path: form },
    ...(['text', 'object', 'list'] as const).map(json),
    { headers: { 'Content-Type': 'multipart/form-data; boundary=b' }, body: multipart },
  ];
}

function documentOf(root: string, paths: Iterable<string>, text: string): string {
  const all = [...paths];
  const inside = (above: string): string => {
    const below = all.filter((path) => path.startsWith(above) && !path.slice(above.length).includes('/'));
    if (below.length === 0) return text;
    return below
      .map((path) => `<${path.slice(above.length)}>${inside(`${path}/`)}</${path.slice(above.length)}>`)
      .join('');
  };
  return `<${root}>${inside('')}</${root}>`;
}

function objectOf(paths: Iterable<string>, leaf: 'text' | 'object' | 'list'): Record<string, unknown> {
  const all = [...paths];
  const inside = (above: string): Record<string, unknown> =>
    Object.fromEntries(
      all
        .filter((path) => path.startsWith(above) && !path.slice(above.length).includes('/'))
        .map((path) => [path.slice(above.length), valueAt(path)]),
    );
  const valueAt = (path: string): unknown => {
    const below = inside(`${path}/`);
    if (leaf === 'text' && Object.keys(below).length === 0) return '1';
    return leaf === 'list' ? [below] : below;
  };
  return inside('');
}

/** What paths name, made anew, since the last round may have removed it. */
async function freshIds(): Promise<ParamIds> {
  const post = (path: string, body: string, type = 'application/xml') => idOf(path, body, type);
  // A user makes so many projects an hour, and there are more endpoints than that.
  await database.write((tx) => tx.deleteFrom('recentUses').execute());
  const projectId = await post('/projects', '<project><name>A</name></project>');
  const integration = { type: 'Other', name: 'A', fieldName: 'other_id', fieldLabel: 'A', ticketUrl: null, active: 1 };
  const integrationId = await database.write((tx) => addIntegration(tx, { ...integration, projectId }));
  const stories = `/projects/${projectId}/stories`;
  const storyId = await post(stories, '<story><name>A</name><other_id>1</other_id></story>');
  const taskId = await post(`${stories}/${storyId}/tasks`, '<task><description>A</description></task>');
  const multipart = '--b\r\nContent-Disposition: form-data; name="Filedata"; filename="a"\r\n\r\na\r\n--b--\r\n';
  const type = 'multipart/form-data; boundary=b';
  const attachmentId = await post(`${stories}/${storyId}/attachments`, multipart, type);
  const shown = await send('GET', `/services/v3${stories}/${storyId}/attachments/${attachmentId}`, {});
  const membershipId = await database.read(async (tx) => {
    const row = tx.selectFrom('memberships').select('id').where('projectId', '=', projectId);
    return (await row.executeTakeFirstOrThrow()).id;
  });
  const download = new URL(/<url>([^<]*)</.exec(shown.text)?.[1]?.replaceAll('&amp;', '&') ?? '');
  const invited = await database.write(async (tx) => {
    const guest = await addUser(tx, { name: 'Guest', email: `guest-${projectId}@b.c` }, Date.now());
    const wanted = { userId: guest.id, projectId, invitedBy: null, handedToId: null };
    return makeInvitation(tx, wanted, Date.now());
  });
  const pages = {
    download: download.pathname + download.search,
    invitation: invitationPath(invited.token),
    preferences: preferencesPath({ userId, projectId }, mailKey),
  };
  const ids = { projectId, storyId, otherStoryId: storyId, taskId, attachmentId, membershipId, integrationId };
  return { ...ids, importId: 1, pages };
}

async function idOf(path: string, body: string, type: string): Promise<number> {
  const { text } = await send('POST', `/services/v3${path}`, { body, headers: { 'Content-Type': type } });
  const id = /<id[^>]*>(\d+)</.exec(text)?.[1];
  if (id === undefined) throw new Error(`POST ${path} answered ${text}`);
  return Number(id);
}

function ask(method: string, path: string, sent: Sent): Promise<Answered> {
  const query = [`token=${token}`, ...(sent.path === undefined ? [] : [sent.path])].join('&');
  return send(method, `${path}${path.includes('?') ? '&' : '?'}${query}`, sent);
}

function send(method: string, path: string, { headers, body = '' }: Sent): Promise<Answered> {
  const all = {
    'X-ServiceToken': token,
    Cookie: `story-tracker=${session}`,
    ...headers,
    'Content-Length': String(Buffer.byteLength(body)),
  };
  return new Promise((resolve, reject) => {
    const request = httpRequest(service.url + path, { method, headers: all });
    request.on('error', reject).on('response', (response) => {
      textOf(response).then((text) => resolve({ status: response.statusCode ?? 0, text }), reject);
    });
    request.end(body);
  });
}
