import { rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { constants } from 'node:os';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Does work that makes a file or folder under a name it does not keep; nothing is left there, also when a signal ends the process. */
export async function whilePartial<T>(partial: string, work: () => Promise<T>): Promise<T> {
  const abandon = (signal: (typeof SIGNALS)[number]): void => {
    rmSync(partial, { recursive: true, force: true });
    process.exit(128 + constants.signals[signal]);
  };
  for (const signal of SIGNALS) process.once(signal, abandon);
  try {
    return await work();
  } finally {
    for (const signal of SIGNALS) process.off(signal, abandon);
    await rm(partial, { recursive: true, force: true });
  }
}
