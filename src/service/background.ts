import type { ServiceLog } from './serviceLog.ts';

/** Work that no answer waits for; it has an owner so that stopping can wait for it and no failure is lost. */
export class Background {
  private readonly running = new Set<Promise<void>>();
  private readonly log: ServiceLog;

  constructor(log: ServiceLog) {
    this.log = log;
  }

  run(name: string, work: () => Promise<unknown>): void {
    const task = work()
      .then(() => undefined)
      .catch((error: unknown) => this.log({ event: 'error', during: name, message: String(error) }))
      .finally(() => this.running.delete(task));
    this.running.add(task);
  }

  async settled(): Promise<void> {
    while (this.running.size > 0) await Promise.all(this.running);
  }
}
