import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { textOf } from './request.ts';

/** What a receiver does with a post that it has read. */
export type Behaviour =
  | number
  /** Says nothing. */
  | 'hang'
  /** Ends the connection instead of answering. */
  | 'cut'
  /** Begins an answer and cuts it. */
  | 'cutBody'
  /** Answers with a status and a body that never ends. */
  | { readonly endless: number }
  /** Never ends the head of its answer. */
  | 'endlessHead'
  | { readonly status: number; readonly headers: Readonly<Record<string, string>> }
  /** Whatever a promise says, once it is there. */
  | Promise<number>;

export interface ReceivedPost {
  readonly path: string;
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Someone to whom web hooks are posted. */
export class HookReceiver {
  /** All that came, whatever was answered. */
  readonly posts: ReceivedPost[] = [];
  /** What was answered with 200. */
  readonly taken: ReceivedPost[] = [];
  /** For the next posts, one after the other; then they are answered with 200. */
  readonly plan: Behaviour[] = [];
  private server: Server | undefined;
  private port = 0;

  static async start(): Promise<HookReceiver> {
    const receiver = new HookReceiver();
    await receiver.open();
    return receiver;
  }

  /** Listens, again under the same address when it did so before. */
  async open(): Promise<void> {
    const server = createServer((request, response) => void this.receive(request, response));
    this.server = server.listen(this.port, '127.0.0.1');
    await once(server, 'listening');
    const { port }: AddressInfo = Object(server.address());
    this.port = port;
  }

  /** Is gone: connections to it are refused. */
  async close(): Promise<void> {
    const { server } = this;
    if (!server?.listening) return;
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  }

  url(path = '/hook', host = '127.0.0.1'): string {
    return `http://${host}:${this.port}${path}`;
  }

  /** Names of the stories whose making was taken, in the order in which that came. */
  get names(): readonly string[] {
    return this.taken.map(({ body }) => textOf({ text: body }, 'name'));
  }

  private async receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on('error', () => undefined);
    const { url: path = '', method = '', headers } = request;
    const body = await text(request).catch(() => '');
    const post = { path, method, headers, body };
    this.posts.push(post);
    await this.behave(this.plan.shift() ?? 200, post, response);
  }

  private async behave(planned: Behaviour, post: ReceivedPost, response: ServerResponse): Promise<void> {
    const behaviour = await planned;
    if (behaviour === 'hang') return;
    if (behaviour === 'cut') return void response.destroy();
    if (behaviour === 'endlessHead') return drip(response, (socket) => socket.write('X-More: more\r\n'));
    if (behaviour === 'cutBody') {
      response.writeHead(500, { 'Content-Length': 100 }).write('half');
      setTimeout(() => response.destroy(), 20);
    } else if (typeof behaviour === 'number') {
      if (behaviour === 200) this.taken.push(post);
      response.writeHead(behaviour, { 'Content-Type': 'text/plain' }).end('an answer');
    } else if ('endless' in behaviour) {
      if (behaviour.endless === 200) this.taken.push(post);
      response.writeHead(behaviour.endless);
      drip(response, () => response.write('more and more '));
    } else {
      response.writeHead(behaviour.status, behaviour.headers).end();
    }
  }
}

/** Says something again and again until nobody listens any more. */
function drip(response: ServerResponse, say: (socket: NonNullable<ServerResponse['socket']>) => void): void {
  const { socket } = response;
  if (!socket) return;
  if (!response.headersSent) socket.write('HTTP/1.1 200 OK\r\n');
  const dripping = setInterval(() => say(socket), 10);
  socket.on('close', () => clearInterval(dripping));
}
