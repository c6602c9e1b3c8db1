import { type FieldError, TrackerError, type TrackerErrorDetails, type TrackerErrorKind } from '../core/errors.ts';

/** What crosses the thread border. Values are structured-cloned, so only plain data may be in `args` and `value`. */
type Wire =
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
  readonly fields?: readonly FieldError[];
}

/** One end of a pair of ports, as node:worker_threads gives them. */
interface Port {
  postMessage(message: Wire): void;
  on(event: 'message', listener: (message: Wire) => void): unknown;
}

function toWireError(thrown: unknown): WireError {
  if (!(thrown instanceof Error)) return { name: 'Error', message: String(thrown) };
  const plain = { name: thrown.name, message: thrown.message, ...(thrown.stack ? { stack: thrown.stack } : {}) };
  return thrown instanceof TrackerError ? { ...plain, kind: thrown.kind, ...detailsOf(thrown) } : plain;
}

function fromWireError(wire: WireError): Error {
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
  readonly fields?: readonly FieldError[];
}): TrackerErrorDetails {
  return {
    ...(from.request !== undefined ? { request: from.request } : {}),
    ...(from.status !== undefined ? { status: from.status } : {}),
    ...(from.retryAfter !== undefined ? { retryAfter: from.retryAfter } : {}),
    ...(from.fields?.length ? { fields: from.fields } : {}),
  };
}

type Callback = (...args: readonly unknown[]) => void;

interface Pending {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly callbacks: ReadonlyMap<string, Callback>;
  readonly release: () => void;
}

/** A call of the other side. */
interface RunningCall {
  readonly id: number;
  readonly controller: AbortController;
  /** What was told in the meantime and is not taken yet, by its number. */
  readonly taken: Map<number, () => void>;
}

/**
 * Both ends of a conversation between two threads: each may expose objects of async functions and call those of the
 * other. An option object's `signal` cancels the call over there; its functions are called back here, and what they give over
 * there settles when that is done, so that who waits for it sends no faster than this side can take.
 */
export class Peer {
  private readonly port: Port;
  private readonly targets = new Map<string, object>();
  private readonly pending = new Map<number, Pending>();
  private readonly running = new Map<number, RunningCall>();
  private nextId = 1;
  private nextEvent = 1;
  private closedBecause: Error | undefined;

  constructor(port: Port) {
    this.port = port;
    port.on('message', (message) => this.receive(message));
  }

  expose(name: string, target: object): void {
    this.targets.set(name, target);
  }

  withdraw(name: string): void {
    this.targets.delete(name);
  }

  /** Rejects everything under way and everything asked later, for when the other thread has ended. */
  close(reason: Error): void {
    this.closedBecause = reason;
    for (const [id, call] of this.pending) {
      this.pending.delete(id);
      call.release();
      call.reject(reason);
    }
  }

  call(target: string, method: string, args: readonly unknown[]): Promise<unknown> {
    if (this.closedBecause) return Promise.reject(this.closedBecause);
    const id = this.nextId++;
    const { plain, callbacks, signal } = packed(args);
    if (signal?.aborted) return Promise.reject(new TrackerError('cancelled', 'Canceled.'));
    return new Promise((resolve, reject) => {
      const cancel = () => this.port.postMessage({ type: 'cancel', id });
      signal?.addEventListener('abort', cancel, { once: true });
      const release = () => signal?.removeEventListener('abort', cancel);
      this.pending.set(id, { resolve, reject, callbacks, release });
      this.port.postMessage({ type: 'call', id, target, method, args: plain });
    });
  }

  private receive(message: Wire): void {
    if (message.type === 'call') void this.answer(message);
    else if (message.type === 'cancel') this.running.get(message.id)?.controller.abort();
    else if (message.type === 'event') this.callBack(message);
    else if (message.type === 'taken') this.running.get(message.id)?.taken.get(message.nth)?.();
    else this.settle(message);
  }

  private callBack({ id, nth, slot, args }: Extract<Wire, { type: 'event' }>): void {
    try {
      this.pending.get(id)?.callbacks.get(slot)?.(...args);
    } finally {
      this.port.postMessage({ type: 'taken', id, nth });
    }
  }

  private settle(message: Extract<Wire, { type: 'result' | 'error' }>): void {
    const call = this.pending.get(message.id);
    if (!call) return;
    this.pending.delete(message.id);
    call.release();
    if (message.type === 'result') call.resolve(message.value);
    else call.reject(fromWireError(message.error));
  }

  private async answer({ id, target, method, args }: Extract<Wire, { type: 'call' }>): Promise<void> {
    const running: RunningCall = { id, controller: new AbortController(), taken: new Map() };
    this.running.set(id, running);
    try {
      const callable = this.methodOf(target, method);
      const value = await callable(...args.map((arg) => this.unpacked(running, arg)));
      this.port.postMessage({ type: 'result', id, value });
    } catch (thrown) {
      this.port.postMessage({ type: 'error', id, error: toWireError(thrown) });
    } finally {
      this.running.delete(id);
      for (const take of running.taken.values()) take();
    }
  }

  private methodOf(targetName: string, method: string): (...args: readonly unknown[]) => unknown {
    const target = this.targets.get(targetName);
    const found: unknown = target && Reflect.get(target, method);
    if (typeof found !== 'function') throw new Error(`Nothing here answers ${targetName}.${method}.`);
    return (...args) => Reflect.apply(found, target, args);
  }

  private unpacked(call: RunningCall, arg: unknown): unknown {
    if (!isPackedOptions(arg)) return arg;
    const options: Record<string, unknown> = { ...arg.$options };
    if (arg.$signal) options.signal = call.controller.signal;
    for (const slot of arg.$callbacks) {
      options[slot] = (...args: readonly unknown[]) => this.tell(call, slot, args);
    }
    return options;
  }

  /** Settles when the other side has taken it, or the call has ended. */
  private tell({ id, taken }: RunningCall, slot: string, args: readonly unknown[]): Promise<void> {
    const nth = this.nextEvent++;
    this.port.postMessage({ type: 'event', id, nth, slot, args });
    if (this.running.get(id)?.taken !== taken) return Promise.resolve();
    return new Promise((resolve) => {
      taken.set(nth, () => {
        taken.delete(nth);
        resolve();
      });
    });
  }
}

interface PackedOptions {
  readonly $options: Readonly<Record<string, unknown>>;
  readonly $signal: boolean;
  readonly $callbacks: readonly string[];
}

function isPackedOptions(arg: unknown): arg is PackedOptions {
  return typeof arg === 'object' && arg !== null && '$options' in arg;
}

function packed(args: readonly unknown[]) {
  const callbacks = new Map<string, Callback>();
  let signal: AbortSignal | undefined;
  const plain = args.map((arg) => {
    if (!isPlainObject(arg)) return arg;
    const entries = Object.entries(arg);
    const special = entries.filter(([, value]) => typeof value === 'function' || value instanceof AbortSignal);
    if (special.length === 0) return arg;
    const options: Record<string, unknown> = {};
    for (const [key, value] of entries) {
      if (value instanceof AbortSignal) signal = value;
      else if (typeof value === 'function') callbacks.set(key, (...given) => Reflect.apply(value, undefined, given));
      else options[key] = value;
    }
    return { $options: options, $signal: signal !== undefined, $callbacks: [...callbacks.keys()] };
  });
  return { plain, callbacks, signal };
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
