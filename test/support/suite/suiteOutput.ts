import { closeSync, openSync, writeSync } from 'node:fs';
import { followReport } from './followReport.ts';

/** Where a suite prints to. */
export interface SuiteOutput {
  /** What a program of the suite is given for its output and its errors. */
  readonly stdio: 'inherit' | number;
  print(text: string): void;
}

export const liveOutput: SuiteOutput = {
  stdio: 'inherit',
  print: (text) => {
    process.stdout.write(text);
  },
};

/** Keeps in `file` what a suite prints while another one is printing. */
export class HeldOutput implements SuiteOutput {
  readonly stdio: number;
  private readonly file: string;

  constructor(file: string) {
    this.file = file;
    this.stdio = openSync(file, 'a');
  }

  print(text: string): void {
    writeSync(this.stdio, text);
  }

  /** Prints what was kept, and goes on printing until `ended`. */
  async printUntil(ended: Promise<unknown>): Promise<void> {
    const report = followReport(this.file, liveOutput.print);
    try {
      await ended;
    } finally {
      report.stop();
      closeSync(this.stdio);
    }
  }
}
