import type { Dispatcher } from 'undici';

/** How long a call may take, in milliseconds, and how slowly, in bytes a second. */
export interface Timeouts {
  readonly connect: number;
  /** Until the head of the answer; while uploading, without a byte being taken. */
  readonly headers: number;
  /** Between two pieces of the answer. */
  readonly body: number;
  /** For a whole call, its retries included. What comes or goes at the least pace may take longer. */
  readonly total: number;
  /** For a whole answer that is no file, at whatever pace. */
  readonly longest: number;
  /** The least pace of an answer. */
  readonly answerPace: number;
  /** The least pace of a file that goes up or comes down. */
  readonly filePace: number;
}

export const DEFAULT_TIMEOUTS: Timeouts = {
  connect: 10_000,
  headers: 30_000,
  body: 30_000,
  total: 45_000,
  longest: 10 * 60_000,
  answerPace: 32 * 1024,
  filePace: 4 * 1024,
};

type Options = Omit<Dispatcher.RequestOptions, 'origin' | 'path'>;

/** Asks over connections of our own, never over undici's global ones. */
export function requestOn(dispatcher: Dispatcher, url: URL, options: Options): Promise<Dispatcher.ResponseData> {
  return dispatcher.request({ ...options, origin: url.origin, path: `${url.pathname}${url.search}` });
}
