import { PENDING_ATTACHMENT } from '../../v3/assumptions.ts';
import { attachmentElement, uploadedAttachmentElement } from '../../v3/attachment.ts';
import { downloadAddress } from '../attachments/downloadAddress.ts';
import { receiveUpload } from '../attachments/receiveUpload.ts';
import { changeProject, readInProject, requireRole } from '../auth/projectAccess.ts';
import { type Call, param } from '../call/exchange.ts';
import { notFound, Refusal } from '../ground/errors.ts';
import { elementReply, type Reply } from '../http/reply.ts';
import { attachmentRow, toAttachment } from '../store/stories/attachments.ts';
import { addAttachment, refuseTooManyAttachments, refuseWithoutAttachments } from '../useCases/addAttachment.ts';
import { theStory } from '../useCases/theStory.ts';

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
