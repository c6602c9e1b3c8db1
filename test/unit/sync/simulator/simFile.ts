import type { DatabaseSync } from 'node:sqlite';
import { ReplicaFile } from '../../../../src/sync/file/replicaFile.ts';

/** What the code of a killed process would have gone on with; nothing it does from here on has an effect. */
export class Killed extends Error {
  override readonly name = 'Killed';
}

export interface Process {
  readonly isDead: boolean;
  kill(why: string): void;
  /** Resolves after a moment of its own, never in a killed process. */
  pause(): Promise<void>;
  /** Drawn for each transaction: whether the process dies in it, before it is committed or right after. */
  deathInChange(): 'before' | 'after' | undefined;
}

type Use<T> = (database: DatabaseSync) => T;

/** The shared file as one simulated process has it: every access may let others go first, or be the last thing it does. */
export class SimFile extends ReplicaFile {
  private readonly process: Process;
  /** Whether it was used. */
  isOpen = false;

  constructor(options: ConstructorParameters<typeof ReplicaFile>[0], process: Process) {
    super(options);
    this.process = process;
  }

  override async ready(): Promise<void> {
    await super.ready();
    this.isOpen = true;
    await this.process.pause();
  }

  override run<T>(use: (database: DatabaseSync) => T): T {
    if (this.process.isDead) throw new Killed();
    return super.run(use);
  }

  override change<T>(use: (database: DatabaseSync) => T): T {
    return this.perhapsTheLast(use, (all) => super.change(all));
  }

  override changeDurably<T>(use: (database: DatabaseSync) => T): T {
    return this.perhapsTheLast(use, (all) => super.changeDurably(all));
  }

  private perhapsTheLast<T>(use: Use<T>, change: (use: Use<T>) => T): T {
    if (this.process.isDead) throw new Killed();
    const death = this.process.deathInChange();
    if (!death) return change(use);
    try {
      change((database) => {
        const value = use(database);
        if (death === 'before') throw new Killed();
        return value;
      });
    } finally {
      this.process.kill(`${death} a commit`);
    }
    throw new Killed();
  }
}
