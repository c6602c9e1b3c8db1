import type { Task } from '../story/story.ts';
import { changingStory, itsStory, type RulesOfKind, tasksOf } from './rulesOfKind.ts';

export const newTaskRules: RulesOfKind<'newTask'> = {
  apply: changingStory((story, { description }, place) => ({
    ...story,
    tasks: withPendingTask(story.tasks, description, place),
  })),
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

function withPendingTask(tasks: readonly Task[], description: string, place: number): readonly Task[] {
  const pending: Task = { id: -1 - place, description, complete: false };
  return [...tasks.filter(({ id }) => id !== pending.id), pending];
}
