import type { Log } from '../../core/log.ts';

/** A warning or an error as it was logged. */
export interface LoggedProblem {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly level: 'warning' | 'error';
  readonly logged: string | Error;
}

const MOST = 50;
/** A longer text is the fault of a server or a program. */
const LONGEST = 1000;

/** The log, which remembers its latest warnings and errors for *Copy Diagnostics*. */
export class RememberingLog implements Log {
  private readonly log: Log;
  private readonly latest: LoggedProblem[] = [];

  constructor(log: Log) {
    this.log = log;
  }

  /** The oldest first. */
  get problems(): readonly LoggedProblem[] {
    return this.latest;
  }

  debug(message: string): void {
    this.log.debug(message);
  }

  info(message: string): void {
    this.log.info(message);
  }

  warn(message: string): void {
    this.remember('warning', message);
    this.log.warn(message);
  }

  error(message: string | Error): void {
    this.remember('error', message);
    this.log.error(message);
  }

  private remember(level: LoggedProblem['level'], message: string | Error): void {
    const logged = typeof message === 'string' ? message.slice(0, LONGEST) : message;
    this.latest.push({ at: Date.now(), level, logged });
    if (this.latest.length > MOST) this.latest.shift();
  }
}
