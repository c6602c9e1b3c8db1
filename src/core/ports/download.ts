import type { CallOptions } from './tracker.ts';

/** The beginning of what an address leads to, or all of it. */
export interface Beginning {
  readonly bytes: Uint8Array;
  /** In bytes, where the answer tells, or all of it is here. */
  readonly size?: number;
  readonly isWhole: boolean;
}

export interface SaveOptions extends CallOptions {
  /** Told the bytes written so far, at most some times a second, and how many there will be where the answer tells. */
  readonly onProgress?: (written: number, total: number | undefined) => void;
  /** Whether a file that is there may be replaced; it stays as it is until all has come. */
  readonly isReplacing?: boolean;
}

/**
 * What temporary addresses of attachments lead to (api-v3.md, Attachment). They stand for themselves, so no token goes along.
 * Throws `TrackerError` only.
 */
export interface Downloads {
  /** Reads at most so many bytes. */
  beginning(address: string, most: number, options?: CallOptions): Promise<Beginning>;
  /** Streams into a file and resolves with its size; memory does not grow with it, and nothing stays of what did not come whole. */
  save(address: string, path: string, options?: SaveOptions): Promise<number>;
}
