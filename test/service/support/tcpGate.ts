import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

interface Target {
  readonly host: string;
  readonly port: number;
}

/** A way to a server that can be shut: connections are cut, and new ones refused, until it opens again. */
export class TcpGate {
  readonly port: number;
  private readonly server: Server;
  private readonly sockets = new Set<Socket>();
  private target: Target = { host: '127.0.0.1', port: 0 };
  private isOpen = true;
  private last: readonly string[] = [];
  private holdAt: string | undefined;
  private wrongAt: string | undefined;

  private constructor(server: Server, port: number) {
    this.server = server;
    this.port = port;
  }

  static async before(target: Target): Promise<TcpGate> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port }: AddressInfo = Object(server.address());
    const gate = new TcpGate(server, port);
    gate.target = target;
    server.on('connection', (near) => gate.pass(near, connect(gate.target.port, gate.target.host)));
    return gate;
  }

  /** Where connections lead from now on. */
  leadTo(target: Target): void {
    this.target = target;
  }

  shut(): void {
    this.isOpen = false;
    for (const socket of this.sockets) socket.destroy();
  }

  open(): void {
    this.isOpen = true;
    this.last = [];
  }

  /** Lets nothing through any more, without a word to either side. */
  hold(): void {
    for (const socket of this.sockets) socket.unpipe().pause();
  }

  /** Holds once this was said; it reaches the server, what it answers does not come. */
  holdAfter(text: string): void {
    this.holdAt = text;
  }

  /** Shuts when a connection has said these things, one after the other: they reach the server, what it answers is lost. */
  shutAfter(...texts: readonly string[]): void {
    this.last = texts;
  }

  /** Changes the first letter of this when it is said for the next time, so that the server cannot make sense of it. */
  garble(text: string): void {
    this.wrongAt = text;
  }

  async close(): Promise<void> {
    this.shut();
    const closed = once(this.server, 'close');
    this.server.close();
    await closed;
  }

  private pass(near: Socket, far: Socket): void {
    for (const socket of [near, far]) {
      this.sockets.add(socket);
      socket
        .on('error', () => undefined)
        .on('close', () => {
          this.sockets.delete(socket);
          near.destroy();
          if (!far.writableEnded) far.destroy();
        });
    }
    if (!this.isOpen) this.shut();
    near.on('data', (chunk: Buffer) => {
      const at = this.wrongAt === undefined ? -1 : chunk.indexOf(this.wrongAt);
      if (at < 0) return;
      chunk.write('X', at);
      this.wrongAt = undefined;
    });
    near.pipe(far).pipe(near);
    let said = 0;
    near.on('data', (chunk) => {
      if (this.holdAt !== undefined && chunk.includes(this.holdAt)) {
        this.holdAt = undefined;
        this.hold();
      }
      const saidBefore = said;
      for (let from = 0; ; said += 1) {
        const awaited = this.last[said];
        const at = awaited === undefined ? -1 : chunk.indexOf(awaited, from);
        if (awaited === undefined || at < 0) break;
        from = at + awaited.length;
      }
      if (said === saidBefore || said < this.last.length) return;
      this.isOpen = false;
      far.unpipe(near).resume().end();
      near.destroy();
    });
  }
}
