import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';

interface SocksSettings {
  /** The port of this machine where each name, with its port, really is: names that no resolver knows. */
  readonly hosts: Readonly<Record<string, number>>;
  /** Nobody gets through without; by SOCKS 5 only. */
  readonly login?: { readonly username: string; readonly password: string };
  /** Takes connections and never says a word. */
  readonly isSilent?: boolean;
}

export interface SocksServer {
  readonly host: string;
  /** Version and target of each request, in order. */
  readonly seen: readonly string[];
  close(): Promise<void>;
}

/** Starts a proxy on this machine that speaks SOCKS 5 (RFC 1928, 1929), 4 and 4a, and looks names up itself. */
export async function startSocks(settings: SocksSettings): Promise<SocksServer> {
  const seen: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    if (!settings.isSilent) serveClient(socket, settings, { seen, sockets }).catch(() => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () =>
    new Promise<void>((resolve) => {
      for (const socket of sockets) socket.destroy();
      server.close(() => resolve());
    });
  return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, seen, close };
}

interface Notes {
  readonly seen: string[];
  readonly sockets: Set<Socket>;
}

async function serveClient(socket: Socket, settings: SocksSettings, { seen, sockets }: Notes): Promise<void> {
  const { byte, bytes, text } = readerOf(socket);
  const version = await byte();
  if (version === 5) {
    const methods = await bytes(await byte());
    const method = settings.login ? 2 : 0;
    if (!methods.includes(method)) return void socket.end(Buffer.from([5, 0xff]));
    socket.write(Buffer.from([5, method]));
    if (settings.login) {
      await byte();
      const [username, password] = [(await bytes(await byte())).toString(), (await bytes(await byte())).toString()];
      const isRight = username === settings.login.username && password === settings.login.password;
      socket.write(Buffer.from([1, isRight ? 0 : 1]));
      if (!isRight) return void socket.end();
    }
    const [, , , kind] = await bytes(4);
    const host = kind === 3 ? (await bytes(await byte())).toString() : [...(await bytes(4))].join('.');
    const target = `${host}:${(await bytes(2)).readUInt16BE()}`;
    seen.push(`5 ${target}`);
    const port = settings.hosts[target];
    // 4 is "host unreachable".
    const answer = (code: number) => Buffer.from([5, code, 0, 1, 0, 0, 0, 0, 0, 0]);
    if (port === undefined) return void socket.end(answer(4));
    return pass(socket, port, answer(0), sockets);
  }
  await byte();
  const port = (await bytes(2)).readUInt16BE();
  const address = await bytes(4);
  await text();
  const isNamed = address[0] === 0 && address[1] === 0 && address[2] === 0 && address[3] !== 0;
  const target = `${isNamed ? await text() : [...address].join('.')}:${port}`;
  seen.push(`4 ${target}`);
  const found = settings.hosts[target];
  const answer = (code: number) => Buffer.from([0, code, 0, 0, 0, 0, 0, 0]);
  if (found === undefined) return void socket.end(answer(0x5b));
  pass(socket, found, answer(0x5a), sockets);
}

function pass(socket: Socket, port: number, answer: Buffer, sockets: Set<Socket>): void {
  const onward = connect(port, '127.0.0.1', () => {
    socket.write(answer);
    socket.pipe(onward).pipe(socket);
  });
  sockets.add(onward.on('error', () => socket.destroy()));
}

/** Reads exactly what is asked for, so that whatever follows stays for who comes next. */
function readerOf(socket: Socket) {
  const bytes = async (count: number): Promise<Buffer> => {
    for (;;) {
      const found: Buffer | null = count === 0 ? Buffer.alloc(0) : socket.read(count);
      if (found) return found;
      if (socket.readableEnded || socket.destroyed) throw new Error('The client is gone.');
      await Promise.race([new Promise((resolve) => socket.once('readable', resolve)), setImmediate()]);
    }
  };
  const byte = async () => (await bytes(1)).readUInt8();
  const text = async () => {
    const read: number[] = [];
    for (let next = await byte(); next !== 0; next = await byte()) read.push(next);
    return Buffer.from(read).toString();
  };
  return { byte, bytes, text };
}
