import type { Task } from '../../core/story.ts';
import { zonedDate } from '../../v3/dates.ts';
import type { Tx } from './database.ts';

export interface NewTask {
  readonly projectId: number;
  readonly storyId: number;
  readonly description: string;
  readonly complete: boolean;
  readonly createdAt: number;
}

interface TaskRow {
  readonly id: number;
  readonly description: string;
  readonly position: number;
  readonly complete: number;
  readonly createdAt: number;
}

/** Adds a task at the end of the story's list. */
export async function insertTask(tx: Tx, task: NewTask): Promise<Task> {
  const position = (await tasksOfStory(tx, task.storyId)).length + 1;
  const values = { ...task, position, complete: task.complete ? 1 : 0 };
  return toTask(await tx.insertInto('tasks').values(values).returningAll().executeTakeFirstOrThrow());
}

export async function tasksOfStory(tx: Tx, storyId: number): Promise<Task[]> {
  const query = tx.selectFrom('tasks').selectAll().where('storyId', '=', storyId);
  return (await query.orderBy('position').orderBy('id').execute()).map(toTask);
}

export async function taskOfStory(tx: Tx, storyId: number, taskId: number): Promise<Task | undefined> {
  const query = tx.selectFrom('tasks').selectAll().where('storyId', '=', storyId).where('id', '=', taskId);
  const row = await query.executeTakeFirst();
  return row && toTask(row);
}

export interface TaskEdit {
  readonly description?: string;
  readonly complete?: boolean;
}

/** The task as the edit leaves it, also when that is as it was. */
export async function updateTaskRow(tx: Tx, task: Task, edit: TaskEdit): Promise<Task> {
  const change = {
    ...(edit.description !== undefined && { description: edit.description }),
    ...(edit.complete !== undefined && { complete: edit.complete ? 1 : 0 }),
  };
  if (Object.keys(change).length === 0) return task;
  return toTask(
    await tx.updateTable('tasks').set(change).where('id', '=', task.id).returningAll().executeTakeFirstOrThrow(),
  );
}

/** Removes a task and closes the gap in the positions. */
export async function removeTaskRow(tx: Tx, storyId: number, task: Task): Promise<void> {
  await tx.deleteFrom('tasks').where('id', '=', task.id).execute();
  await tx
    .updateTable('tasks')
    .set((column) => ({ position: column('position', '-', 1) }))
    .where('storyId', '=', storyId)
    .where('position', '>', task.position ?? 0)
    .execute();
}

/** Puts a task at a 1-based position, or the nearest there is, and shifts those between. */
export async function moveTask(tx: Tx, storyId: number, task: Task, position: number): Promise<Task> {
  const others = (await tasksOfStory(tx, storyId)).filter(({ id }) => id !== task.id);
  const index = Math.min(Math.max(position - 1, 0), others.length);
  const ordered = [...others.slice(0, index), task, ...others.slice(index)];
  for (const [place, { id }] of ordered.entries()) {
    await tx
      .updateTable('tasks')
      .set({ position: place + 1 })
      .where('id', '=', id)
      .execute();
  }
  return { ...task, position: index + 1 };
}

export function toTask(row: TaskRow): Task {
  return {
    id: row.id,
    description: row.description,
    position: row.position,
    complete: row.complete === 1,
    createdAt: zonedDate(row.createdAt),
  };
}
