import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type AttachmentFiles, newStoredName } from '../../attachments/attachmentFiles.ts';
import type { Remarks } from './remarks.ts';

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
  private readonly target: AttachmentFiles;
  private readonly isTrial: boolean;

  private constructor(target: AttachmentFiles, isTrial: boolean) {
    this.target = target;
    this.isTrial = isTrial;
  }

  /** Copies all files of a folder to those of the data before anything names them; a trial only looks at them. */
  static async from(
    source: string | undefined,
    target: AttachmentFiles,
    isTrial: boolean,
    remarks: Remarks,
  ): Promise<AttachedFiles> {
    const files = new AttachedFiles(target, isTrial);
    if (source === undefined) return files;
    for (const entry of await readdir(source, { withFileTypes: true })) {
      const path = join(source, entry.name);
      if (!NUMBER.test(entry.name)) continue;
      if (entry.isSymbolicLink()) remarkLink(remarks, '', entry.name);
      if (entry.isFile()) files.byAttachment.set(entry.name, await files.copied(path, entry.name));
      if (entry.isDirectory()) files.byStory.set(entry.name, await files.copiedFrom(path, remarks));
    }
    await target.sync();
    return files;
  }

  /** Which are used, to be put back when the last step of an import is begun anew. */
  tally(): () => void {
    const before = this.all().map(({ isUsed }) => isUsed);
    return () => {
      for (const [index, file] of this.all().entries()) file.isUsed = before[index] ?? false;
    };
  }

  get hasAny(): boolean {
    return this.byAttachment.size + this.byStory.size > 0;
  }

  ofAttachment(id: number): CopiedFile | undefined {
    return this.byAttachment.get(String(id));
  }

  ofStory(externalId: string): readonly CopiedFile[] {
    return this.byStory.get(externalId) ?? [];
  }

  /** Whether the data has a file of this name. */
  async isThere(storedAs: string): Promise<boolean> {
    return (await this.target.sizeOf(storedAs)) !== undefined;
  }

  /** Removes the copies that nothing was attached with; all of them when the import failed. */
  async removeUnused(hasFailed: boolean): Promise<void> {
    if (this.isTrial) return;
    for (const file of this.all()) {
      if (hasFailed || !file.isUsed) await this.target.remove(file.storedAs);
    }
  }

  private all(): readonly CopiedFile[] {
    return [...this.byAttachment.values(), ...[...this.byStory.values()].flat()];
  }

  private async copiedFrom(folder: string, remarks: Remarks): Promise<CopiedFile[]> {
    const files: CopiedFile[] = [];
    for (const entry of (await readdir(folder, { withFileTypes: true })).sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (entry.isSymbolicLink()) remarkLink(remarks, basename(folder), entry.name);
      if (entry.isFile()) files.push(await this.copied(join(folder, entry.name), entry.name));
    }
    return files;
  }

  private async copied(path: string, filename: string): Promise<CopiedFile> {
    const storedAs = newStoredName();
    const { size } = await stat(path);
    if (!this.isTrial) await this.copy(path, storedAs);
    return { filename, storedAs, size, isUsed: false };
  }

  private async copy(path: string, storedAs: string): Promise<void> {
    const sink = await this.target.create(storedAs);
    try {
      for await (const bytes of createReadStream(path)) await sink.write(bytes);
      await this.target.keep(storedAs, sink);
    } catch (error) {
      await sink.abandon();
      await this.target.abandon(storedAs);
      throw error;
    }
  }
}

function remarkLink(remarks: Remarks, id: string, name: string): void {
  remarks.add({ row: 0, id, column: 'Attachment', value: name, why: 'This is a symbolic link. It was left out.' });
}
