import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Intent } from '../../../src/core/intents/intent.ts';
import type { Outcome } from '../../../src/core/outbox/outbox.ts';
import { Seeded } from '../measures/seeded.ts';
import { OutboxServer } from '../trackers/outboxServer.ts';
import { OutboxWindow, project } from './outboxWindow.ts';
import { SteppedClock } from './steppedClock.ts';

/** A machine with the outbox of any number of windows in one file, a server, and a clock for both. */
export class OutboxMachine {
  readonly server = new OutboxServer();
  readonly clock = new SteppedClock();
  readonly folder: string;
  /** Where the outbox is kept. */
  readonly path: string;
  private readonly windows: OutboxWindow[] = [];

  private constructor(folder: string) {
    this.folder = folder;
    this.path = join(folder, 'replica.sqlite');
  }

  static async start(): Promise<OutboxMachine> {
    return new OutboxMachine(await mkdtemp(join(tmpdir(), 'story-tracker-outbox-')));
  }

  /** A window in which nobody is signed in. */
  window(path = this.path): OutboxWindow {
    const { server, clock, windows } = this;
    const window = new OutboxWindow({ path, server, clock, chance: new Seeded(windows.length) });
    windows.push(window);
    return window;
  }

  open(): Promise<OutboxWindow> {
    return this.window().open();
  }

  /** Adds intents in one call and tells what became of each, time passing meanwhile. */
  async submit({ outbox }: OutboxWindow, ...intents: readonly Intent[]): Promise<readonly Outcome[]> {
    const entries = await outbox.add(project, intents);
    return this.inTime(Promise.all(entries.map(({ id }) => outbox.outcome(id))));
  }

  /** Lets time pass until the work is over. */
  async inTime<T>(work: Promise<T>): Promise<T> {
    let isOver = false;
    const watched = work.finally(() => {
      isOver = true;
    });
    watched.catch(() => undefined);
    await this.clock.until(() => isOver);
    return watched;
  }

  killWindows(): void {
    for (const one of this.windows.splice(0)) one.kill();
  }

  async remove(): Promise<void> {
    this.killWindows();
    await rm(this.folder, { recursive: true, force: true });
  }
}
