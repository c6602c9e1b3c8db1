import { PENDING_ATTACHMENT } from '../../v3/assumptions.ts';
import { attachmentElement, uploadedAttachmentElement } from '../../v3/attachment.ts';
import { contentDisposition, downloadAddress, isDownloadAllowed } from '../attachments/downloadAddress.ts';
import { receiveUpload } from '../attachments/receiveUpload.ts';
import { carried, changeProject, readInProject, requireRole } from '../auth/projectAccess.ts';
import { type Call, type Exchange, param } from '../call/exchange.ts';
import { notFound, pageNotFound, Refusal } from '../ground/errors.ts';
import { elementReply, type Reply } from '../http/reply.ts';
import type { Tx } from '../store/database.ts';
import { projectById } from '../store/projects/projects.ts';
import { attachmentRow, toAttachment } from '../store/stories/attachments.ts';
import { addAttachment, refuseTooManyAttachments, refuseWithoutAttachments } from '../useCases/storyParts.ts';
import { theStory } from '../useCases/storyRules.ts';

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
