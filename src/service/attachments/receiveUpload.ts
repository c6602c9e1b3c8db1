import type { IncomingMessage } from 'node:http';
import { lastOfPath } from '../../core/story/attachment.ts';
import { replacedCharacters } from '../../v3/assumptions.ts';
import { badRequest, Refusal, unprocessable } from '../ground/errors.ts';
import type { RequestBody } from '../http/requestBody.ts';
import { type AttachmentFiles, newStoredName } from './attachmentFiles.ts';
import type { FileSink } from './fileSink.ts';
import { MultipartScanner, type PartHead, readPartHead } from './multipartScanner.ts';

/** The form field that holds the file (api-v3.md, endpoint 5). */
const FILE_FIELD = 'Filedata';
const MAX_FIELD_BYTES = 64 * 1024;
const MAX_FORM_BYTES = 256 * 1024;
const MAX_PARTS = 100;
/** Characters; what file systems hold. */
const MAX_NAME = 255;
const PACE = 60_000;
const LEAST_BYTES_PER_PACE = 16 * 1024;

export interface ReceivedFile {
  readonly storedAs: string;
  /** As the sender called it, without the folders that it was in. */
  readonly filename: string;
  readonly size: number;
  readonly description: string;
}

/** A request whose body is an upload, and is read once it is asked for. */
interface UploadRequest {
  readonly request: IncomingMessage;
  readonly body: () => RequestBody;
}

/**
 * Streams an upload to disk and resolves when it is there for good. Leaves nothing when it throws: `Refusal` 400, 413 or
 * 422, or whatever the disk or the connection had.
 */
export async function receiveUpload(
  { request, body }: UploadRequest,
  files: AttachmentFiles,
  limit: number,
): Promise<ReceivedFile> {
  const scanner = new MultipartScanner(boundaryOf(request.headers['content-type'] ?? ''));
  if (Number(request.headers['content-length'] ?? 0) > limit + MAX_FORM_BYTES) throw tooLarge(limit);
  const upload = new Upload(files, limit);
  const pace = requirePace(request, upload);
  try {
    const coming = body();
    for (let bytes = await coming.next(); bytes; bytes = await coming.next()) {
      upload.received += bytes.length;
      if (upload.received > limit + MAX_FORM_BYTES) throw tooLarge(limit);
      for (const event of scanner.push(bytes)) {
        if (event.kind === 'part') await upload.begin(readPartHead(event.head));
        else if (event.kind === 'data') await upload.take(event.bytes);
        else upload.end();
      }
      if (scanner.done) break;
    }
    if (!scanner.done) throw badRequest('The multipart body ends before its last boundary.');
    return await upload.finish();
  } catch (error) {
    await upload.abandon();
    throw error;
  } finally {
    clearInterval(pace);
  }
}

/** Cuts off a sender that only means to keep the connection busy. */
function requirePace(request: IncomingMessage, upload: Upload): NodeJS.Timeout {
  let before = 0;
  return setInterval(() => {
    if (upload.received - before < LEAST_BYTES_PER_PACE) request.destroy(new Error('The upload was too slow.'));
    before = upload.received;
  }, PACE);
}

function boundaryOf(contentType: string): string {
  if (!/^multipart\/form-data\b/i.test(contentType)) {
    throw new Refusal(415, `Send the file as multipart/form-data in the field ${FILE_FIELD}.`);
  }
  const match = /;\s*boundary=(?:"([^"]{1,200})"|([^\s;"]{1,200}))/i.exec(contentType);
  const boundary = match?.[1] ?? match?.[2];
  if (boundary === undefined) throw badRequest('The multipart body has no boundary.');
  return boundary;
}

function tooLarge(limit: number): Refusal {
  return new Refusal(413, `The file is larger than this service accepts (${Math.floor(limit / 1024 / 1024)} MiB).`);
}

class Upload {
  private readonly files: AttachmentFiles;
  private readonly limit: number;
  private readonly storedAs: string;
  private sink: FileSink | undefined;
  private filename = '';
  private part: 'file' | 'description' | 'other' = 'other';
  private description: Buffer | undefined;
  private descriptionLength = 0;
  /** Bytes of the whole body that have come. */
  received = 0;
  private fieldBytes = 0;
  private parts = 0;

  constructor(files: AttachmentFiles, limit: number) {
    this.files = files;
    this.limit = limit;
    this.storedAs = newStoredName();
  }

  async begin({ name, filename: path = '' }: PartHead): Promise<void> {
    this.parts += 1;
    if (this.parts > MAX_PARTS) throw badRequest(`A form can have at most ${MAX_PARTS} parts.`);
    this.part = name === FILE_FIELD ? 'file' : name === 'description' ? 'description' : 'other';
    if (this.part !== 'file') return;
    if (this.sink) throw badRequest(`Send one ${FILE_FIELD} at a time.`);
    const filename = lastOfPath(path);
    if (filename === '') throw unprocessable(`The form field ${FILE_FIELD} must be a file with a name.`);
    if (filename.length > MAX_NAME) throw unprocessable(`A file name can have at most ${MAX_NAME} characters.`);
    this.filename = replacedCharacters(filename);
    this.sink = await this.files.create(this.storedAs);
  }

  async take(bytes: Buffer): Promise<void> {
    if (this.part === 'file' && this.sink) {
      if (this.sink.size + bytes.length > this.limit) throw tooLarge(this.limit);
      return this.sink.write(bytes);
    }
    this.fieldBytes += bytes.length;
    if (this.fieldBytes > MAX_FIELD_BYTES) throw new Refusal(413, 'The form fields beside the file are too long.');
    if (this.part !== 'description') return;
    this.description ??= Buffer.allocUnsafe(MAX_FIELD_BYTES);
    this.descriptionLength += bytes.copy(this.description, this.descriptionLength);
  }

  end(): void {
    this.part = 'other';
  }

  async finish(): Promise<ReceivedFile> {
    if (!this.sink) throw unprocessable(`There is no file in the form field ${FILE_FIELD}.`);
    await this.files.keep(this.storedAs, this.sink);
    await this.files.sync();
    const description = this.description?.toString('utf8', 0, this.descriptionLength) ?? '';
    return { storedAs: this.storedAs, filename: this.filename, size: this.sink.size, description };
  }

  async abandon(): Promise<void> {
    if (!this.sink) return;
    await this.sink.abandon();
    await this.files.abandon(this.storedAs);
  }
}
