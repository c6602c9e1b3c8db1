import { messageOf } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';

/** Leaves work to itself: what fails is logged, because a view shows it anyway or it is of no consequence to what is shown. */
export function inBackground(log: Log, work: Promise<unknown>): void {
  work.catch((thrown: unknown) => log.warn(messageOf(thrown)));
}
