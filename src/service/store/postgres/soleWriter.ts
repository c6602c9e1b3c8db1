import { randomInt } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
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
interface Look {
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

/** Milliseconds. */
export interface Pace {
  /** Between checks for whether another process waits. */
  readonly look: number;
  /** For which a look is believed. */
  readonly trust: number;
  /** Before one tries to be alone; longer than what others believe. */
  readonly rest: number;
}

const STOP_PATIENCE = 1_000;
const USUAL: Pace = { look: 250, trust: 1_000, rest: 3_000 };

/**
 * Whether this process is the only one that writes to a PostgreSQL database, so that it need not ask whether anything changed. All
 * processes take part: each change is made under a shared lock, and who comes waits until the one that is alone has let go.
 */
export class SoleWriter {
  private readonly config: ClientConfig;
  private readonly pace: Pace;
  private readonly stopping = new AbortController();
  private readonly own = randomInt(2 ** 40, 2 ** 47);
  /** What a change must begin with. */
  readonly lock = lockOfChange(this.own);
  /** When the last look was begun that found this process alone: by the clock that nobody sets, and by the one that goes on while a machine sleeps. */
  private looked: { readonly steady: number; readonly wall: number } | undefined;
  private snapshot = '';
  /** Sessions that were begun. A server may count from an earlier state on; it does not while a session lasts. */
  private sessions = 0;
  private changes = 0;
  private isDoubted = false;
  private locks: WriterLocks | undefined;

  private constructor(config: ClientConfig, pace: Pace) {
    this.config = config;
    this.pace = pace;
  }

  /** To be called before anything is written. Throws what the driver throws. */
  static async join(config: ClientConfig, pace = USUAL): Promise<SoleWriter> {
    const writer = new SoleWriter(config, pace);
    await writer.begin();
    void writer.live();
    return writer;
  }

  /** Differs after any change by whatever process; undefined while others may write. What other programs change is seen with the next look. */
  get stamp(): string | undefined {
    const { looked } = this;
    if (looked === undefined) return undefined;
    const isFresh =
      performance.now() - looked.steady < this.pace.trust && Math.abs(Date.now() - looked.wall) < this.pace.trust;
    return isFresh ? `alone ${this.sessions} ${this.snapshot} ${this.changes}` : undefined;
  }

  /** To be told of each change before anyone hears that it was made. */
  noteChange(): void {
    this.changes += 1;
  }

  /** To be told where nobody knows whether a change was made, or will yet be: it is waited for before this process is alone again. */
  doubt(): void {
    this.looked = undefined;
    this.isDoubted = true;
  }

  async stop(): Promise<void> {
    const { locks } = this;
    this.stopping.abort();
    this.forget();
    await Promise.race([locks?.end().catch(() => undefined), wait(STOP_PATIENCE, undefined, { ref: false })]);
  }

  private async live(): Promise<void> {
    while (!this.isStopping) {
      try {
        const locks = this.locks ?? (await this.begin());
        if (!this.isStopping && (await locks.canEndSilence())) await this.stayIn(locks);
      } catch {
        // The session is gone, and with it its locks; changes go on under their own.
        this.locks?.end().catch(() => undefined);
        this.forget();
      }
      await this.pause(this.pace.rest);
    }
  }

  private async begin(): Promise<WriterLocks> {
    let joined: WriterLocks | undefined;
    const lost = (): void => {
      if (joined !== undefined && this.locks === joined) this.forget();
    };
    joined = await WriterLocks.join(this.config, this.own, lost);
    this.sessions += 1;
    if (this.isStopping) await joined.end();
    else this.locks = joined;
    return joined;
  }

  private forget(): void {
    this.looked = undefined;
    this.locks = undefined;
  }

  private async stayIn(locks: WriterLocks): Promise<void> {
    while (!this.isStopping && this.locks === locks) {
      await this.pause(this.pace.rest);
      if (this.isStopping || !(await locks.holdAlone())) continue;
      if (await this.settle(locks)) await this.stayAlone(locks);
      this.looked = undefined;
      if (!this.isStopping) await locks.share();
    }
  }

  /** Waits until no other process believes it is alone, and all that was begun before has ended; false when another process waits. */
  private async settle(locks: WriterLocks): Promise<boolean> {
    const settled = performance.now() + this.pace.rest;
    for (;;) {
      if ((await this.look(locks)) === undefined) return false;
      this.isDoubted = false;
      if (performance.now() >= settled && (await locks.isQuiet())) return true;
      await this.pause(this.pace.look);
    }
  }

  private async stayAlone(locks: WriterLocks): Promise<void> {
    for (;;) {
      const looked = { steady: performance.now(), wall: Date.now() };
      const look = await this.look(locks);
      if (look === undefined || this.isDoubted) return;
      this.snapshot = look.snapshot;
      this.looked = looked;
      await this.pause(this.pace.look);
    }
  }

  /** Undefined when it is time to let go. */
  private async look(locks: WriterLocks): Promise<Look | undefined> {
    const look = await locks.look();
    return look.isAwaited || this.isStopping || this.locks !== locks ? undefined : look;
  }

  private get isStopping(): boolean {
    return this.stopping.signal.aborted;
  }

  private async pause(milliseconds: number): Promise<void> {
    await wait(milliseconds, undefined, { ref: false, signal: this.stopping.signal }).catch(() => undefined);
  }
}
