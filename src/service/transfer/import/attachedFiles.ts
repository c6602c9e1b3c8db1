import { randomBytes } from 'node:crypto';
import { mkdir, readdir, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { copyForOwner, syncFolder } from '../wholeFiles.ts';

/** A file that was copied into the data and is not attached to anything yet. */
interface CopiedFile {
  readonly filename: string;
  readonly storedAs: string;
  readonly size: number;
  isUsed: boolean;
}

const NUMBER = /^\d{1,15}$/;

/**
 * The files that come with an import: `FOLDER/12` is the attachment 12 of an XML document, as export writes them, and all in `FOLDER/34/` are
 * attached to story 34, as the closed service gave them out. What a document says is never part of a path.
 */
export class AttachedFiles {
  private readonly byAttachment = new Map<string, CopiedFile>();
  private readonly byStory = new Map<string, CopiedFile[]>();
  private readonly target: string;
  private readonly isTrial: boolean;

  private constructor(target: string, isTrial: boolean) {
    this.target = target;
    this.isTrial = isTrial;
  }

  /** Copies all files of a folder into that of the data before anything names them; a trial only looks at them. */
  static async from(source: string | undefined, target: string, isTrial: boolean): Promise<AttachedFiles> {
    const files = new AttachedFiles(target, isTrial);
    if (source === undefined) return files;
    await mkdir(target, { recursive: true, mode: 0o700 });
    for (const entry of await readdir(source, { withFileTypes: true })) {
      const path = join(source, entry.name);
      if (!NUMBER.test(entry.name)) continue;
      if (entry.isFile()) files.byAttachment.set(entry.name, await files.copied(path, entry.name));
      if (entry.isDirectory()) files.byStory.set(entry.name, await files.copiedFrom(path));
    }
    await syncFolder(target);
    return files;
  }

  /** To be called before each try of an import. */
  forgetUses(): void {
    for (const file of this.all()) file.isUsed = false;
  }

  ofAttachment(id: number): CopiedFile | undefined {
    return this.byAttachment.get(String(id));
  }

  ofStory(externalId: string): readonly CopiedFile[] {
    return this.byStory.get(externalId) ?? [];
  }

  /** Whether the data has a file of this name. */
  async isThere(storedAs: string): Promise<boolean> {
    return (await stat(join(this.target, storedAs)).catch(() => undefined)) !== undefined;
  }

  /** Removes the copies that nothing was attached with; all of them when the import failed. */
  async removeUnused(hasFailed: boolean): Promise<void> {
    if (this.isTrial) return;
    for (const file of this.all()) {
      if (hasFailed || !file.isUsed) await unlink(join(this.target, file.storedAs));
    }
  }

  private all(): readonly CopiedFile[] {
    return [...this.byAttachment.values(), ...[...this.byStory.values()].flat()];
  }

  private async copiedFrom(folder: string): Promise<CopiedFile[]> {
    const files: CopiedFile[] = [];
    for (const entry of (await readdir(folder, { withFileTypes: true })).sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (entry.isFile()) files.push(await this.copied(join(folder, entry.name), entry.name));
    }
    return files;
  }

  private async copied(path: string, filename: string): Promise<CopiedFile> {
    const storedAs = randomBytes(16).toString('hex');
    const { size } = await stat(path);
    if (!this.isTrial) await copyForOwner(path, join(this.target, storedAs));
    return { filename, storedAs, size, isUsed: false };
  }
}
