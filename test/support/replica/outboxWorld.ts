import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { TrackerError } from '../../../src/core/errors.ts';
import type { Intent } from '../../../src/core/intents/intent.ts';
import { Seeded } from '../measures/seeded.ts';
import { type Fate, OutboxServer } from '../trackers/outboxServer.ts';
import { account, OutboxWindow } from './outboxWindow.ts';
import { SteppedClock } from './steppedClock.ts';

export interface Wish {
  readonly projectId: number;
  readonly intent: Intent;
}

/** What happens next: someone wants things in one of two windows, time passes, a window is killed and opened again. */
export type Step =
  | { readonly kind: 'add'; readonly window: number; readonly projectId: number; readonly intents: readonly Intent[] }
  | { readonly kind: 'pass'; readonly milliseconds: number }
  | { readonly kind: 'kill'; readonly window: number };

/** What the server fails at until it is healed; mostly nothing. */
const BROKEN = ['moveStory', 'updateStory', 'addNote', 'postSourceCommit', '', '', '', ''];
const STUMBLE: Fate = { kind: 'throws', error: new TrackerError('server', 'Oops.', { status: 500 }) };

/** Two windows with one file, whose requests and answers get lost or come late. */
export class OutboxWorld {
  readonly server = new OutboxServer();
  readonly wishes: Wish[] = [];
  private readonly clock = new SteppedClock();
  private readonly chance: Seeded;
  private readonly path: string;
  private readonly windows: OutboxWindow[] = [];

  private constructor(seed: number, path: string) {
    this.chance = new Seeded(seed);
    this.path = path;
    const stumbling = BROKEN[this.chance.below(BROKEN.length)];
    this.server.fate = (method) => (method === stumbling ? STUMBLE : this.fate());
  }

  static async open(seed: number, folder: string): Promise<OutboxWorld> {
    const world = new OutboxWorld(seed, join(await mkdtemp(join(folder, 'world-')), 'replica.sqlite'));
    for (const index of [0, 1]) await world.restart(index);
    return world;
  }

  async take(step: Step): Promise<void> {
    if (step.kind === 'pass') await this.clock.advance(step.milliseconds);
    else if (step.kind === 'kill') await this.restart(step.window);
    else {
      const { projectId, intents } = step;
      await this.windows[step.window]?.outbox.add({ ...account, projectId }, intents);
      this.wishes.push(...intents.map((intent) => ({ projectId, intent })));
    }
  }

  /** From now on all is answered. Resolves when nothing is left to send. */
  async heal(): Promise<void> {
    this.server.fate = () => ({ kind: 'answered' });
    const left = async () => ((await this.windows[0]?.outbox.entries()) ?? []).length;
    for (let minutes = 0; (await left()) > 0; minutes++) {
      if (minutes > 60) throw new Error('Something is never sent.');
      await this.clock.advance(60_000);
    }
  }

  close(): void {
    for (const window of this.windows) window.kill();
  }

  private async restart(index: number): Promise<void> {
    this.windows[index]?.kill();
    const { path, server, clock, chance } = this;
    this.windows[index] = await new OutboxWindow({ path, server, clock, chance }).open();
  }

  private fate(): Fate {
    switch (this.chance.below(9)) {
      case 0:
        return { kind: 'lostBefore' };
      case 1:
        return { kind: 'lostAfter' };
      case 2:
        return { kind: 'late', wait: () => this.clock.wait(this.chance.below(60_000)) };
      case 3:
        return { kind: 'throws', error: new TrackerError('busy', 'Later.', { status: 429, retryAfter: 3000 }) };
      case 4:
        return STUMBLE;
      default:
        return { kind: 'answered' };
    }
  }
}
