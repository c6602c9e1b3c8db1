import { isDeepStrictEqual } from 'node:util';
import { MAX_ATTACHMENT_TEXT, MAX_ATTACHMENTS_OF_STORY, MAX_TEXT } from '../../core/limits.ts';
import type { Note, Task } from '../../core/story/story.ts';
import type { TaskEdit } from '../../v3/task.ts';
import type { ReceivedFile } from '../attachments/receiveUpload.ts';
import type { Change } from '../auth/projectAccess.ts';
import { notFound, unprocessable } from '../ground/errors.ts';
import { type AddedContent, refuseTooLong } from '../input/fieldLimits.ts';
import type { Tx } from '../store/database.ts';
import type { ProjectRow } from '../store/projects/projects.ts';
import { hasAttachments, insertAttachment, toAttachment } from '../store/stories/attachments.ts';
import { insertNote } from '../store/stories/notes.ts';
import { type StoryRow, touchStory } from '../store/stories/storyRows.ts';
import { insertTask, moveTask, removeTaskRow, taskOfStory, updateTaskRow } from '../store/stories/tasks.ts';
import { quoted, record } from './recordActivity.ts';
import { changedStory, refuseFullStory } from './storyRules.ts';

/** Adds a comment to a story. Throws `Refusal` 422 when it is empty, too long, or more than the story can hold. */
export async function addNote(change: Change, storyId: number, text: string): Promise<Note> {
  if (text.trim() === '') throw unprocessable('A comment must not be empty.');
  refuseTooLong('A comment', text, MAX_TEXT);
  const story = await changedStory(change, storyId);
  await refuseFullStory(change, storyId, addedBy(text));
  return writeNote(change, story, text);
}

/** What a comment adds to a story. */
export function addedBy(text: string): AddedContent {
  return { comments: 1, bytes: Buffer.byteLength(text) };
}

/** Adds a comment that the story is known to have room for. */
export async function writeNote(change: Change, story: StoryRow, text: string): Promise<Note> {
  const { tx, project, user, now } = change;
  const note = await insertNote(tx, {
    projectId: project.id,
    storyId: story.id,
    text,
    author: user.name,
    authorId: user.id,
    notedAt: now,
  });
  await touchStory(tx, story.id, now);
  await record(change, 'note_create', `added comment: ${quoted(text)} to ${quoted(story.name)}`, [
    { id: story.id, changed: { notes: [note] }, cleared: [] },
  ]);
  return note;
}

/** Names a received file as an attachment of a story and gives its id. */
export async function addAttachment(change: Change, storyId: number, file: ReceivedFile): Promise<number> {
  const story = await changedStory(change, storyId);
  refuseWithoutAttachments(change.project);
  refuseTooLong('The description of an attachment', file.description, MAX_ATTACHMENT_TEXT);
  await refuseTooManyAttachments(change.tx, storyId);
  const { tx, project, user, now } = change;
  const row = await insertAttachment(tx, {
    ...file,
    projectId: project.id,
    storyId,
    uploadedBy: user.name,
    uploaderId: user.id,
    uploadedAt: now,
  });
  await touchStory(tx, storyId, now);
  const text = `added attachment ${quoted(file.filename)} to ${quoted(story.name)}`;
  await record(change, 'attachment_create', text, [
    { id: storyId, changed: { attachments: [toAttachment(row)] }, cleared: [] },
  ]);
  return row.id;
}

/** Throws `Refusal` 422 for a story that cannot have one more. */
export async function refuseTooManyAttachments(tx: Tx, storyId: number): Promise<void> {
  if (!(await hasAttachments(tx, storyId, MAX_ATTACHMENTS_OF_STORY))) return;
  throw unprocessable(
    `A story has at most ${MAX_ATTACHMENTS_OF_STORY} attachments. Attach an archive of several files, or go on in a new story.`,
  );
}

export function refuseWithoutAttachments({ allowAttachments }: ProjectRow): void {
  if (allowAttachments === 0) throw unprocessable('Attachments are turned off in the settings of this project.');
}

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
  await recordTask(change, storyId, task, 'task_edit', `${taskVerb(before, task)} task: ${quoted(task.description)}`);
  return task;
}

function taskVerb(before: Task, task: Task): string {
  if (task.complete !== before.complete) return task.complete ? 'completed' : 'reopened';
  return task.description === before.description ? 'moved' : 'edited';
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
  await touchStory(change.tx, storyId, change.now);
  await record(change, event, text, [{ id: storyId, changed: { tasks: [task] }, cleared: [] }]);
}
