import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import {
  MADE_FILES,
  MADE_FOLDER,
  type MadeFile,
  type OutgoingFiles,
  type ZipEntry,
  type ZipOptions,
} from '../../core/ports/outgoingFiles.ts';
import { filesBelow } from './folderFiles.ts';
import { secretsIn } from './secretScan.ts';
import { writeZip } from './zipFile.ts';

/** Looks at files and packs them; what it makes is in temporary folders of its own until it is discarded. */
export class LocalOutgoingFiles implements OutgoingFiles {
  private readonly made = new Set<string>();

  secretsIn(...[source, options]: Parameters<OutgoingFiles['secretsIn']>) {
    return secretsIn(source, options?.signal);
  }

  filesBelow(...[folder, options]: Parameters<OutgoingFiles['filesBelow']>) {
    return filesBelow(folder, options?.signal);
  }

  async zip(entries: readonly ZipEntry[], options: ZipOptions = {}): Promise<MadeFile> {
    const path = join(await mkdtemp(join(tmpdir(), MADE_FOLDER)), MADE_FILES.archive);
    this.made.add(path);
    try {
      return { path, size: await writeZip(path, entries, options) };
    } catch (error) {
      await this.discard(path);
      throw error;
    }
  }

  async discard(path: string): Promise<void> {
    if (this.made.delete(path)) await rm(dirname(path), { recursive: true, force: true });
  }
}
