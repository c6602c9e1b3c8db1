import type { Task } from '../story/story.ts';
import { asServersKeep } from '../text.ts';
import type { Intent } from './intent.ts';
import { changingStory, itsStory, type RulesOfKind, tasksOf } from './rulesOfKind.ts';

export const taskRules: RulesOfKind<'task'> = {
  apply: changingStory((story, intent) => ({ ...story, tasks: withTick(story.tasks, intent) })),
  touches: ({ storyId }) => [tasksOf(storyId)],
  undo: {
    reverse: ({ tasks }, intent) => {
      const before = tasks.find(({ id }) => id === intent.taskId)?.complete ?? !intent.complete;
      return { ...intent, complete: before };
    },
    isAsLeft: ({ tasks }, { taskId, complete }) =>
      tasks.some((task) => task.id === taskId && task.complete === complete),
  },
  isRepeatable: true,
  showsPlace: false,
  needsStories: itsStory,
};

export const editTaskRules: RulesOfKind<'editTask'> = {
  apply: changingStory((story, { taskId, description }) => ({
    ...story,
    tasks: withTask(story.tasks, taskId, { description }),
  })),
  touches: ({ storyId }) => [tasksOf(storyId)],
  undo: {
    reverse: (_, intent) => ({ ...intent, description: intent.known, known: intent.description }),
    isAsLeft: ({ tasks }, { taskId, description }) =>
      tasks.some((task) => task.id === taskId && asServersKeep(task.description) === asServersKeep(description)),
  },
  isRepeatable: true,
  showsPlace: false,
  needsStories: itsStory,
};

export const moveTaskRules: RulesOfKind<'moveTask'> = {
  apply: changingStory((story, { taskId, position }) => ({
    ...story,
    tasks: withTaskAt(story.tasks, taskId, position),
  })),
  touches: ({ storyId }) => [tasksOf(storyId)],
  undo: {
    reverse: ({ tasks }, intent) => ({ ...intent, position: positionOf(tasks, intent.taskId) }),
    isAsLeft: ({ tasks }, { taskId, position }) => positionOf(tasks, taskId) === Math.min(position, tasks.length),
  },
  isRepeatable: true,
  showsPlace: false,
  needsStories: itsStory,
};

export const deleteTaskRules: RulesOfKind<'deleteTask'> = {
  apply: changingStory((story, { taskId }) => ({ ...story, tasks: withoutTask(story.tasks, taskId) })),
  touches: ({ storyId }) => [tasksOf(storyId)],
  undo: undefined,
  isRepeatable: true,
  showsPlace: false,
  needsStories: itsStory,
};

function withTask(tasks: readonly Task[], taskId: number, change: Partial<Task>): readonly Task[] {
  return tasks.map((task) => (task.id === taskId ? { ...task, ...change } : task));
}

/** The 1-based place of a task in its story's list; 0 for one that is not there. */
function positionOf(tasks: readonly Task[], taskId: number): number {
  return tasks.findIndex(({ id }) => id === taskId) + 1;
}

/** The tasks with one at a 1-based place, or the nearest there is; the same where it is not among them. */
export function withTaskAt(tasks: readonly Task[], taskId: number, position: number): readonly Task[] {
  const task = tasks.find(({ id }) => id === taskId);
  if (!task) return tasks;
  const others = tasks.filter(({ id }) => id !== taskId);
  return numbered(others.toSpliced(Math.max(0, position - 1), 0, task));
}

/** The tasks without one of them. */
export function withoutTask(tasks: readonly Task[], taskId: number): readonly Task[] {
  return numbered(tasks.filter(({ id }) => id !== taskId));
}

/** As servers number them anew. */
function numbered(tasks: readonly Task[]): readonly Task[] {
  return tasks.map((one, index) =>
    one.position === undefined || one.position === index + 1 ? one : { ...one, position: index + 1 },
  );
}

function withTick(tasks: readonly Task[], { taskId, complete }: Intent<'task'>): readonly Task[] {
  return tasks.map((task) => (task.id === taskId && task.complete !== complete ? { ...task, complete } : task));
}
