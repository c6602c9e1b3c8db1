import type { Intent } from './intent.ts';
import { touchedBy } from './intentRules.ts';
import { placeOf } from './rulesOfKind.ts';

/**
 * Whether the order of two intents of one project matters to what becomes of them: moves among each other, what touches the
 * same fields of a story, comments or tasks of the same story, new stories among each other, and a move with what brings its stories into or out of the icebox.
 */
export function isOrderKept(one: Intent, other: Intent): boolean {
  const [ours, theirs] = [touchedBy(one), touchedBy(other)];
  return ours.some((what) => theirs.includes(what));
}

/** An intent that waits with others of its project; `mayGo` when no server can have heard of it. */
interface WaitingIntent {
  readonly intent: Intent;
  readonly mayGo: boolean;
}

/**
 * The indexes of the moves, in the order of sending, that lead nowhere: the same story is moved again behind them, and
 * nothing between is put next to it or takes it to the icebox or back. Without them the order becomes the same.
 */
export function needlessMoves(waiting: readonly WaitingIntent[]): readonly number[] {
  const needless: number[] = [];
  const movedLater = new Set<string>();
  for (const [index, { intent, mayGo }] of [...waiting.entries()].toReversed()) {
    if (intent.kind !== 'move') {
      for (const what of touchedBy(intent)) movedLater.delete(what);
    } else if (mayGo && movedLater.has(placeOf(intent.storyId))) {
      needless.push(index);
    } else {
      movedLater.add(placeOf(intent.storyId));
      movedLater.delete(placeOf(intent.targetId));
    }
  }
  return needless.toReversed();
}
