import type { Task } from '../story/story.ts';
import type { Intent } from './intent.ts';
import { changingStory, itsStory, type RulesOfKind, tasksOf } from './rulesOfKind.ts';

export const taskRules: RulesOfKind<'task'> = {
  apply: changingStory((story, intent) => ({ ...story, tasks: withTick(story.tasks, intent) })),
  touches: ({ storyId }) => [tasksOf(storyId)],
  undo: {
    reverse: (_, intent) => ({ ...intent, complete: !intent.complete }),
    isAsLeft: ({ tasks }, { taskId, complete }) =>
      tasks.some((task) => task.id === taskId && task.complete === complete),
  },
  isRepeatable: true,
  showsPlace: false,
  needsStories: itsStory,
};

function withTick(tasks: readonly Task[], { taskId, complete }: Intent<'task'>): readonly Task[] {
  return tasks.map((task) => (task.id === taskId && task.complete !== complete ? { ...task, complete } : task));
}
