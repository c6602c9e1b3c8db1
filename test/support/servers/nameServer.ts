import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';

/** A name server of a test, over UDP. It keeps silent on names that end in `.silent.test`; those not in its records are unknown to it. */
export class NameServer {
  /** All names it was asked for, in order, once for each family. */
  readonly asked: string[] = [];
  private readonly socket: Socket;
  private readonly unanswered: (() => void)[] = [];
  private readonly records: Readonly<Record<string, readonly string[]>>;

  private constructor(socket: Socket, records: Readonly<Record<string, readonly string[]>>) {
    this.socket = socket;
    this.records = records;
    socket.on('message', (query, from) => {
      const { name, reply } = this.replyTo(query);
      const answer = (): void => socket.send(reply, from.port, from.address);
      if (name.endsWith('.silent.test')) this.unanswered.push(answer);
      else answer();
    });
  }

  /** `records` has IPv4 addresses by name. */
  static async start(records: Readonly<Record<string, readonly string[]>> = {}): Promise<NameServer> {
    const socket = createSocket('udp4').bind(0, '127.0.0.1');
    await once(socket, 'listening');
    return new NameServer(socket, records);
  }

  get address(): string {
    return `127.0.0.1:${this.socket.address().port}`;
  }

  /** Answers all on which it kept silent. */
  speak(): void {
    for (const answer of this.unanswered.splice(0)) answer();
  }

  async close(): Promise<void> {
    this.socket.close();
    await once(this.socket, 'close');
  }

  private replyTo(query: Buffer): { readonly name: string; readonly reply: Buffer } {
    const { name, end } = nameIn(query);
    const known = this.records[name];
    this.asked.push(name);
    const code = name.endsWith('.failing.test') ? SERVER_FAILURE : known ? FOUND : NO_SUCH_NAME;
    const isIpv4 = query.readUInt16BE(end) === IPV4;
    return { name, reply: message(query, end + 4, code, (isIpv4 && known) || []) };
  }
}

/** What an answer says (RFC 1035, 4.1.1). */
const [FOUND, SERVER_FAILURE, NO_SUCH_NAME] = [0, 2, 3];
/** Type of a record with an IPv4 address. */
const IPV4 = 1;

/** The name of the only question in a query, which begins after 12 bytes, and where it ends. */
function nameIn(query: Buffer): { readonly name: string; readonly end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 };
}

/** Repeats the question, which ends at `end`, and has an address record for each address. */
function message(query: Buffer, end: number, code: number, addresses: readonly string[]): Buffer {
  const head = Buffer.alloc(12);
  query.copy(head, 0, 0, 2);
  head.writeUInt16BE(0x8180 | code, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(addresses.length, 6);
  const records = addresses.map((address) =>
    Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, ...address.split('.').map(Number)]),
  );
  return Buffer.concat([head, query.subarray(12, end), ...records]);
}
