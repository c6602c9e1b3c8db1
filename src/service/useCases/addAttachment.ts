import type { ReceivedFile } from '../attachments/receiveUpload.ts';
import type { Change } from '../auth/projectAccess.ts';
import { unprocessable } from '../refusal.ts';
import { insertAttachment, toAttachment } from '../store/attachments.ts';
import type { ProjectRow } from '../store/projects.ts';
import { updateStoryRow } from '../store/storyRows.ts';
import { quoted, record } from './record.ts';
import { changedStory } from './theStory.ts';

/** Names a received file as an attachment of a story and gives its id. */
export async function addAttachment(change: Change, storyId: number, file: ReceivedFile): Promise<number> {
  const story = await changedStory(change, storyId);
  refuseWithoutAttachments(change.project);
  const { tx, project, user, now } = change;
  const row = await insertAttachment(tx, {
    ...file,
    projectId: project.id,
    storyId,
    uploadedBy: user.name,
    uploaderId: user.id,
    uploadedAt: now,
  });
  await updateStoryRow(tx, storyId, { updatedAt: now });
  const text = `added attachment ${quoted(file.filename)} to ${quoted(story.name)}`;
  await record(change, 'attachment_create', text, [
    { id: storyId, changed: { attachments: [toAttachment(row)] }, cleared: [] },
  ]);
  return row.id;
}

export function refuseWithoutAttachments({ allowAttachments }: ProjectRow): void {
  if (allowAttachments === 0) throw unprocessable('Attachments are switched off in the settings of this project.');
}
