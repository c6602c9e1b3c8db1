import type { Story } from '../../../src/core/story/story.ts';
import type { Seeded } from '../../support/measures/seeded.ts';
import type { KnownProject } from './knownProject.ts';
import type { ToldOutside } from './toldOutside.ts';
import { type Operation, operations, type Teller, type Writing } from './writeOperations.ts';

/** What the projects hold at a moment when nobody writes, by id. */
export type Held = ReadonlyMap<number, readonly Story[]>;

/** Writes one thing after the other, until it is told to pause or its service is gone. */
export class KillWriter {
  private readonly name: string;
  private readonly chance: Seeded;
  private readonly outside: ToldOutside;
  private readonly onAnswered: () => void;
  private running: Promise<void> = Promise.resolve();
  private isPausing = false;
  private inDoubt: Operation | undefined;
  private made = 0;

  constructor(name: string, chance: Seeded, outside: ToldOutside, onAnswered: () => void) {
    this.name = name;
    this.chance = chance;
    this.outside = outside;
    this.onAnswered = onAnswered;
  }

  start(projects: readonly KnownProject[], user: Teller, others: readonly Teller[]): void {
    this.isPausing = false;
    this.running = this.write(projects, user, others);
    this.running.catch(() => undefined); // Whoever pauses it is told.
  }

  /** Resolves when it has finished what it was doing. Throws what went wrong with that, unless its service was gone. */
  async pause(): Promise<void> {
    this.isPausing = true;
    await this.running;
  }

  /** Learns what became of what it never got an answer to. */
  settle(held: Held): void {
    if (this.inDoubt?.isSeenIn(held)) this.inDoubt.remember();
    this.inDoubt = undefined;
  }

  private async write(projects: readonly KnownProject[], user: Teller, others: readonly Teller[]): Promise<void> {
    while (!this.isPausing) {
      const operation = this.next(projects);
      try {
        await operation.send(user, others);
      } catch (error) {
        if (!isGone(error)) throw error;
        this.inDoubt = operation;
        return;
      }
      operation.remember();
      this.onAnswered();
    }
  }

  private next(projects: readonly KnownProject[]): Operation {
    const project = this.chance.of(projects);
    if (!project) throw new Error('There is no project to write to.');
    this.made += 1;
    const writing: Writing = {
      ...{ project, projects, writer: this.name, chance: this.chance, label: `${this.name}.${this.made}` },
      outside: this.outside,
    };
    const wanted = this.chance.of(operations);
    return wanted?.(writing) ?? operations[0](writing);
  }
}

/** What `fetch` throws when a connection is refused or breaks. */
function isGone(error: unknown): boolean {
  return error instanceof TypeError;
}
