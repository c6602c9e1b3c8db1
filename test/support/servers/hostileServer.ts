import { type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { LocalServer } from './localServer.ts';

/** What the good server behind would have answered. */
export interface GoodAnswer {
  readonly status: number;
  readonly type: string;
  readonly body: Buffer;
}

export interface HostileExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly socket: Socket;
  readonly good: GoodAnswer;
  /** A server that must never be asked anything. */
  readonly elsewhere: string;
}

export type Behaviour = (exchange: HostileExchange) => void;

const XML = 'application/xml; charset=utf-8';
const page =
  '<!DOCTYPE html><html><head><title>Sign in</title></head><body><form action="/login"></form></body></html>';

const answering =
  (status: number, body: string | Buffer, headers: Readonly<Record<string, string>> = {}): Behaviour =>
  ({ response }) =>
    void response.writeHead(status, { 'content-type': XML, ...headers }).end(body);

/** Bytes on the wire that Node.js would not write. */
const raw =
  (head: string, body: (good: GoodAnswer) => string | Buffer = ({ body: good }) => good, ends = true): Behaviour =>
  ({ socket, good }) => {
    socket.write(`${head.replaceAll('\n', '\r\n').replace('LENGTH', String(good.body.length))}\r\n\r\n`);
    socket.write(body(good));
    if (ends) socket.end();
  };

const redirecting =
  (location: (elsewhere: string, request: IncomingMessage) => string, status = 302): Behaviour =>
  ({ response, elsewhere, request: asked }) =>
    void response.writeHead(status, { location: location(elsewhere, asked) }).end();

/** Writes for ever, as fast as it is read. */
const endless =
  (start: string, more: string): Behaviour =>
  ({ response }) => {
    response.writeHead(200, { 'content-type': XML }).write(start);
    const piece = more.repeat(Math.ceil(65_536 / more.length));
    const write = (): void => {
      let isTaken = true;
      while (isTaken && !response.destroyed) isTaken = response.write(piece);
      if (!response.destroyed) response.once('drain', write);
    };
    write();
  };

const dripping: Behaviour = ({ response }) => {
  response.writeHead(200, { 'content-type': XML });
  const timer = setInterval(() => response.write(' '), 20);
  response.on('close', () => clearInterval(timer));
};

const tokenOf = ({ headers }: IncomingMessage) => String(headers['x-servicetoken'] ?? headers['x-trackertoken']);

const laughs = `<!DOCTYPE lol [<!ENTITY a "lol">${'bcdefghij'
  .split('')
  .map((name, index) => `<!ENTITY ${name} "${`&${'abcdefghi'[index]};`.repeat(10)}">`)
  .join('')}]>`;

/** What a broken or malicious server may do instead of answering, by name. None of it is an answer. */
export const behaviours = {
  'sends on to another origin': redirecting((elsewhere) => `${elsewhere}/steal`),
  'sends on for good to another origin': redirecting((elsewhere) => `${elsewhere}/steal`, 308),
  'sends on to another scheme': redirecting((elsewhere) => elsewhere.replace('http:', 'https:')),
  'sends on to a host that looks alike': redirecting((elsewhere) =>
    elsewhere.replace('127.0.0.1', '127.0.0.1.nip.invalid'),
  ),
  'sends on to a name without end': redirecting(() => `http://${'x'.repeat(8000)}.invalid/`),
  'sends on to a script': redirecting(() => 'javascript:alert(1)'),
  'sends on in circles': redirecting((_, asked) => String(asked.url)),
  'knows the token no more': answering(401, page, { 'content-type': 'text/html' }),
  'repeats the token in its refusal': (exchange) =>
    answering(422, `<errors><error>No ${tokenOf(exchange.request)}!</error></errors>`)(exchange),
  'repeats the token in XML that is none': (exchange) =>
    answering(200, `<story><id>${tokenOf(exchange.request)}</id></story>`)(exchange),
  'repeats the token as root': (exchange) => answering(200, `<${tokenOf(exchange.request)}/>`)(exchange),
  'refuses at great length': answering(422, `<errors><error>${'No! '.repeat(40_000)}</error></errors>`),
  'refuses in many sentences': answering(422, `<errors>${'<error>No.</error>'.repeat(9000)}</errors>`),
  'refuses with text that turns and rings': answering(
    422,
    '<errors><error>\u202eon\u202c \u0085 &#x9;\u2028no</error></errors>',
  ),
  'refuses with markup': answering(
    422,
    '<errors><error>[Mend](command:workbench.action.quit) &lt;b&gt;$(bug)</error></errors>',
  ),
  'wants patience for a year': answering(429, '', { 'retry-after': '31536000' }),
  'sends a page': answering(200, page, { 'content-type': 'text/html; charset=utf-8' }),
  'sends a page as XML': answering(200, page),
  'sends another document': answering(200, '<rss version="2.0"><channel/></rss>'),
  'sends nothing': answering(200, ''),
  'sends no content': answering(204, ''),
  'says that nothing changed': answering(304, ''),
  'sends JSON': answering(200, '{"stories":[]}', { 'content-type': 'application/json' }),
  'ends in the middle': ({ response, good }) =>
    void response.writeHead(200, { 'content-type': XML }).end(good.body.subarray(0, good.body.length / 2)),
  'breaks off in the middle': ({ response, good }) => {
    response.writeHead(200, { 'content-type': XML, 'content-length': good.body.length });
    response.write(good.body.subarray(0, good.body.length / 2), () => response.destroy());
  },
  'breaks off at once': ({ socket }) => void socket.destroy(),
  'names too short a length': raw(`HTTP/1.1 200 OK\nContent-Type: ${XML}\nContent-Length: 40`),
  'names too great a length': raw(`HTTP/1.1 200 OK\nContent-Type: ${XML}\nContent-Length: 9999999`),
  'names two lengths': raw(`HTTP/1.1 200 OK\nContent-Type: ${XML}\nContent-Length: LENGTH\nContent-Length: 12`),
  'names a length below nothing': raw(`HTTP/1.1 200 OK\nContent-Type: ${XML}\nContent-Length: -1`),
  'names a wrong size of a chunk': raw(
    `HTTP/1.1 200 OK\nContent-Type: ${XML}\nTransfer-Encoding: chunked`,
    ({ body }) => Buffer.concat([Buffer.from('ffffffffffffffff0\r\n'), body]),
  ),
  'names no version of HTTP': raw('FTP/9.9 200 OK'),
  'never ends its head': ({ socket }) => {
    const write = (): void => {
      while (!socket.destroyed && socket.write(`X-More: ${'x'.repeat(8000)}\r\n`));
      if (!socket.destroyed) socket.once('drain', write);
    };
    socket.write('HTTP/1.1 200 OK\r\n');
    write();
  },
  'never ends a list': endless('<stories type="array">', `<story><id>1</id><name>${'x'.repeat(9000)}</name></story>`),
  'never ends a text': endless('<stories type="array"><story><name>', 'x'),
  'never ends a tag': endless('<stories ', 'x'),
  'never ends a comment': endless('<stories><!-- ', 'x'),
  'never ends a refusal': ({ response }) => {
    response.writeHead(422, { 'content-type': XML });
    const write = (): void => {
      while (!response.destroyed && response.write('x'.repeat(65_536)));
      if (!response.destroyed) response.once('drain', write);
    };
    write();
  },
  'sends a bomb of entities': answering(
    200,
    `<?xml version="1.0"?>${laughs}<stories><story><name>&j;</name></story></stories>`,
  ),
  'names an entity elsewhere': ({ response, elsewhere }) =>
    void response
      .writeHead(200, { 'content-type': XML })
      .end(`<!DOCTYPE s [<!ENTITY x SYSTEM "${elsewhere}/x">]><stories><story><name>&x;</name></story></stories>`),
  'nests without end': answering(200, '<a>'.repeat(100_000)),
  'has attributes without end': answering(
    200,
    `<stories ${Array.from({ length: 9000 }, (_, at) => `a${at}="1"`).join(' ')}/>`,
  ),
  'sends more after the end': ({ response, good }) =>
    void response.writeHead(200, { 'content-type': XML }).end(Buffer.concat([good.body, good.body])),
  'sends bytes of no text': answering(200, Buffer.from([0x3c, 0x61, 0x3e, 0xff, 0xfe, 0x00, 0xc0, 0x80])),
  'sends another encoding': answering(200, Buffer.from('\ufeff<stories/>', 'utf16le')),
  'sends compressed data unasked': ({ response, good }) =>
    void response.writeHead(200, { 'content-type': XML, 'content-encoding': 'gzip' }).end(gzipSync(good.body)),
  'sends a bomb of compressed data': answering(200, gzipSync(Buffer.alloc(80 * 1024 * 1024, ' ')), {
    'content-encoding': 'gzip',
  }),
  'sends compressed data that is none': answering(200, 'nothing of the kind', { 'content-encoding': 'gzip' }),
  'is silent': () => undefined,
  'is silent in the middle': ({ response, good }) =>
    void response.writeHead(200, { 'content-type': XML }).write(good.body.subarray(0, good.body.length / 2)),
  drips: dripping,
  fails: answering(500, '<html>java.lang.NullPointerException</html>', { 'content-type': 'text/html' }),
} satisfies Readonly<Record<string, Behaviour>>;

export type BehaviourName = keyof typeof behaviours;

/** Passes requests on to a good server, but for those that match while someone wants it otherwise. */
export class HostileServer {
  private readonly server = new LocalServer((asked, response) => void this.handle(asked, response));
  private readonly good: string;
  private readonly elsewhere: string;
  private hostility: { readonly pattern: RegExp; readonly behaviour: Behaviour } | undefined;
  /** How many requests were answered badly. */
  struck = 0;

  private constructor(good: string, elsewhere: string) {
    this.good = good;
    this.elsewhere = elsewhere;
    this.server.cutBadRequests();
  }

  /** `good` and `elsewhere` are addresses of servers. */
  static async start(good: string, elsewhere: string): Promise<HostileServer> {
    const made = new HostileServer(good, elsewhere);
    await made.server.start();
    return made;
  }

  get url(): string {
    return this.server.url;
  }

  /** Over connections that are closed. */
  get bytesWritten(): number {
    return this.server.bytesWritten;
  }

  /** From now on requests such as `GET /services/v3/projects` that match are answered so. */
  strike(pattern: RegExp, behaviour: Behaviour): void {
    this.hostility = { pattern, behaviour };
    this.struck = 0;
  }

  relent(): void {
    this.hostility = undefined;
  }

  stop(): Promise<void> {
    return this.server.stop();
  }

  private async handle(asked: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on('error', () => undefined);
    const good = await this.passedOn(asked).catch(() => undefined);
    const { hostility } = this;
    if (!good) return void asked.socket.destroy();
    if (!hostility?.pattern.test(`${asked.method} ${asked.url}`)) {
      return void response.writeHead(good.status, { 'content-type': good.type }).end(good.body);
    }
    this.struck++;
    hostility.behaviour({ request: asked, response, socket: asked.socket, good, elsewhere: this.elsewhere });
  }

  private passedOn(asked: IncomingMessage): Promise<GoodAnswer> {
    return new Promise((resolve, reject) => {
      const headers = { ...asked.headers, host: new URL(this.good).host, connection: 'close' };
      const passing = request(`${this.good}${asked.url}`, { method: asked.method ?? 'GET', headers }, (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', reject);
        answer.on('end', () =>
          resolve({
            status: answer.statusCode ?? 0,
            type: answer.headers['content-type'] ?? XML,
            body: Buffer.concat(chunks),
          }),
        );
      });
      passing.on('error', reject);
      asked.on('error', reject).pipe(passing);
    });
  }
}
