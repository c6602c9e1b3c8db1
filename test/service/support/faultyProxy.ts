import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** What becomes of one request on its way; times in milliseconds. */
export type Fault =
  | { readonly kind: 'none' }
  /** Passed on and answered late, or too late for who asked. */
  | { readonly kind: 'late'; readonly before: number; readonly after: number }
  /** Done, and the connection cut instead of an answer. */
  | { readonly kind: 'lost' }
  /** Cut before anyone has read it. */
  | { readonly kind: 'cut' }
  /** The server takes the same request two times, at once. */
  | { readonly kind: 'twice' }
  /** Answered by a gateway, before or after it was done. */
  | { readonly kind: 'gateway'; readonly status: number; readonly isDone: boolean };

interface Passed {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

export interface FaultyProxyNeeds {
  /** Address of the server behind. */
  readonly behind: string;
  /** Asked once for each request, such as `POST /services/v3/source_commits`. */
  readonly fault: (request: string) => Fault;
  /** Told when a request has come, and when the server behind has done it; awaited. */
  readonly onStage?: (stage: 'arrived' | 'done', request: string) => unknown;
  /** Changes what the server behind answered. */
  readonly rewritten?: (text: string, request: string) => string;
}

/** Stands before a good server and does to its answers what networks and gateways do. */
export class FaultyProxy {
  private readonly needs: FaultyProxyNeeds;
  private readonly server = createServer((asked, response) => void this.handle(asked, response));
  private readonly sockets = new Set<Socket>();
  private isCalm = false;

  private constructor(needs: FaultyProxyNeeds) {
    this.needs = needs;
    this.server.on('connection', (socket) => {
      this.sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => this.sockets.delete(socket));
    });
  }

  static async start(needs: FaultyProxyNeeds): Promise<FaultyProxy> {
    const proxy = new FaultyProxy(needs);
    await new Promise<void>((resolve) => proxy.server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** From now on every request is passed on and answered. */
  heal(): void {
    this.isCalm = true;
  }

  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve));
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  private async handle(asked: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on('error', () => undefined);
    const request = `${asked.method} ${asked.url}`;
    const body = await bodyOf(asked);
    // A killed window may have sent the head alone.
    if (body === undefined) return void asked.socket.destroy();
    await this.needs.onStage?.('arrived', request);
    const fault: Fault = this.isCalm ? { kind: 'none' } : this.needs.fault(request);
    const cut = () => void asked.socket.destroy();
    const answer = ({ status, type, text }: Passed) =>
      void response.writeHead(status, { 'content-type': type }).end(this.needs.rewritten?.(text, request) ?? text);
    const pass = async () => {
      const passed = await this.passedOn(asked, body);
      await this.needs.onStage?.('done', request);
      return passed;
    };
    try {
      if (fault.kind === 'cut') return cut();
      if (fault.kind === 'late') await sleep(fault.before);
      if (fault.kind === 'gateway' && !fault.isDone) return answer(gateway(fault.status));
      const [first] = await Promise.all(fault.kind === 'twice' ? [pass(), pass()] : [pass()]);
      if (fault.kind === 'late') await sleep(fault.after);
      if (fault.kind === 'lost') return cut();
      answer(fault.kind === 'gateway' ? gateway(fault.status) : first);
    } catch {
      cut();
    }
  }

  private async passedOn(asked: IncomingMessage, body: string): Promise<Passed> {
    const token = asked.headers['x-servicetoken'];
    const response = await fetch(`${this.needs.behind}${asked.url}`, {
      method: asked.method ?? 'GET',
      headers: { 'X-ServiceToken': String(token), 'Content-Type': 'application/xml' },
      ...(body !== '' && { body }),
    });
    const type = response.headers.get('content-type') ?? 'application/xml';
    return { status: response.status, type, text: await response.text() };
  }
}

function gateway(status: number): Passed {
  return { status, type: 'text/html', text: '<html><h1>Bad Gateway</h1></html>' };
}

async function bodyOf(asked: IncomingMessage): Promise<string | undefined> {
  try {
    const chunks: Buffer[] = [];
    for await (const chunk of asked) chunks.push(chunk);
    return Buffer.concat(chunks).toString();
  } catch {
    return undefined;
  }
}
