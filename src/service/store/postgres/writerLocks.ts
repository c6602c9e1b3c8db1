import { Client, type ClientConfig } from 'pg';

/** Held by whoever may write: together with others, or alone by one process that then knows of each change. Any number that nobody else uses. */
const WRITERS = 7_120_531_965;
/** Held by each change until it ends, together with others. */
const CHANGES = 7_120_531_966;
/** Milliseconds of silence after which the server lets go of what a process holds. */
const SILENCE = 3_000;
const NEVER = 0;
/** The first version that ends silent sessions. */
const OLDEST_SERVER = 140_000;

/**
 * What each change of a process begins with. `own` is a lock of its own, which it holds while it holds the one on writers alone: whether
 * it does is found out by the server when the change begins there, since it may have been long under way.
 */
export function lockOfChange(own: number): string {
  const others = `case when pg_try_advisory_xact_lock_shared(${own}) then pg_advisory_xact_lock_shared(${WRITERS}) end`;
  return `select pg_advisory_xact_lock_shared(${CHANGES}), ${others}`;
}

const HOLD = 'select pg_advisory_lock_shared($1::bigint)';
const TRY = 'select pg_try_advisory_lock($1::bigint) as found';
const LET_GO = 'select pg_advisory_unlock($1::bigint)';
const LET_GO_SHARED = 'select pg_advisory_unlock_shared($1::bigint)';
const SHARE =
  'select pg_advisory_unlock($2::bigint), pg_advisory_lock_shared($1::bigint), pg_advisory_unlock($1::bigint)';
const IS_FREE = `select case when pg_try_advisory_lock($1::bigint) then pg_advisory_unlock($1::bigint)
  else false end as found`;
const IS_NEWER = `select current_setting('server_version_num')::int >= $1::int as found`;
const END_AFTER = `select set_config('idle_session_timeout', $1, false)`;
const LOOK = `select pg_current_snapshot()::text as snapshot, exists (
  select from pg_locks where locktype = 'advisory' and objsubid = 1 and not granted
  and database = (select oid from pg_database where datname = current_database())
  and (classid::bigint << 32) + objid::bigint = $1::bigint) as "isAwaited"`;

/** What the holder of a lock has to look at all the time. */
export interface Look {
  /** Whether another session waits for the lock. */
  readonly isAwaited: boolean;
  /** What is visible now, in PostgreSQL's words. */
  readonly snapshot: string;
}

/** The session of a process that holds its locks; they end with it. All methods throw what the driver throws. */
export class WriterLocks {
  private readonly client: Client;
  private readonly own: number;

  private constructor(client: Client, own: number) {
    this.client = client;
    this.own = own;
  }

  /** Waits until no process holds the lock on writers alone. `lost` is called when the session ends by itself. */
  static async join(config: ClientConfig, own: number, lost: () => void): Promise<WriterLocks> {
    const client = new Client(config);
    client.on('error', lost).on('end', lost);
    try {
      await client.connect();
      await client.query(HOLD, [WRITERS]);
      return new WriterLocks(client, own);
    } catch (error) {
      client.end().catch(() => undefined);
      throw error;
    }
  }

  /** Whether the server can end the session of a process that says nothing any more; without that nobody may hold a lock alone. */
  canEndSilence(): Promise<boolean> {
    return this.found(IS_NEWER, OLDEST_SERVER);
  }

  /** Whether the lock on writers is held alone now, which it is when no other process holds it. */
  async holdAlone(): Promise<boolean> {
    await this.endAfter(SILENCE);
    if (await this.found(TRY, WRITERS)) {
      if (await this.found(TRY, this.own)) {
        await this.client.query(LET_GO_SHARED, [WRITERS]);
        return true;
      }
      // A change of this process waits just now.
      await this.client.query(LET_GO, [WRITERS]);
    }
    await this.endAfter(NEVER);
    return false;
  }

  async share(): Promise<void> {
    await this.client.query(SHARE, [WRITERS, this.own]);
    await this.endAfter(NEVER);
  }

  /** Whether no change is under way at one moment of the asking. */
  isQuiet(): Promise<boolean> {
    return this.found(IS_FREE, CHANGES);
  }

  async look(): Promise<Look> {
    const { rows } = await this.client.query(LOOK, [WRITERS]);
    return { snapshot: String(rows[0]?.snapshot), isAwaited: rows[0]?.isAwaited === true };
  }

  async end(): Promise<void> {
    await this.client.end();
  }

  private async endAfter(silence: number): Promise<void> {
    await this.client.query(END_AFTER, [String(silence)]);
  }

  private async found(query: string, value: number): Promise<boolean> {
    const { rows } = await this.client.query(query, [value]);
    return rows[0]?.found === true;
  }
}
