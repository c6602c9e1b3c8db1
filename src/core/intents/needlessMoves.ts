import type { Intent } from './intent.ts';

/** An intent that waits with others of its project; `mayGo` when no server can have heard of it. */
export interface WaitingIntent {
  readonly intent: Intent;
  readonly mayGo: boolean;
}

/**
 * The indexes of the moves, in the order of sending, that lead nowhere: the same story is moved again behind them, and
 * nothing between is put next to it or takes it to the icebox or back. Without them the order becomes the same.
 */
export function needlessMoves(waiting: readonly WaitingIntent[]): readonly number[] {
  const needless: number[] = [];
  const movedLater = new Set<number>();
  for (const [index, { intent, mayGo }] of [...waiting.entries()].toReversed()) {
    const { storyId } = intent;
    if (intent.kind === 'move') {
      if (mayGo && movedLater.has(storyId)) {
        needless.push(index);
        continue;
      }
      movedLater.add(storyId);
      movedLater.delete(intent.targetId);
    } else if (intent.kind === 'edit' && intent.edit.state !== undefined) {
      movedLater.delete(storyId);
    }
  }
  return needless.toReversed();
}
