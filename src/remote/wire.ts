import type { TrackerErrorKind } from '../core/errors.ts';

/** What crosses the thread border. Values are structured-cloned, so only plain data may be in `args` and `value`. */
export type Wire =
  | {
      readonly type: 'call';
      readonly id: number;
      readonly target: string;
      readonly method: string;
      readonly args: readonly unknown[];
    }
  | { readonly type: 'cancel'; readonly id: number }
  | {
      readonly type: 'event';
      readonly id: number;
      readonly nth: number;
      readonly slot: string;
      readonly args: readonly unknown[];
    }
  | { readonly type: 'taken'; readonly id: number; readonly nth: number }
  | { readonly type: 'result'; readonly id: number; readonly value: unknown }
  | { readonly type: 'error'; readonly id: number; readonly error: WireError };

export interface WireError {
  readonly message: string;
  readonly name: string;
  readonly stack?: string;
  readonly kind?: TrackerErrorKind;
  readonly request?: string;
  readonly status?: number;
  readonly retryAfter?: number;
}

/** One end of a pair of ports, as node:worker_threads gives them. */
export interface Port {
  postMessage(message: Wire): void;
  on(event: 'message', listener: (message: Wire) => void): unknown;
}
