import { GONE_VERSIONS, plainPath } from '../../v3/assumptions.ts';
import { API_ROOT, matchEndpoint } from '../../v3/endpoints.ts';
import { downloadId } from '../attachments/downloadAddress.ts';
import { readParameters } from '../call/bodies.ts';
import type { Exchange } from '../call/exchange.ts';
import { PREFERENCES_PATH, type PreferencesRequest } from '../call/mails.ts';
import { notFound, Refusal } from '../ground/errors.ts';
import type { Reply } from '../http/reply.ts';
import { storyPage, storyPageId } from '../http/storyPage.ts';
import { sendDownload } from '../routes/attachments.ts';
import { routes } from '../routes/routes.ts';
import { counterValue } from '../store/counters.ts';

/** Paths that people open in a browser; the rest is for programs. */
export function isPage(path: string): boolean {
  return storyPageId(path) !== undefined || downloadId(path) !== undefined || path === PREFERENCES_PATH;
}

/** Finds what a path means and asks it for the reply. */
export async function dispatch(exchange: Omit<Exchange, 'params'>): Promise<Reply> {
  const { path } = exchange;
  if (path.startsWith(`${API_ROOT}/`)) return api({ ...exchange, params: {} }, path.slice(API_ROOT.length));
  refuseOtherVersions(path);
  if (path === '/healthz') return onlyGet(exchange, () => health(exchange));
  if (path === PREFERENCES_PATH) return preferences({ ...exchange, params: {} });
  const storyId = storyPageId(path);
  if (storyId !== undefined) return onlyGet(exchange, async () => storyPage(storyId));
  const attachmentId = downloadId(path);
  if (attachmentId !== undefined)
    return onlyGet(exchange, () => sendDownload({ ...exchange, params: { attachmentId } }));
  throw notFound('There is nothing at this address.');
}

/** What recipients of mails choose. */
function preferences(exchange: Exchange): Promise<Reply> {
  const { service, query } = exchange;
  const form: PreferencesRequest['form'] = (read) => readParameters(exchange, read);
  return service.mails.answerPreferences({ method: methodOf(exchange), query, form });
}

/** Well is a service whose store answers and takes changes, and whose files can be reached; 503 otherwise, so that a balancer sends nobody here. */
async function health({ service }: Pick<Exchange, 'service'>): Promise<Reply> {
  await service.database.requireWritable();
  await service.database.read((tx) => counterValue(tx, 'activityVersion'));
  await service.files.requireUsable();
  return { status: 200, headers: { 'Content-Type': 'text/plain; charset=utf-8' }, body: 'ok\n' };
}

async function api(exchange: Exchange, path: string): Promise<Reply> {
  const match = matchEndpoint(methodOf(exchange), plainPath(path));
  if (match.kind === 'unknown') throw notFound('There is nothing at this address.');
  if (match.kind === 'methodNotAllowed') throw methodNotAllowed(match.allow);
  return routes[match.name]({ ...exchange, params: match.params });
}

/** protocol.md, Version paths. */
function refuseOtherVersions(path: string): void {
  const version = Number(/^\/services\/v(\d+)(?:\/|$)/.exec(path)?.[1]);
  if (GONE_VERSIONS.includes(version)) {
    throw new Refusal(410, `Version ${version} of the API is gone. Use version 3: ${API_ROOT}.`);
  }
}

/** HEAD asks for what GET would be answered, without the body (RFC 9110). */
function methodOf({ request }: Pick<Exchange, 'request'>): string {
  return request.method === 'HEAD' ? 'GET' : (request.method ?? '');
}

function onlyGet(exchange: Pick<Exchange, 'request'>, handle: () => Promise<Reply>): Promise<Reply> {
  if (methodOf(exchange) !== 'GET') throw methodNotAllowed(['GET']);
  return handle();
}

function methodNotAllowed(methods: readonly string[]): Refusal {
  const allow = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ');
  return new Refusal(405, `This address answers to ${allow} only.`, { Allow: allow });
}
