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
