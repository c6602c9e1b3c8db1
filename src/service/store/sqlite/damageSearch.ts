import { Worker } from 'node:worker_threads';

/** Runs by itself: it takes as long as reading the whole file does, and SQLite would hold the thread for it. */
const SEARCH = `
const { parentPort, workerData } = require('node:worker_threads');
const { DatabaseSync } = require('node:sqlite');
try {
  const file = new DatabaseSync(workerData, { readOnly: true, timeout: 1000 });
  parentPort.postMessage({ found: Object.values(file.prepare('pragma quick_check(1)').get() ?? {})[0] });
  file.close();
} catch (error) {
  parentPort.postMessage({ message: error.message, code: error.errcode });
}`;

const DAMAGED = [11, 26];
/** What SQLite finds fault with though all pages are whole: values that it would not take today. */
const WRONG_VALUE = /^(?:NULL|NUMERIC|TEXT) value in |^CHECK constraint/;

/** Looks through a whole SQLite file, beside the thread; `found` is told what is damaged, if anything is. What comes back breaks it off. */
export function searchDamage(file: string, found: (message: string) => void): () => Promise<number> {
  const thread = new Worker(SEARCH, { eval: true, workerData: file });
  thread.on('error', () => undefined);
  thread.on('message', (said: { found?: unknown; message?: unknown; code?: unknown }) => {
    const message = damageIn(said);
    if (message !== undefined) found(message);
  });
  thread.unref();
  return () => thread.terminate();
}

function damageIn({
  found,
  message,
  code,
}: {
  found?: unknown;
  message?: unknown;
  code?: unknown;
}): string | undefined {
  if (typeof code === 'number') return DAMAGED.includes(code & 0xff) ? String(message) : undefined;
  return typeof found === 'string' && found !== 'ok' && !WRONG_VALUE.test(found) ? found : undefined;
}

/** Whether SQLite finds a file whole, while the thread is held. */
export function isWholeNow(check: () => unknown): boolean {
  try {
    const found = check();
    return found === 'ok' || WRONG_VALUE.test(String(found));
  } catch {
    return false;
  }
}
