import { AGENT_PATH } from '../../core/ports/connection.ts';
import { GONE_VERSIONS, plainPath } from '../../v3/assumptions.ts';
import { API_ROOT, type EndpointName, endpoints, matchEndpoint } from '../../v3/endpoints.ts';
import { answerAgent } from '../agents/agentDoor.ts';
import { downloadId } from '../attachments/downloadAddress.ts';
import { readParameters } from '../call/bodies.ts';
import type { Exchange } from '../call/exchange.ts';
import { PREFERENCES_PATH, type PreferencesRequest } from '../call/mails.ts';
import { forbidden, notFound, Refusal } from '../ground/errors.ts';
import type { Reply } from '../http/reply.ts';
import { storyPage, storyPageId } from '../http/storyPage.ts';
import { showAccount, takeAccount } from '../pages/accountPage.ts';
import { showInvitation, takeInvitation } from '../pages/invitePage.ts';
import { refusalPage } from '../pages/pageShell.ts';
import { showPassword, takePassword } from '../pages/passwordPage.ts';
import { isDryRun } from '../routes/projects.ts';
import { routes } from '../routes/routes.ts';
import { sendDownload } from '../routes/storyParts.ts';
import { counterValue } from '../store/counters.ts';

/** What people may come to by a link from elsewhere; the rest is for programs and for pages of this service. */
export function mayBeLinkedTo(path: string, method: string | undefined): boolean {
  if (pageAt(path)) return method !== 'POST';
  return storyPageId(path) !== undefined || downloadId(path) !== undefined || path === PREFERENCES_PATH;
}

/** Finds what a path means and asks it for the reply. */
export async function dispatch(heard: Omit<Exchange, 'params' | 'needs'>): Promise<Reply> {
  const exchange: Exchange = { ...heard, params: {}, needs: 'write' };
  const { path } = exchange;
  if (path.startsWith(`${API_ROOT}/`)) return api(exchange, path.slice(API_ROOT.length));
  refuseOtherVersions(path);
  if (path === '/healthz') return onlyGet(exchange, () => health(exchange));
  if (path === AGENT_PATH) return answerAgent(exchange);
  if (path === PREFERENCES_PATH) return preferences(exchange);
  const page = pageAt(path);
  if (page) return answerPage(exchange, page);
  const storyId = storyPageId(path);
  if (storyId !== undefined) return onlyGet(exchange, async () => storyPage(storyId));
  const attachmentId = downloadId(path);
  if (attachmentId !== undefined)
    return onlyGet(exchange, () => sendDownload({ ...exchange, params: { attachmentId } }));
  throw notFound('There is nothing at this address.');
}

/** A page of the service: what it shows, and what becomes of its form. */
interface ServicePage {
  readonly show: (exchange: Exchange) => Promise<Reply>;
  readonly take: (exchange: Exchange) => Promise<Reply>;
}

const INVITATION = /^\/invite\/([^/]{0,100})$/;

/** The page of a path, for people in a browser; undefined for other paths. */
function pageAt(path: string): ServicePage | undefined {
  if (path === '/account') return { show: showAccount, take: takeAccount };
  if (path === '/password') return { show: showPassword, take: takePassword };
  const token = INVITATION.exec(path)?.[1];
  if (token === undefined) return undefined;
  return {
    show: (exchange) => showInvitation(exchange, token),
    take: (exchange) => takeInvitation(exchange, token),
  };
}

/** What the page answers; refusals are pages too. */
async function answerPage(exchange: Exchange, page: ServicePage): Promise<Reply> {
  try {
    if (!exchange.isPrivate) throw forbidden(IN_THE_CLEAR);
    const { method } = exchange.request;
    if (method === 'GET' || method === 'HEAD') return await page.show(exchange);
    if (method === 'POST') return await page.take(exchange);
    throw new Refusal(405, 'This page answers to GET, HEAD, POST only.', { Allow: 'GET, HEAD, POST' });
  } catch (error) {
    if (error instanceof Refusal) return refusalPage(error);
    throw error;
  }
}

/** Neither passwords nor what stands for them cross a network in the clear. */
const IN_THE_CLEAR = 'This page only works over HTTPS or on the machine that runs the service.';

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
  return routes[match.name]({ ...exchange, params: match.params, needs: neededScope(match.name, exchange) });
}

function neededScope(name: EndpointName, exchange: Exchange): Exchange['needs'] {
  const { needs } = endpoints[name];
  return needs === 'read' || (needs === 'writeUnlessDryRun' && isDryRun(exchange)) ? 'read' : 'write';
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
