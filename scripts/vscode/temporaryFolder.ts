import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface TemporaryFolder {
  /** Absolute, with no symbolic link in it. */
  readonly path: string;
  remove(): Promise<void>;
}

/** A folder of its own whose name says what it is for; it is removed at the latest when this process ends. */
export function temporaryFolder(purpose: string): TemporaryFolder {
  const path = realpathSync(mkdtempSync(join(tmpdir(), `story-tracker-${purpose}-`)));
  const options = { recursive: true, force: true, maxRetries: 5 };
  const removeNow = () => rmSync(path, options);
  process.once('exit', removeNow);
  return {
    path,
    remove: async () => {
      process.off('exit', removeNow);
      await rm(path, options);
    },
  };
}
