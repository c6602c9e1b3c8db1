import type { ZonedDate } from '../calendar.ts';

export interface Attachment {
  readonly id: number;
  readonly filename: string;
  readonly description?: string;
  readonly uploadedBy?: string;
  readonly uploadedAt?: ZonedDate;
  /** Temporary download address; most answers leave it out (api-v3.md, Attachment). */
  readonly url?: string;
  /** Bytes, where a server tells. */
  readonly size?: number;
  /** `Pending` in the answer to an upload. */
  readonly status?: string;
}

/**
 * What is sent as an attachment: a file read as it is sent, or bytes that are nowhere on disk. A file that links lead out of the
 * folder `within`, named without links, is not read.
 */
export type UploadSource =
  | { readonly kind: 'file'; readonly path: string; readonly filename: string; readonly within?: string }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array; readonly filename: string };

/** What a file is called of which a sender names the path: its last part, whatever system the path is of (protocol.md, Proven since). */
export function lastOfPath(path: string): string {
  return path.split(/[\\/]/).findLast((part) => part.trim() !== '') ?? '';
}
