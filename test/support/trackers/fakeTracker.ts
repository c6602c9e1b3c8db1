import { TrackerError } from '../../../src/core/errors.ts';
import type { CallOptions, Tracker } from '../../../src/core/ports/tracker.ts';
import { trackerMethods } from './trackerMethods.ts';

/** A call of `Tracker` as it is made. */
export interface TrackerCall {
  readonly method: keyof Tracker;
  /** Everything given, but for the options. */
  readonly args: readonly unknown[];
  readonly options: CallOptions | undefined;
}

/** A tracker of which every call is answered by one function, given the call and all its arguments as they came. */
export function fakeTracker(answer: (call: TrackerCall, given: readonly unknown[]) => unknown): Tracker {
  const calls = trackerMethods.map((method) => {
    const call = async (...given: readonly unknown[]) => {
      const options = given.map(optionsIn).find((one) => one !== undefined);
      const args = given.filter((one) => optionsIn(one) === undefined);
      return answer({ method, args, options }, given);
    };
    return [method, call] as const;
  });
  return Object.fromEntries(calls) as unknown as Tracker;
}

/** What a model of a server answers; what it does not know is answered as by a server that lacks it. */
export function answerOf(server: object, { method, args, options }: TrackerCall): unknown {
  const answer: unknown = Reflect.get(server, method);
  if (typeof answer !== 'function') throw new TrackerError('notFound', `No ${method} here.`);
  return structuredClone(
    Reflect.apply(answer, server, options?.ifMatch === undefined ? args : [...args, { ifMatch: options.ifMatch }]),
  );
}

function optionsIn(value: unknown): CallOptions | undefined {
  const isOne = typeof value === 'object' && value !== null && ('signal' in value || 'waited' in value);
  return isOne ? (value as CallOptions) : undefined;
}
