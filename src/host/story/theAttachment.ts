import { failureMeans, kindOf } from '../../core/errors.ts';
import type { Attachment } from '../../core/story/attachment.ts';
import type { Backlogs } from '../projects/backlogs.ts';
import type { AttachmentPlace } from './attachmentUri.ts';

/** An attachment as its server tells of it now. */
export interface CurrentAttachment {
  readonly attachment: Attachment;
  /** Valid for a while; absent where the server gives none that leads to the web. */
  readonly address: string | undefined;
  /** The story's page, where it has one. */
  readonly page: string | undefined;
}

/**
 * Asks for an attachment with its temporary address. A server that tells of no single attachment may have it in the story
 * (api-v3.md, Rules: how the address is asked for is not shown). @throws TrackerError `notFound` when the story has it not.
 */
export async function theAttachment(
  backlogs: Pick<Backlogs, 'tracker' | 'refreshStory'>,
  { key, storyId, attachmentId }: AttachmentPlace,
): Promise<CurrentAttachment> {
  const ref = { projectId: key.projectId, storyId };
  try {
    const attachment = await backlogs.tracker(key).getAttachment(ref, attachmentId);
    const address = openableAddress(attachment.url, undefined);
    if (address !== undefined) return { attachment, address, page: undefined };
    const { url } = await backlogs.tracker(key).getStory(ref);
    return current(attachment, url);
  } catch (thrown) {
    if (!failureMeans(kindOf(thrown), 'notOffered')) throw thrown;
    const { attachments, url } = await backlogs.refreshStory(key, storyId);
    const attachment = attachments.find(({ id }) => id === attachmentId);
    if (!attachment) throw thrown;
    return current(attachment, url);
  }
}

function current(attachment: Attachment, storyUrl: string | undefined): CurrentAttachment {
  const page = openableAddress(storyUrl, undefined);
  return { attachment, address: openableAddress(attachment.url, page), page };
}

/**
 * The address as one that may be opened: http or https only, since it comes from a server; a relative one is below the
 * story's page. `undefined` when there is none.
 */
function openableAddress(address: string | undefined, page: string | undefined): string | undefined {
  if (!address || !URL.canParse(address, page)) return undefined;
  const url = new URL(address, page);
  return url.protocol === 'https:' || url.protocol === 'http:' ? url.href : undefined;
}
