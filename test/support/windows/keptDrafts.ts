import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DraftFiles } from '../../../src/host/story/draftFiles.ts';
import { silentLog } from '../silentLog.ts';

/** The drafts of a machine on which nothing was written yet. */
export class KeptDrafts {
  private at = 0;
  private readonly folder = mkdtempSync(join(tmpdir(), 'story-tracker-drafts-'));
  /** Those of the window that the test is about. */
  readonly drafts = this.ofAnotherWindow();

  /** Everything that is kept. */
  get values(): readonly unknown[] {
    return this.drafts.keys().map((name) => this.drafts.get(name));
  }

  /** As of a window that begins now. */
  ofAnotherWindow(): DraftFiles {
    return new DraftFiles(this.folder, silentLog, () => ++this.at);
  }

  dispose(): void {
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
