import type { Task } from '../story/story.ts';
import type { Intent } from './intent.ts';
import { changingStory, itsStory, type RulesOfKind, tasksOf } from './rulesOfKind.ts';
import { withTaskAt } from './task.ts';

export const newTaskRules: RulesOfKind<'newTask'> = {
  apply: changingStory((story, intent, place) => ({ ...story, tasks: withPendingTask(story.tasks, intent, place) })),
  touches: ({ storyId }) => [tasksOf(storyId)],
  undo: undefined,
  isRepeatable: false,
  showsPlace: true,
  needsStories: itsStory,
};

/** A task that no server has yet has a negative id, which none gives. */
export function isPendingTask({ id }: Pick<Task, 'id'>): boolean {
  return id < 0;
}

function withPendingTask(
  tasks: readonly Task[],
  { description, complete = false, position }: Intent<'newTask'>,
  place: number,
): readonly Task[] {
  const pending: Task = { id: -1 - place, description, complete };
  const added = [...tasks.filter(({ id }) => id !== pending.id), pending];
  return position === undefined ? added : withTaskAt(added, pending.id, position);
}
