import { setTimeout as wait } from 'node:timers/promises';
import { Pool, type PoolClient, type PoolConfig } from 'pg';
import { FairQueue } from '../../ground/fairQueue.ts';
import { OWN_CALLER, type PoolUse } from '../database.ts';
import { ROOM, type Room, shareOf } from './connectionShare.ts';
import { isCrowded } from './postgresErrors.ts';

/** Milliseconds between two tries to get in where a server has no room for one more connection. */
const PAUSE = 100;
/** Milliseconds after which a server that had no room is asked for one more connection again. */
const GROW_PAUSE = 1_000;

/** What the driver says of who waited too long. */
const TOO_LONG = 'timeout exceeded when trying to connect';

/**
 * Connections of which there are as many as the server lets be, up to `max`: where it has no room for one more, those who ask take
 * turns with the ones there are, and wait for one for so long as connecting may take. No more than `max` ask the driver, which serves them
 * as they came; the others wait here, and the callers have their turns.
 */
export class ConnectionPool {
  private readonly pool: Pool;
  private readonly most: number;
  private max: number;
  private readonly patience: number;
  private crowdedAt = Number.NEGATIVE_INFINITY;
  /** Those who have a connection, or ask the driver for one. */
  private served = 0;
  private readonly waiting = new FairQueue<() => void>();

  constructor(config: PoolConfig & { readonly max: number; readonly connectionTimeoutMillis: number }) {
    this.pool = new Pool(config);
    this.most = config.max;
    this.max = config.max;
    this.patience = config.connectionTimeoutMillis;
    // A connection that breaks is replaced when it is next needed; whoever was using it is told by its query.
    this.pool.on('error', () => undefined);
    this.pool.on('connect', (client) => client.on('error', () => undefined));
  }

  /** Throws what the driver throws. */
  async connect(caller = OWN_CALLER): Promise<PoolClient> {
    if (this.served < this.most) this.served += 1;
    else await this.turnOf(caller);
    try {
      return await this.asked();
    } catch (error) {
      this.serveNext();
      throw error;
    }
  }

  private asked(): Promise<PoolClient> {
    return withConnectionRetries(this.patience, () => {
      const { options, totalCount, idleCount } = this.pool;
      const isFull = idleCount === 0 && totalCount >= (options.max ?? this.max);
      if (isFull && totalCount < this.max && performance.now() - this.crowdedAt > GROW_PAUSE) {
        options.max = totalCount + 1;
      }
      return this.pool.connect().catch((error: unknown) => {
        if (isCrowded(error)) this.shrink();
        throw error;
      });
    });
  }

  /** Gives a connection back; one that is broken is not kept, nor one that is too many by now. */
  release(client: PoolClient, isBroken = false): void {
    this.giveBack(client, isBroken);
    this.serveNext();
  }

  /** Has no more than so many connections from now on, and never more than it was made for. */
  limit(max: number): void {
    this.max = Math.min(max, this.most);
    this.pool.options.max = this.max;
    const { totalCount, idleCount } = this.pool;
    for (let surplus = Math.min(idleCount, totalCount - this.max); surplus > 0; surplus -= 1) {
      this.pool.connect().then(
        (client) => this.giveBack(client),
        () => undefined,
      );
    }
  }

  use(): Omit<PoolUse, 'kind'> {
    const { totalCount, idleCount, waitingCount } = this.pool;
    return { most: this.max, busy: totalCount - idleCount, waiting: this.waiting.size + waitingCount };
  }

  end(): Promise<void> {
    return this.pool.end();
  }

  private giveBack(client: PoolClient, isBroken = false): void {
    client.release(isBroken || this.pool.totalCount > this.max);
  }

  private turnOf(caller: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        this.waiting.remove(caller, begin);
        reject(new Error(TOO_LONG));
      }, this.patience);
      this.waiting.add(caller, begin);
    });
  }

  private serveNext(): void {
    const begin = this.waiting.next();
    if (begin) begin();
    else this.served -= 1;
  }

  private shrink(): void {
    this.crowdedAt = performance.now();
    this.pool.options.max = Math.max(1, Math.min(this.pool.totalCount, this.max));
  }
}

/** Connects, again and again for so many milliseconds where the server has no room. Throws what the last try throws. */
export async function withConnectionRetries<T>(patience: number, connect: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + patience;
  for (;;) {
    try {
      return await connect();
    } catch (error) {
      if (!isCrowded(error) || performance.now() > deadline) throw error;
      await wait(PAUSE * (0.5 + Math.random()));
    }
  }
}

/** Milliseconds between two looks at how many connections there are for how many processes. */
const LOOK_PAUSE = 5_000;

/** Holds pools to the share of this process, so that none of several takes all that a small server has. What comes back ends it. */
export function shareConnections(readers: ConnectionPool, writers: ConnectionPool): () => void {
  const look = async (): Promise<void> => {
    const client = await readers.connect();
    try {
      const { rows } = await client.query<Room>(ROOM);
      const [room] = rows;
      if (!room) return;
      const share = shareOf(room);
      readers.limit(share.readers);
      writers.limit(share.writers);
    } finally {
      readers.release(client);
    }
  };
  const lookNow = (): void => void look().catch(() => undefined); // A server that is away has no room to share.
  const timer = setInterval(lookNow, LOOK_PAUSE).unref();
  lookNow();
  return () => clearInterval(timer);
}
