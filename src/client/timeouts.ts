/** All in milliseconds. */
export interface Timeouts {
  readonly connect: number;
  /** Until the head of the answer; while uploading, without a byte being taken. */
  readonly headers: number;
  /** Between two pieces of the answer. */
  readonly body: number;
  /** For a whole call, its retries included; uploads have none. */
  readonly total: number;
}

export const DEFAULT_TIMEOUTS: Timeouts = { connect: 10_000, headers: 30_000, body: 30_000, total: 120_000 };
