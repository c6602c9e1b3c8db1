import { randomInt } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { ClientConfig } from 'pg';
import { type Look, lockOfChange, WriterLocks } from './writerLocks.ts';

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
