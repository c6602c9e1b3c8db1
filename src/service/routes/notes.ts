import { noteElement, notesElement, readNewNote } from '../../v3/note.ts';
import { readTaskEdit, taskElement, tasksElement } from '../../v3/task.ts';
import { writeDocument } from '../../v3/write.ts';
import { type Change, changeProject, readInProject } from '../auth/projectAccess.ts';
import { readElement } from '../call/bodies.ts';
import { type Call, param } from '../call/exchange.ts';
import { elementReply, isConditional, type Reply, requireMatch, taggedReply } from '../http/reply.ts';
import { countInStory, fittingNotes, fittingTasks, pageOfNotes, pageOfTasks } from '../store/stories/fittingTexts.ts';
import { toNote } from '../store/stories/notes.ts';
import { taskOfStory, toTask } from '../store/stories/tasks.ts';
import { addNote, addTask, noTask, removeTask, updateTask } from '../useCases/storyParts.ts';
import { theStory } from '../useCases/storyRules.ts';
import { partFacts, readForwardPage } from './page.ts';

/** All that a story may have; of more, from before there was a limit, the newest, or a page of them (*ours*). */
export async function listNotes(call: Call): Promise<Reply> {
  const [projectId, storyId] = [param(call, 'projectId'), param(call, 'storyId')];
  const page = readForwardPage(call.query);
  return readInProject(call, projectId, async (tx) => {
    await theStory(tx, projectId, storyId);
    const rows = page ? await pageOfNotes(tx, storyId, page) : await fittingNotes(tx, { storyId });
    return elementReply(
      notesElement(rows.map(toNote), partFacts(rows, await countInStory(tx, 'notes', storyId), page)),
    );
  });
}

export async function postNote(call: Call): Promise<Reply> {
  const { text = '' } = await readElement(call, 'note', readNewNote);
  const note = await changeProject(call, param(call, 'projectId'), 'Member', (change) =>
    addNote(change, param(call, 'storyId'), text),
  );
  return elementReply(noteElement(note));
}

/** All that a story may have; of more, from before there was a limit, the newest, or a page of them (*ours*). */
export async function listTasks(call: Call): Promise<Reply> {
  const [projectId, storyId] = [param(call, 'projectId'), param(call, 'storyId')];
  const page = readForwardPage(call.query);
  return readInProject(call, projectId, async (tx) => {
    await theStory(tx, projectId, storyId);
    const rows = page ? await pageOfTasks(tx, storyId, page) : await fittingTasks(tx, { storyId });
    return elementReply(
      tasksElement(rows.map(toTask), partFacts(rows, await countInStory(tx, 'tasks', storyId), page)),
    );
  });
}

export async function getTask(call: Call): Promise<Reply> {
  const [projectId, storyId, taskId] = [param(call, 'projectId'), param(call, 'storyId'), param(call, 'taskId')];
  const task = await readInProject(call, projectId, async (tx) => {
    await theStory(tx, projectId, storyId);
    return taskOfStory(tx, storyId, taskId);
  });
  if (!task) throw noTask(taskId);
  return taggedReply(taskElement(task));
}

export async function postTask(call: Call): Promise<Reply> {
  const edit = await readElement(call, 'task', readTaskEdit);
  const task = await changeProject(call, param(call, 'projectId'), 'Member', (change) =>
    addTask(change, param(call, 'storyId'), edit),
  );
  return elementReply(taskElement(task));
}

export async function putTask(call: Call): Promise<Reply> {
  const edit = await readElement(call, 'task', readTaskEdit);
  const [storyId, taskId] = [param(call, 'storyId'), param(call, 'taskId')];
  const task = await changeProject(call, param(call, 'projectId'), 'Member', async (change) => {
    await requireAsRead(call, change, storyId, taskId);
    return updateTask(change, storyId, taskId, edit);
  });
  return elementReply(taskElement(task));
}

export async function deleteTask(call: Call): Promise<Reply> {
  const [storyId, taskId] = [param(call, 'storyId'), param(call, 'taskId')];
  const task = await changeProject(call, param(call, 'projectId'), 'Member', async (change) => {
    await requireAsRead(call, change, storyId, taskId);
    return removeTask(change, storyId, taskId);
  });
  return elementReply(taskElement(task));
}

/** Throws `Refusal` 412 where the task is not as a caller who makes that a condition read it. */
async function requireAsRead(
  { request }: Call,
  { tx, project }: Change,
  storyId: number,
  taskId: number,
): Promise<void> {
  if (!isConditional(request.headers)) return;
  await theStory(tx, project.id, storyId);
  const task = await taskOfStory(tx, storyId, taskId);
  if (!task) throw noTask(taskId);
  requireMatch(request.headers, writeDocument(taskElement(task)));
}
