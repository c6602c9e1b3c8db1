import { isToldAlready } from './errors.ts';

/** One thing that happened. Never a token, a query string or a body. */
export interface ServiceEvent {
  readonly event: string;
  readonly [detail: string]: string | number | boolean | undefined;
}

export type ServiceLog = (event: ServiceEvent) => void;

export const silentServiceLog: ServiceLog = () => {};

/** Work that no answer waits for; it has an owner so that stopping can wait for it and no failure is lost. */
export class Background {
  private readonly running = new Set<Promise<void>>();
  private readonly timers = new Set<NodeJS.Timeout>();
  private readonly lastWorks: { readonly name: string; readonly work: () => Promise<unknown> }[] = [];
  private readonly log: ServiceLog;

  constructor(log: ServiceLog) {
    this.log = log;
  }

  run(name: string, work: () => Promise<unknown>): void {
    const task = work()
      .then(() => undefined)
      .catch((error: unknown) => {
        if (!isToldAlready(error)) this.log({ event: 'error', during: name, message: String(error) });
      })
      .finally(() => this.running.delete(task));
    this.running.add(task);
  }

  /** Runs it now, and again each time so many milliseconds have gone by. */
  every(milliseconds: number, name: string, work: () => Promise<unknown>): void {
    this.run(name, work);
    this.timers.add(setInterval(() => this.run(name, work), milliseconds).unref());
  }

  /** Runs it when all else has ended. */
  atEnd(name: string, work: () => Promise<unknown>): void {
    this.lastWorks.push({ name, work });
  }

  /** Begins nothing again by itself, and resolves when all that runs has ended. */
  async end(): Promise<void> {
    for (const timer of this.timers) clearInterval(timer);
    await this.settled();
    for (const { name, work } of this.lastWorks) this.run(name, work);
    await this.settled();
  }

  private async settled(): Promise<void> {
    while (this.running.size > 0) await Promise.all(this.running);
  }
}
