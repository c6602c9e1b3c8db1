import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { type BucketAddress, readBucketAddress } from '../../../src/service/attachments/bucketAddress.ts';
import { BUCKET_KEYS, type BucketStore } from './bucketStore.ts';

/** What may be wrong with the answer to a request; whoever gives nothing leaves it right. */
export type Fault = (request: IncomingMessage, response: ServerResponse) => 'faulty' | undefined;

/** In front of a store for buckets: passes on what is asked, but for what a fault does. */
export class FaultyStore {
  fault: Fault = () => undefined;
  /** Methods of the requests that came. */
  readonly asked: string[] = [];
  private readonly server: Server;
  private readonly store: BucketStore;

  private constructor(store: BucketStore) {
    this.store = store;
    this.server = createServer((request, response) => this.answer(request, response));
  }

  static async start(store: BucketStore): Promise<FaultyStore> {
    const faulty = new FaultyStore(store);
    await new Promise<void>((resolve) => faulty.server.listen(0, '127.0.0.1', resolve));
    return faulty;
  }

  get address(): BucketAddress {
    const { port } = this.server.address() as AddressInfo;
    return readBucketAddress(`s3://tracker-files/team?endpoint=http://127.0.0.1:${port}`, BUCKET_KEYS);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private answer(request: IncomingMessage, response: ServerResponse): void {
    this.asked.push(request.method ?? '');
    if (this.fault(request, response) === 'faulty') return;
    const { origin } = new URL(this.store.address.endpoint);
    const { method = 'GET', url = '/', headers } = request;
    const passed = httpRequest(origin + url, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    passed.on('error', () => response.destroy());
    request.pipe(passed);
  }
}
