import { type FileHandle, open } from 'node:fs/promises';
import { extname } from 'node:path';
import { Zip, ZipDeflate, ZipPassThrough } from 'fflate';
import { TrackerError } from '../../core/errors.ts';
import { ZIP_LIMIT, type ZipEntry, type ZipOptions } from '../../core/ports/outgoingFiles.ts';
import { openContents } from '../http/uploadContents.ts';

/** What is packed already would only cost time. */
const PACKED =
  /^\.(?:zip|gz|tgz|bz2|xz|zst|7z|rar|jar|png|jpe?g|gif|webp|avif|mp[34]|m4a|mov|webm|ogg|pdf|docx|xlsx|pptx|woff2?)$/i;
const LEVEL = 6;

/**
 * Packs the files into a new archive at `path`, piece by piece.
 * @throws TrackerError `input` for what cannot be read or is too much for the plain ZIP format, `cancelled`.
 */
export async function writeZip(path: string, entries: readonly ZipEntry[], options: ZipOptions = {}): Promise<number> {
  refuseTooMuch(entries);
  const file = await open(path, 'wx', 0o600);
  try {
    const archive = new Archive(file);
    let done = 0;
    for (const { source } of entries) {
      const put = archive.begin(archiveName(source.filename));
      const contents = await openContents(source);
      try {
        for await (const piece of contents.pieces()) {
          if (options.signal?.aborted) throw new TrackerError('cancelled', 'Cancelled.');
          await put(piece, false);
          done += piece.length;
          options.onProgress?.(done);
        }
      } finally {
        await contents.close();
      }
      await put(new Uint8Array(0), true);
    }
    return await archive.end();
  } finally {
    await file.close();
  }
}

function refuseTooMuch(entries: readonly ZipEntry[]): void {
  const bytes = entries.reduce((sum, { size }) => sum + size, 0);
  if (bytes <= ZIP_LIMIT.bytes && entries.length <= ZIP_LIMIT.files) return;
  throw new TrackerError('input', 'This is too much for one .zip file.');
}

/** What is packed goes to the file before more is taken, so that memory stays flat. */
class Archive {
  private readonly file: FileHandle;
  private readonly zip: Zip;
  private ready: Uint8Array[] = [];
  private failure: Error | undefined;
  private size = 0;

  constructor(file: FileHandle) {
    this.file = file;
    this.zip = new Zip((error, data) => {
      if (error) this.failure ??= error;
      else this.ready.push(data);
    });
  }

  begin(name: string): (piece: Uint8Array, isLast: boolean) => Promise<void> {
    const entry = PACKED.test(extname(name)) ? new ZipPassThrough(name) : new ZipDeflate(name, { level: LEVEL });
    this.zip.add(entry);
    return async (piece, isLast) => {
      // The piece is good only now, and what is passed through is written later.
      entry.push(Uint8Array.from(piece), isLast);
      await this.write();
    };
  }

  async end(): Promise<number> {
    this.zip.end();
    await this.write();
    return this.size;
  }

  private async write(): Promise<void> {
    if (this.failure) throw this.failure;
    const { ready } = this;
    this.ready = [];
    for (const bytes of ready) {
      await this.file.appendFile(bytes);
      this.size += bytes.length;
    }
  }
}

/**
 * A file's name as archives may have it: below the folder in which they are unpacked, on every system. A backslash would part
 * names on Windows, a letter with a colon would be a drive.
 */
function archiveName(name: string): string {
  const parts = name.replaceAll('\\', '_').split('/');
  const below = parts.filter((part) => part !== '' && part !== '.' && part !== '..');
  return below.join('/').replace(/^([a-z]):/i, '$1_') || '_';
}
