import { TrackerError, type TrackerErrorDetails, type TrackerErrorKind } from '../core/errors.ts';

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

interface WireError {
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

export function toWireError(thrown: unknown): WireError {
  if (!(thrown instanceof Error)) return { name: 'Error', message: String(thrown) };
  const plain = { name: thrown.name, message: thrown.message, ...(thrown.stack ? { stack: thrown.stack } : {}) };
  return thrown instanceof TrackerError ? { ...plain, kind: thrown.kind, ...detailsOf(thrown) } : plain;
}

export function fromWireError(wire: WireError): Error {
  const error = wire.kind
    ? new TrackerError(wire.kind, wire.message, detailsOf(wire))
    : Object.assign(new Error(wire.message), { name: wire.name });
  if (wire.stack) error.stack = wire.stack;
  return error;
}

function detailsOf(from: {
  readonly request?: string | undefined;
  readonly status?: number | undefined;
  readonly retryAfter?: number | undefined;
}): TrackerErrorDetails {
  return {
    ...(from.request !== undefined ? { request: from.request } : {}),
    ...(from.status !== undefined ? { status: from.status } : {}),
    ...(from.retryAfter !== undefined ? { retryAfter: from.retryAfter } : {}),
  };
}
