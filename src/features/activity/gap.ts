import type { Activity } from '../../core/story/activity.ts';
import type { Day } from './sinceDay.ts';

/** Why activities may be missing: the server did not answer, or told only the latest so many, back to `from`. */
export type Gap =
  | { readonly kind: 'unanswered' }
  | { readonly kind: 'cutOff'; readonly count: number; readonly from: number };

/** The highest number of activities that one answer holds (api-v3.md, Limits). */
export const ANSWER_LIMIT = 100;
/** A full answer that does not reach back to the day: something between may be known to nobody here. */
export function gapIn(answer: readonly Activity[], day: Day): Gap | undefined {
  if (answer.length < ANSWER_LIMIT) return undefined;
  const times = answer.flatMap(({ occurredAt }) => occurredAt?.time ?? []);
  const from = Math.min(...times);
  return from < day ? undefined : { kind: 'cutOff', count: answer.length, from: Number.isFinite(from) ? from : day };
}
