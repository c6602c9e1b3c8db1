import * as vscode from 'vscode';
import type { Attachment } from '../../core/attachment.ts';
import { TrackerError } from '../../core/errors.ts';
import type { App } from '../../host/app.ts';
import { isPlainObject } from '../../host/commands.ts';
import type { FoundStory } from '../../host/foundStory.ts';
import { DetailNode, StoryNode } from '../../host/nodes.ts';
import { withoutIcons } from '../../host/plainText.ts';

export interface FoundAttachment {
  readonly found: FoundStory;
  readonly attachment: Attachment;
}

export type AttachmentNeeds = Pick<App, 'backlogs' | 'messages' | 'storyArgument'>;

/**
 * Which attachment is meant: the row, `{ storyId, attachmentId, projectId? }`, or one picked; with its temporary
 * address where the server gives one. `undefined`: the person turned away.
 */
export async function attachmentOf(needs: AttachmentNeeds, argument: unknown): Promise<FoundAttachment | undefined> {
  const row = argument instanceof DetailNode && argument.kind === 'attachment' ? argument : undefined;
  const found = await storyOf(needs, row ? row.parent : argument);
  if (!found) return undefined;
  const id = row?.id ?? namedId(argument) ?? (await pick(found));
  if (id === undefined) return undefined;
  const story = { projectId: found.key.projectId, storyId: found.story.id };
  return { found, attachment: await needs.backlogs.tracker(found.key).getAttachment(story, id) };
}

async function storyOf(needs: AttachmentNeeds, argument: unknown): Promise<FoundStory | undefined> {
  const given = argument instanceof StoryNode || isPlainObject(argument) ? argument : undefined;
  return needs.storyArgument.ofSelection(given, vscode.l10n.t('Story that holds the attachment'));
}

function namedId(argument: unknown): number | undefined {
  const id = isPlainObject(argument) ? argument.attachmentId : undefined;
  return typeof id === 'number' ? id : undefined;
}

async function pick({ story }: FoundStory): Promise<number | undefined> {
  if (story.attachments.length === 0) {
    throw new TrackerError('input', vscode.l10n.t('Story #{0} has no attachments.', story.id));
  }
  const items = story.attachments.map(({ id, filename, description, uploadedBy }) => ({
    label: withoutIcons(filename),
    description: withoutIcons([description, uploadedBy].filter(Boolean).join(' · ')),
    id,
  }));
  const placeHolder = vscode.l10n.t('Attachment of #{0}', story.id);
  return (await vscode.window.showQuickPick(items, { placeHolder }))?.id;
}
