import { PENDING_ATTACHMENT } from '../../v3/assumptions.ts';
import { attachmentElement, uploadedAttachmentElement } from '../../v3/attachment.ts';
import { noteElement, notesElement, readNewNote } from '../../v3/note.ts';
import { readTaskEdit, taskElement, tasksElement } from '../../v3/task.ts';
import { writeDocument } from '../../v3/write.ts';
import { contentDisposition, downloadAddress, isDownloadAllowed } from '../attachments/downloadAddress.ts';
import { receiveUpload } from '../attachments/receiveUpload.ts';
import { type Change, carried, changeProject, readInProject, requireRole } from '../auth/projectAccess.ts';
import { readElement } from '../call/bodies.ts';
import { type Call, type Exchange, param } from '../call/exchange.ts';
import { notFound, pageNotFound, Refusal } from '../ground/errors.ts';
import { elementReply, isConditional, type Reply, requireMatch, taggedReply } from '../http/reply.ts';
import type { Tx } from '../store/database.ts';
import { projectById } from '../store/projects/projects.ts';
import { attachmentRow, toAttachment } from '../store/stories/attachments.ts';
import { countInStory, fittingNotes, fittingTasks, pageOfNotes, pageOfTasks } from '../store/stories/fittingTexts.ts';
import { toNote } from '../store/stories/notes.ts';
import { taskOfStory, toTask } from '../store/stories/tasks.ts';
import {
  addAttachment,
  addNote,
  addTask,
  noTask,
  refuseTooManyAttachments,
  refuseWithoutAttachments,
  removeTask,
  updateTask,
} from '../useCases/storyParts.ts';
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
    await requireTaskAsRead(call, change, storyId, taskId);
    return updateTask(change, storyId, taskId, edit);
  });
  return elementReply(taskElement(task));
}

export async function deleteTask(call: Call): Promise<Reply> {
  const [storyId, taskId] = [param(call, 'storyId'), param(call, 'taskId')];
  const task = await changeProject(call, param(call, 'projectId'), 'Member', async (change) => {
    await requireTaskAsRead(call, change, storyId, taskId);
    return removeTask(change, storyId, taskId);
  });
  return elementReply(taskElement(task));
}

/** Throws `Refusal` 412 where the task is not as a caller who makes that a condition read it. */
async function requireTaskAsRead(
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

/** Endpoint 5. What can be refused is refused before the file is read, and checked again with the file at hand. */
export async function uploadAttachment(call: Call): Promise<Reply> {
  const [projectId, storyId] = [param(call, 'projectId'), param(call, 'storyId')];
  await readInProject(call, projectId, async (tx, project) => {
    await requireRole(tx, projectId, call.user, 'Member');
    await theStory(tx, projectId, storyId);
    refuseWithoutAttachments(project);
    await refuseTooManyAttachments(tx, storyId);
  });
  const { files, maxUpload } = call.service;
  const file = await receiveUpload(call, files, maxUpload);
  try {
    const id = await changeProject(call, projectId, 'Member', async (change) => {
      await files.requireKept(file); // The project may have been waited for; who is told of 200 finds the file.
      return addAttachment(change, storyId, file);
    });
    files.noteNamed();
    return elementReply(uploadedAttachmentElement({ id, status: PENDING_ATTACHMENT }));
  } catch (error) {
    // Whatever else went wrong, the attachment may be there although its commit was not heard of: then the sweep decides.
    if (error instanceof Refusal) await files.remove(file.storedAs);
    throw error;
  }
}

/** The attachment with an address at which it can be had for some minutes without a token. */
export async function getAttachment(call: Call): Promise<Reply> {
  const [projectId, storyId] = [param(call, 'projectId'), param(call, 'storyId')];
  const attachmentId = param(call, 'attachmentId');
  const row = await readInProject(call, projectId, async (tx) => {
    await theStory(tx, projectId, storyId);
    return attachmentRow(tx, attachmentId);
  });
  if (row?.storyId !== storyId) throw notFound(`There is no attachment ${attachmentId} on this story.`);
  const url = call.base + downloadAddress(row.id, call.service.downloadKey, call.now);
  return elementReply(attachmentElement({ ...toAttachment(row), url }));
}

/** The file of an attachment, for whoever holds an address that is signed and not yet too old. */
export async function sendDownload(exchange: Exchange): Promise<Reply> {
  const attachmentId = param(exchange, 'attachmentId');
  const { service, query, now } = exchange;
  const { database, files, downloadKey } = service;
  const isAllowed = isDownloadAllowed(attachmentId, query, downloadKey, now);
  const row = isAllowed ? await database.read((tx) => attachmentOver(tx, exchange, attachmentId)) : undefined;
  if (!row) throw pageNotFound('This download address is no longer valid. Ask for the attachment again.');
  const file = await files.read(row.storedAs, row.size);
  if (!file) {
    service.log({
      event: 'error',
      during: 'download',
      message: `The file of attachment ${attachmentId} is missing or cut.`,
    });
    throw pageNotFound('The file of this attachment is missing from the data of the service.');
  }
  return {
    status: 200,
    headers: {
      'Content-Type': 'application/octet-stream',
      'Content-Disposition': contentDisposition(row.filename),
      'Cache-Control': 'private, no-store',
      'Content-Security-Policy': "default-src 'none'; sandbox",
    },
    body: { size: row.size, open: () => file, discard: () => file.destroy() },
  };
}

async function attachmentOver(tx: Tx, exchange: Exchange, attachmentId: number) {
  const row = await attachmentRow(tx, attachmentId);
  const project = row && (await projectById(tx, row.projectId));
  if (project) carried(exchange, project);
  return row;
}
