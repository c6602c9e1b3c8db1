import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Asked, FixtureRoutes, type Reply } from './fixtureServerRoutes.ts';
import type { StoryElements } from './fixtureServerStore.ts';
import { errors, message } from './fixtureServerXml.ts';
import { LocalServer } from './localServer.ts';

const ROOT = '/services/v3';

export interface Recorded {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

type Trouble = { readonly pattern: RegExp; times: number } & (
  | { readonly kind: 'reply'; readonly reply: Reply }
  | { readonly kind: 'cut'; readonly afterBytes: number }
  | { readonly kind: 'lost' }
  | { readonly kind: 'held'; readonly until: Promise<void> }
);

/**
 * A v3 server written by hand from the document, for trying ours against one that is not ours. It shares no code with
 * `src`; its data holds what other servers may send: unknown states and types, missing elements, odd lists and dates.
 */
export class FixtureServer {
  readonly routes = new FixtureRoutes();
  readonly requests: Recorded[] = [];
  /** Another token makes every request with the former one fail. */
  token = 'fixture-token';
  private readonly server = new LocalServer((request, response) => void this.handle(request, response));
  private troubles: Trouble[] = [];
  private kept: Map<string, Reply> | undefined;

  private constructor() {}

  static async start(port = 0): Promise<FixtureServer> {
    const server = new FixtureServer();
    await server.server.start(port);
    return server;
  }

  /** Kept after the server was stopped, to start another in its place. */
  get port(): number {
    return this.server.port;
  }

  get url(): string {
    return this.server.url;
  }

  /** Ends at once, as when killed: connections are cut. */
  stop(): Promise<void> {
    return this.server.stop();
  }

  /** Refuses requests such as `POST /projects/7/stories/1/moves` with 422 and these sentences. */
  refuse(pattern: RegExp, sentences: readonly string[], times = 1): void {
    const reply = { status: 422, body: errors(...sentences) };
    this.troubles.push({ kind: 'reply', pattern, times, reply });
  }

  /** Answers with exactly this. */
  reply(pattern: RegExp, reply: Reply, times = 1): void {
    this.troubles.push({ kind: 'reply', pattern, times, reply });
  }

  /** Cuts the connection once so many bytes of the body have come. */
  cut(pattern: RegExp, afterBytes = 0, times = 1): void {
    this.troubles.push({ kind: 'cut', pattern, afterBytes, times });
  }

  /** Does what is asked and then cuts the connection instead of answering. */
  loseAnswer(pattern: RegExp, times = 1): void {
    this.troubles.push({ kind: 'lost', pattern, times });
  }

  /** Does and answers nothing of this kind before it is let go. */
  hold(pattern: RegExp, times = 1): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.troubles.push({ kind: 'held', pattern, times, until: promise });
    return resolve;
  }

  /** Someone else moves a story, of which nobody is told. */
  moveForeign(storyId: number, place: 'before' | 'after', targetId: number): void {
    const { stories } = this.routes;
    const [moved] = stories.splice(this.order.indexOf(storyId), 1);
    if (moved) stories.splice(this.order.indexOf(targetId) + (place === 'after' ? 1 : 0), 0, moved);
  }

  /** Makes each answer to a read only once from now on, so that what it takes to make very large ones is in no measure but the first. */
  keepAnswers(): void {
    this.kept = new Map();
  }

  noMoreTrouble(): void {
    this.troubles = [];
  }

  /** A story's elements, to be read or changed as by someone else. */
  elementsOf(storyId: number): StoryElements {
    return this.routes.story(storyId).elements;
  }

  /** Ids of the stories in priority order. */
  get order(): readonly number[] {
    return this.routes.stories.map(({ id }) => id);
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const method = request.method ?? '';
    const { pathname, searchParams: query } = new URL(request.url ?? '/', this.url);
    const path = pathname.startsWith(ROOT) ? pathname.slice(ROOT.length) : pathname;
    const trouble = this.troubleFor(`${method} ${path}`);
    const body = await bodyOf(request, trouble?.kind === 'cut' ? trouble.afterBytes : undefined);
    if (!body) return;
    this.requests.push({ method, path, query, headers: request.headers, body });
    if (trouble?.kind === 'held') await trouble.until;
    const contentType = request.headers['content-type'] ?? '';
    const served = () =>
      pathname.startsWith('/files/')
        ? this.file(Number(pathname.split('/')[2]))
        : this.answer({ method, path, query, contentType, body, origin: this.url });
    const reply = this.refusal(request, pathname) ?? (trouble?.kind === 'reply' ? trouble.reply : served());
    if (trouble?.kind === 'lost') request.socket.destroy();
    else send(response, reply);
  }

  private answer(asked: Asked): Reply {
    const { kept } = this;
    if (!kept || asked.method !== 'GET') return this.routes.answer(asked);
    const name = `${asked.path}?${asked.query}`;
    const known = kept.get(name);
    if (known) return known;
    const reply = this.routes.answer(asked);
    const { body } = reply;
    const made = { ...reply, body: typeof body === 'string' ? Buffer.from(body) : body };
    kept.set(name, made);
    return made;
  }

  private troubleFor(request: string): Trouble | undefined {
    const trouble = this.troubles.find(({ pattern, times }) => times > 0 && pattern.test(request));
    if (trouble) trouble.times--;
    return trouble;
  }

  /** A missing or wrong token is answered by a page, as servers behind a gateway do. */
  private refusal({ headers }: IncomingMessage, pathname: string): Reply | undefined {
    if (pathname.startsWith('/files/')) return undefined;
    if (!pathname.startsWith(ROOT)) return { status: 404, type: 'text/html', body: '<h1>Not Found</h1>' };
    if (pathname.endsWith('/tokens/active')) {
      const login = Buffer.from('ana:secret').toString('base64');
      return headers.authorization === `Basic ${login}`
        ? undefined
        : { status: 401, body: 'Access denied.\n', type: 'text/plain' };
    }
    const token = headers['x-servicetoken'] ?? headers['x-trackertoken'];
    if (pathname.endsWith('/github_commits') || token === this.token) return undefined;
    const page = '<!DOCTYPE html><html><head><title>Denied</title></head><body>Who are you?<br></body></html>';
    return { status: 401, type: 'text/html', body: page };
  }

  private file(id: number): Reply {
    const file = this.routes.stories.map(({ files }) => files.get(id)).find((one) => one !== undefined);
    return file
      ? { status: 200, type: 'application/octet-stream', body: file.bytes }
      : { status: 404, body: message('This address is no longer valid.') };
  }
}

function send(
  response: ServerResponse,
  { status, body, type = 'application/xml; charset=utf-8', headers }: Reply,
): void {
  response.writeHead(status, { ...headers, 'content-type': type, 'content-length': Buffer.byteLength(body) }).end(body);
}

/** The whole body, or nothing when the connection ended or was cut. */
async function bodyOf(request: IncomingMessage, cutAfter: number | undefined): Promise<Buffer | undefined> {
  const { socket } = request;
  const chunks: Buffer[] = [];
  let received = 0;
  try {
    for await (const chunk of request) {
      chunks.push(chunk);
      received += chunk.length;
      if (cutAfter !== undefined && received >= cutAfter) break;
    }
  } catch {
    return undefined;
  }
  if (cutAfter === undefined) return Buffer.concat(chunks);
  socket.destroy();
  return undefined;
}
