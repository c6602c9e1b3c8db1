import { isDeepStrictEqual } from 'node:util';
import { MAX_TEXT } from '../../core/limits.ts';
import type { Task } from '../../core/story/story.ts';
import type { TaskEdit } from '../../v3/task.ts';
import type { Change } from '../auth/projectAccess.ts';
import { notFound, unprocessable } from '../ground/errors.ts';
import { refuseTooLong } from '../input/fieldLimits.ts';
import { updateStoryRow } from '../store/stories/storyRows.ts';
import { insertTask, moveTask, removeTaskRow, taskOfStory, updateTaskRow } from '../store/stories/tasks.ts';
import { quoted, record } from './recordActivity.ts';
import { changedStory, refuseFullStory } from './storyRules.ts';

export async function addTask(change: Change, storyId: number, edit: TaskEdit): Promise<Task> {
  const description = describedTask(edit.description ?? '');
  await changedStory(change, storyId);
  if (change.project.enableTasks === 0) throw unprocessable('Tasks are turned off in the settings of this project.');
  await refuseFullStory(change, storyId, { tasks: 1, bytes: Buffer.byteLength(description) });
  const { tx, project, now } = change;
  const complete = edit.complete ?? false;
  const task = await insertTask(tx, { projectId: project.id, storyId, description, complete, createdAt: now });
  await recordTask(change, storyId, task, 'task_create', `added task: ${quoted(description)}`);
  return edit.position === undefined ? task : moveTask(tx, storyId, task, edit.position);
}

export async function updateTask(change: Change, storyId: number, taskId: number, edit: TaskEdit): Promise<Task> {
  const before = await theTask(change, storyId, taskId);
  if (edit.description !== undefined) {
    const bytes = Buffer.byteLength(describedTask(edit.description)) - Buffer.byteLength(before.description);
    if (bytes > 0) await refuseFullStory(change, storyId, { bytes });
  }
  const edited = await updateTaskRow(change.tx, before, edit);
  const task = edit.position === undefined ? edited : await moveTask(change.tx, storyId, edited, edit.position);
  if (isDeepStrictEqual(task, before)) return task;
  const completed = task.complete && !before.complete;
  await recordTask(
    change,
    storyId,
    task,
    'task_edit',
    `${completed ? 'completed' : 'edited'} task: ${quoted(task.description)}`,
  );
  return task;
}

export async function removeTask(change: Change, storyId: number, taskId: number): Promise<Task> {
  const task = await theTask(change, storyId, taskId);
  await removeTaskRow(change.tx, storyId, task);
  await recordTask(change, storyId, task, 'task_delete', `deleted task: ${quoted(task.description)}`);
  return task;
}

async function theTask(change: Change, storyId: number, taskId: number): Promise<Task> {
  await changedStory(change, storyId);
  const task = await taskOfStory(change.tx, storyId, taskId);
  if (!task) throw noTask(taskId);
  return task;
}

export function noTask(taskId: number): Error {
  return notFound(`There is no task ${taskId} on this story.`);
}

function describedTask(description: string): string {
  if (description.trim() === '') throw unprocessable('A task needs a description.');
  refuseTooLong('The description of a task', description, MAX_TEXT);
  return description;
}

async function recordTask(change: Change, storyId: number, task: Task, event: string, text: string): Promise<void> {
  await updateStoryRow(change.tx, storyId, { updatedAt: change.now });
  await record(change, event, text, [{ id: storyId, changed: { tasks: [task] }, cleared: [] }]);
}
