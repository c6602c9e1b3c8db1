import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

/** When a window is killed: so many milliseconds after it has said a line, or after that much time without it. */
export interface KillPlan {
  readonly line: string;
  readonly delay: number;
  readonly atMost: number;
}

/** A process of its own, which says where it is line by line. */
export class KilledWindow {
  private readonly child: ChildProcess;
  private readonly exited: Promise<unknown[]>;
  private readonly said: string[] = [];
  private listeners: (() => void)[] = [];

  /** `program` is a script, of TypeScript or JavaScript. */
  constructor(program: string, job: unknown) {
    this.child = spawn(process.execPath, [program, JSON.stringify(job)], { stdio: ['ignore', 'pipe', 'inherit'] });
    this.exited = once(this.child, 'exit');
    if (!this.child.stdout) throw new Error('The output is piped.');
    createInterface({ input: this.child.stdout }).on('line', (line) => this.hear(line));
  }

  /** Someone else's word for where this window is, for instance its server's. */
  hear(line: string): void {
    this.said.push(line);
    for (const listener of this.listeners) listener();
  }

  /** Tells how it ended: nothing is left to the process to do, not even to close a file. */
  async killed({ line, delay, atMost }: KillPlan): Promise<NodeJS.Signals | null> {
    await this.hearing('ready');
    await Promise.race([this.hearing(line), sleep(atMost)]);
    if (delay > 0) await sleep(delay);
    this.child.kill('SIGKILL');
    await this.exited;
    return this.child.signalCode;
  }

  /** Its exit code when it ends by itself. */
  async ended(): Promise<number | null> {
    await this.exited;
    return this.child.exitCode;
  }

  private async hearing(line: string): Promise<void> {
    await Promise.race([
      this.exited,
      new Promise<void>((resolve) => {
        const look = () => this.said.includes(line) && resolve();
        this.listeners.push(look);
        look();
      }),
    ]);
  }
}
