import { MAX_ATTACHMENT_TEXT, MAX_ATTACHMENTS_OF_STORY } from '../../core/limits.ts';
import type { ReceivedFile } from '../attachments/receiveUpload.ts';
import type { Change } from '../auth/projectAccess.ts';
import { unprocessable } from '../ground/errors.ts';
import { refuseTooLong } from '../input/fieldLimits.ts';
import type { Tx } from '../store/database.ts';
import type { ProjectRow } from '../store/projects/projects.ts';
import { hasAttachments, insertAttachment, toAttachment } from '../store/stories/attachments.ts';
import { updateStoryRow } from '../store/stories/storyRows.ts';
import { quoted, record } from './recordActivity.ts';
import { changedStory } from './storyRules.ts';

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
  await updateStoryRow(tx, storyId, { updatedAt: now });
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
