import type { Tracker } from '../../../src/core/ports/tracker.ts';
import { answerOf, fakeTracker } from './fakeTracker.ts';
import type { ModelServer } from './modelServer.ts';

/** Lets a message pass, before it is answered and after; may throw instead. */
export type Gate = () => Promise<void>;

const open: Gate = async () => undefined;

/** The model server as a client has it. */
export function modelTracker(server: ModelServer, pass: Gate = open): Tracker {
  return fakeTracker(async (call) => {
    await pass();
    const value = answerOf(server, call);
    await pass();
    return value;
  });
}
