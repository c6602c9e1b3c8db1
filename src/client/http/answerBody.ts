import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { Dispatcher } from 'undici';
import { TrackerError } from '../../core/errors.ts';
import { t } from '../../core/translation.ts';

/** An answer whose body has not been read yet. */
export interface Arrival {
  readonly response: Dispatcher.ResponseData;
  /** Host and port, for errors. */
  readonly host: string;
  /** Whether gzip was asked for. */
  readonly mayBeGzip: boolean;
}

/** As the decoder takes it: larger pieces would hold the thread, smaller ones cost more turns. */
const PIECE = 64 * 1024;
const LONGEST_ERROR_BODY = 256 * 1024;

/** The bytes of a success, decompressed. Throws `TrackerError` `protocol` for what no tracker gives, data cut short included. */
export async function* bodyOf(arrival: Arrival): AsyncGenerator<Uint8Array> {
  const strange = strangeness(arrival);
  if (strange !== undefined) {
    await discarded(arrival.response);
    throw new TrackerError('protocol', strange, {
      status: arrival.response.statusCode,
    });
  }
  yield* decompressed(arrival);
}

/** Enough of an error's body to find its sentences; an answer that breaks off has said its status already. */
export async function startOfBody(arrival: Arrival): Promise<Uint8Array> {
  const gathered = new GatheredBytes();
  try {
    for await (const chunk of decompressed(arrival)) {
      gathered.add(chunk);
      if (gathered.length > LONGEST_ERROR_BODY) break;
    }
  } catch {
    return gathered.bytes();
  }
  return gathered.bytes();
}

/** Lets go of a body that nobody reads, so that its connection can be used again where little is left of it. */
export async function discarded({ body }: Dispatcher.ResponseData, signal?: AbortSignal): Promise<void> {
  await body.dump({ limit: LONGEST_ERROR_BODY, ...(signal && { signal }) }).catch(() => undefined);
}

export function oneHeader(response: Dispatcher.ResponseData, name: string): string | undefined {
  const value = response.headers[name];
  return typeof value === 'object' ? value[0] : value;
}

async function* decompressed(arrival: Arrival): AsyncGenerator<Uint8Array> {
  const { response, host, mayBeGzip } = arrival;
  if (!mayBeGzip || !isGzip(response)) {
    yield* response.body;
    return;
  }
  const gunzip = createGunzip({ chunkSize: PIECE });
  pipeline(response.body, gunzip, () => undefined);
  try {
    yield* gunzip;
  } catch (error) {
    throw isOfCompression(error) ? damaged(host, response.statusCode) : error;
  }
}

/** What makes an answer one that no tracker gives; undefined when nothing does. */
function strangeness({ response, host, mayBeGzip }: Arrival): string | undefined {
  if (/html/i.test(oneHeader(response, 'content-type') ?? '')) {
    return t('{0} answered with a web page. Check the address. A proxy or sign-in page may be in the way.', host);
  }
  const encoding = oneHeader(response, 'content-encoding') ?? '';
  if (encoding === '' || /^identity$/i.test(encoding) || (mayBeGzip && isGzip(response))) return undefined;
  return t('{0} answered with compressed data that was not requested. A proxy may be in the way.', host);
}

function isGzip(response: Dispatcher.ResponseData): boolean {
  return /^\s*(?:x-)?gzip\s*$/i.test(oneHeader(response, 'content-encoding') ?? '');
}

function isOfCompression(error: unknown): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && error.code.startsWith('Z_');
}

function damaged(host: string, status: number): TrackerError {
  return new TrackerError('protocol', t('The compressed answer of {0} is damaged or incomplete. Try again.', host), {
    status,
  });
}

/** Room for the first bytes; doubled whenever there are more. */
const FIRST = 16 * 1024;
/** What a sender says beforehand is believed up to so much. */
const MOST_BELIEVED = 1024 * 1024;

/** Bytes that come in pieces, in one buffer: a piece of one byte takes no more memory than that. */
export class GatheredBytes {
  private room: Uint8Array;
  private _length = 0;

  /** `expected` bytes, where the sender tells. */
  constructor(expected = FIRST) {
    this.room = new Uint8Array(Math.min(expected, MOST_BELIEVED));
  }

  get length(): number {
    return this._length;
  }

  add(piece: Uint8Array): void {
    const needed = this._length + piece.length;
    if (needed > this.room.length) {
      const larger = new Uint8Array(Math.max(needed, FIRST, 2 * this.room.length));
      larger.set(this.room.subarray(0, this._length));
      this.room = larger;
    }
    this.room.set(piece, this._length);
    this._length = needed;
  }

  /** A copy of them, the first `most` at most. */
  bytes(most = this._length): Uint8Array {
    return this.room.slice(0, Math.min(most, this._length));
  }
}
