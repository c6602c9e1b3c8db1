import type { Task } from '../../../core/story/story.ts';
import { zonedDate } from '../../../v3/dates.ts';
import type { Tx } from '../database.ts';

interface NewTask {
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
  const position = (await lastPosition(tx, task.storyId)) + 1;
  const values = { ...task, position, complete: task.complete ? 1 : 0 };
  return toTask(await tx.insertInto('tasks').values(values).returningAll().executeTakeFirstOrThrow());
}

async function lastPosition(tx: Tx, storyId: number): Promise<number> {
  const last = tx.selectFrom('tasks').select(({ fn }) => fn.max<number | null>('position').as('position'));
  return (await last.where('storyId', '=', storyId).executeTakeFirst())?.position ?? 0;
}

export async function taskOfStory(tx: Tx, storyId: number, taskId: number): Promise<Task | undefined> {
  const query = tx.selectFrom('tasks').selectAll().where('storyId', '=', storyId).where('id', '=', taskId);
  const row = await query.executeTakeFirst();
  return row && toTask(row);
}

interface TaskEdit {
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

/** Ticks a task, or takes the tick away. */
export async function setComplete(tx: Tx, id: number, isComplete: boolean): Promise<void> {
  await tx
    .updateTable('tasks')
    .set({ complete: Number(isComplete) })
    .where('id', '=', id)
    .execute();
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
  const from = task.position ?? 0;
  const to = Math.min(Math.max(position, 1), await lastPosition(tx, storyId));
  if (to === from) return task;
  const step = to < from ? 1 : -1;
  await tx
    .updateTable('tasks')
    .set((column) => ({ position: column('position', '+', step) }))
    .where('storyId', '=', storyId)
    .where('position', '>=', Math.min(from, to))
    .where('position', '<=', Math.max(from, to))
    .execute();
  await tx.updateTable('tasks').set({ position: to }).where('id', '=', task.id).execute();
  return { ...task, position: to };
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
