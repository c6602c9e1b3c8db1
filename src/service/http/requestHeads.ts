import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Sender, TrustedProxies } from './sender.ts';

/** What follows from the headers of a request and the connection that it came over. */
interface Head {
  readonly rawHeaders: readonly string[];
  readonly sender: Sender;
  /** Equal for equal headers; what they are cannot be told from it. Undefined where a body follows. */
  readonly digest: string | undefined;
}

/** Programs send the same headers with every request over a connection, so what follows from them is found out once. */
export class RequestHeads {
  private readonly last = new WeakMap<Socket, Head>();
  private readonly proxies: TrustedProxies;

  constructor(proxies: TrustedProxies) {
    this.proxies = proxies;
  }

  of(request: IncomingMessage): Head {
    const { rawHeaders, socket } = request;
    const known = this.last.get(socket);
    if (known && areEqual(known.rawHeaders, rawHeaders)) return known;
    const sender = this.proxies.senderOf(request);
    const head = { rawHeaders, sender, digest: digestOf(request, sender) };
    this.last.set(socket, head);
    return head;
  }
}

function digestOf({ headers, rawHeaders }: IncomingMessage, { isPrivate }: Sender): string | undefined {
  if (headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined) return undefined;
  return hash('sha256', `${isPrivate}\n${rawHeaders.join('\n')}`, 'base64');
}

function areEqual(some: readonly string[], others: readonly string[]): boolean {
  if (some.length !== others.length) return false;
  for (let index = 0; index < some.length; index += 1) if (some[index] !== others[index]) return false;
  return true;
}
