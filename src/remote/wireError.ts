import { TrackerError, type TrackerErrorDetails } from '../core/errors.ts';
import type { WireError } from './wire.ts';

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
