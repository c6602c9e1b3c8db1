import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { TrackerError } from '../../core/errors.ts';
import {
  MADE_FILES,
  MADE_FOLDER,
  type MadeFile,
  type OutgoingFiles,
  type ZipEntry,
  type ZipOptions,
} from '../../core/ports/outgoingFiles.ts';
import { isSecretName, type SecretFinding, SecretLines } from '../../core/ports/secretLines.ts';
import type { UploadSource } from '../../core/story/attachment.ts';
import { openContents } from '../http/uploadContents.ts';
import { filesBelow } from './folderFiles.ts';
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

/** Bytes; what is secret in a longer file stands further up, or is not text. */
const LOOKED_AT = 4 * 1024 * 1024;
const MOST_FINDINGS = 20;

/** What looks like a secret in a file, by its name and its beginning; empty for one that cannot be read. */
async function secretsIn(source: UploadSource, signal?: AbortSignal): Promise<readonly SecretFinding[]> {
  const name = source.kind === 'file' ? source.path : source.filename;
  const byName: readonly SecretFinding[] =
    isSecretName(name) || isSecretName(source.filename) ? [{ kind: 'secretFile' }] : [];
  return [...byName, ...(await secretsInContents(source, signal))];
}

async function secretsInContents(source: UploadSource, signal?: AbortSignal): Promise<readonly SecretFinding[]> {
  const contents = await openContents(source).catch(() => undefined);
  const text = new TextLines();
  const found: SecretFinding[] = [];
  let looked = 0;
  try {
    for await (const piece of contents?.pieces() ?? []) {
      if (signal?.aborted) throw new TrackerError('cancelled', 'Cancelled.');
      found.push(...text.take(piece));
      looked += piece.length;
      if (looked >= LOOKED_AT || found.length >= MOST_FINDINGS) break;
    }
    found.push(...text.end());
  } catch (error) {
    if (signal?.aborted) throw error;
  } finally {
    await contents?.close();
  }
  return found.slice(0, MOST_FINDINGS);
}

/** Bytes as lines. Zero bytes are passed over, so that UTF-16, as Windows writes it, reads like UTF-8. */
class TextLines {
  private readonly lines = new SecretLines();
  private rest = '';

  take(piece: Uint8Array): readonly SecretFinding[] {
    const lines = (this.rest + Buffer.from(piece).toString('latin1').replaceAll('\0', '')).split('\n');
    this.rest = lines.pop() ?? '';
    return lines.flatMap((line) => this.lines.take(line));
  }

  end(): readonly SecretFinding[] {
    return this.lines.take(this.rest);
  }
}
