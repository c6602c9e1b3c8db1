import type { Intent } from './intent.ts';

/**
 * Whether the order of two intents of one project matters to what becomes of them: moves among each other, what touches the
 * same fields of a story, comments or tasks of the same story, new stories among each other, and a move with what brings its stories into or out of the icebox.
 */
export function isOrderKept(one: Intent, other: Intent): boolean {
  const [ours, theirs] = [touchedBy(one), touchedBy(other)];
  return ours.some((what) => theirs.includes(what));
}

function touchedBy(intent: Intent): readonly string[] {
  const { storyId } = intent;
  switch (intent.kind) {
    case 'move':
      return ['order', `list ${storyId}`, `list ${intent.targetId}`];
    case 'edit':
      return [`fields ${storyId}`, ...(intent.edit.state === undefined ? [] : [`list ${storyId}`])];
    case 'labels':
      return [`fields ${storyId}`];
    case 'task':
    case 'newTask':
      return [`tasks ${storyId}`];
    case 'newStory':
      return ['new stories'];
    case 'comment':
      return [`notes ${storyId}`];
    case 'link':
      // Its marker may change the state of each, never the place in the order.
      return intent.stories.flatMap((story) => [`notes ${story.storyId}`, `fields ${story.storyId}`]);
  }
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
