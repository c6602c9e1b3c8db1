import * as vscode from 'vscode';
import { retold, TrackerError } from '../../../core/errors.ts';
import type { Attachment } from '../../../core/story/attachment.ts';
import type { App } from '../../../host/app.ts';
import { programArguments } from '../../../host/shell/commands.ts';
import { withoutIcons } from '../../../host/shell/plainText.ts';
import type { AttachmentPlace } from '../../../host/story/attachmentUri.ts';
import { attachmentFacts, type CurrentAttachment, theAttachment } from '../../../host/story/theAttachment.ts';
import { DetailNode, type FoundStory } from '../../../host/tree/nodes.ts';

/** Which attachment is meant; what is known of it, if anything, is in `listed`. */
export interface FoundAttachment extends AttachmentPlace {
  readonly listed: Attachment | undefined;
}

export type AttachmentNeeds = Pick<App, 'backlogs' | 'messages' | 'storyArgument' | 'engine' | 'storiesView'>;

/**
 * Which attachments are meant: the row or the selected rows, `{ storyId, attachmentId, projectId? }`, the `attachmentId` after
 * a story, or one picked. None: the person turned away.
 */
export async function attachmentsOf(
  needs: AttachmentNeeds,
  argument: unknown,
  selected: unknown,
): Promise<readonly FoundAttachment[]> {
  const rows = attachmentRows(argument, selected ?? needs.storiesView.selection());
  if (rows.length > 0) return rows.map((row) => placed({ key: row.parent.key, story: row.parent.story }, row.id));
  const found = await storyOf(needs, argument);
  const id = found && (namedId([argument, selected]) ?? (await pick(found)));
  return found && id !== undefined ? [placed(found, id)] : [];
}

/** All of a story. @throws TrackerError `input` when it has none. */
export async function allAttachmentsOf(needs: AttachmentNeeds, argument: unknown): Promise<readonly FoundAttachment[]> {
  const found = await storyOf(needs, argument);
  if (!found) return [];
  requireSome(found);
  return found.story.attachments.map(({ id }) => placed(found, id));
}

/** Without an argument, as by a key in the tree, those that are selected. */
function attachmentRows(argument: unknown, selected: unknown): readonly DetailNode[] {
  const isAttachment = (row: unknown): row is DetailNode => row instanceof DetailNode && row.kind === 'attachment';
  const rows: readonly unknown[] = Array.isArray(selected) ? selected : [];
  if (argument === undefined) return rows.every(isAttachment) ? rows.filter(isAttachment) : [];
  if (!isAttachment(argument)) return [];
  return rows.includes(argument) ? rows.filter(isAttachment) : [argument];
}

function placed({ key, story }: FoundStory, attachmentId: number): FoundAttachment {
  const listed = story.attachments.find(({ id }) => id === attachmentId);
  return { key, storyId: story.id, attachmentId, listed };
}

async function storyOf(needs: AttachmentNeeds, argument: unknown): Promise<FoundStory | undefined> {
  return needs.storyArgument.ofSelection(argument, vscode.l10n.t('Story with the attachment'));
}

function namedId(args: readonly unknown[]): number | undefined {
  const { attachmentId } = programArguments(args);
  return typeof attachmentId === 'number' ? attachmentId : undefined;
}

async function pick(found: FoundStory): Promise<number | undefined> {
  requireSome(found);
  const { story } = found;
  const items = story.attachments.map((attachment) => ({
    label: withoutIcons(attachment.filename),
    description: withoutIcons(attachmentFacts(attachment)),
    id: attachment.id,
  }));
  const placeHolder = vscode.l10n.t('Attachments of #{0}', story.id);
  return (await vscode.window.showQuickPick(items, { placeHolder }))?.id;
}

function requireSome({ story }: FoundStory): void {
  if (story.attachments.length > 0) return;
  throw new TrackerError('input', vscode.l10n.t('Story #{0} has no attachments.', story.id));
}

export interface ReachableAttachment {
  readonly attachment: Attachment;
  /** Valid for a while, without a token. */
  readonly address: string;
  /** As in `CurrentAttachment`. */
  readonly waited: number;
}

/** The attachment and where it can be fetched now. Without an address the story's page is offered instead, and nothing returned. */
export async function withAddress(
  { backlogs, messages }: Pick<App, 'backlogs' | 'messages'>,
  place: AttachmentPlace,
): Promise<ReachableAttachment | undefined> {
  const { attachment, address, page, waited } = await askedAttachment(backlogs, place);
  if (address !== undefined) return { attachment, address, waited };
  const text = noAddress(attachment);
  if (page === undefined) throw new TrackerError('notFound', text);
  const openPage = vscode.l10n.t('Open Story in Browser');
  void messages.offer(text, openPage).then((answer) => {
    if (answer === openPage) void vscode.env.openExternal(vscode.Uri.parse(page, true));
  });
  return undefined;
}

/** As `theAttachment`; of a server that is silent, says what it was asked. */
export async function askedAttachment(backlogs: App['backlogs'], place: AttachmentPlace): Promise<CurrentAttachment> {
  try {
    return await theAttachment(backlogs, place);
  } catch (thrown) {
    if (!(thrown instanceof TrackerError && thrown.kind === 'timeout')) throw thrown;
    const text = vscode.l10n.t('Asking for the address of the attachment took too long. {0}', thrown.message);
    throw retold(thrown, text);
  }
}

/** Says that the server gives no address for an attachment. */
export function noAddress({ filename }: Attachment): string {
  return vscode.l10n.t('The server has no address for “{0}”.', filename);
}
