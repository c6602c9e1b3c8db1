import { TrackerError } from '../../../src/core/errors.ts';
import type { Tracker } from '../../../src/core/ports/tracker.ts';
import { trackerMethods } from './trackerMethods.ts';
import type { ModelServer } from './modelServer.ts';

/** Lets a message pass, before it is answered and after; may throw instead. */
export type Gate = () => Promise<void>;

const open: Gate = async () => undefined;

/** The model server as a client has it. What it does not know is answered as by a server that lacks it. */
export function modelTracker(server: ModelServer, pass: Gate = open): Tracker {
  const calls = trackerMethods.map((method) => {
    const call = async (...args: readonly unknown[]) => {
      await pass();
      const answer: unknown = Reflect.get(server, method);
      if (typeof answer !== 'function') throw new TrackerError('notFound', `No ${method} here.`);
      const value: unknown = structuredClone(Reflect.apply(answer, server, args));
      await pass();
      return value;
    };
    return [method, call] as const;
  });
  return Object.fromEntries(calls) as unknown as Tracker;
}
