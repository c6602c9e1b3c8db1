import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** An HTTP server on this machine, whose connections are cut when it is stopped. */
export class LocalServer {
  private readonly server;
  private readonly sockets = new Set<Socket>();
  /** How many connections were ever made. */
  connections = 0;
  /** Of connections that are closed. */
  bytesWritten = 0;
  /** Kept after the server was stopped, to start another in its place. */
  port = 0;

  constructor(listener: RequestListener) {
    this.server = createServer(listener);
    this.server.on('connection', (socket) => {
      this.connections += 1;
      this.sockets.add(socket);
      socket
        .on('error', () => undefined)
        .on('close', () => {
          this.bytesWritten += socket.bytesWritten;
          this.sockets.delete(socket);
        });
    });
  }

  /** From now on a request that is no HTTP is cut off, not told so. */
  cutBadRequests(): void {
    this.server.on('clientError', (_, socket) => void socket.destroy());
  }

  /** Takes any free port unless told one. */
  async start(port = 0): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject).listen(port, '127.0.0.1', resolve);
    });
    this.port = (this.server.address() as AddressInfo).port;
  }

  /** Without a slash at the end. */
  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Ends at once, as when killed. */
  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve));
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }
}
