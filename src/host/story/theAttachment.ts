import { failureMeans, kindOf } from '../../core/errors.ts';
import type { Attachment } from '../../core/story/attachment.ts';
import type { Backlogs } from '../projects/backlogs.ts';
import { byteText } from '../shell/plainText.ts';
import type { AttachmentPlace } from './attachmentUri.ts';

/** An attachment as its server tells of it now. */
export interface CurrentAttachment {
  readonly attachment: Attachment;
  /** Valid for a while; absent where the server gives none that leads to the web. */
  readonly address: string | undefined;
  /** The story's page, where it has one. */
  readonly page: string | undefined;
  /** How many milliseconds the server took to tell, of the time that a download shares with that. */
  readonly waited: number;
}

/**
 * Asks for an attachment with its temporary address. A server that tells of no single attachment may have it in the story
 * (api-v3.md, Rules: how the address is asked for is not shown). All that is asked shares the time of one call. @throws TrackerError `notFound` when the story has it not.
 */
export async function theAttachment(
  backlogs: Pick<Backlogs, 'tracker' | 'refreshStory'>,
  { key, storyId, attachmentId }: AttachmentPlace,
): Promise<CurrentAttachment> {
  const ref = { projectId: key.projectId, storyId };
  const start = performance.now();
  const elapsed = () => ({ waited: performance.now() - start });
  try {
    const attachment = await backlogs.tracker(key).getAttachment(ref, attachmentId);
    const address = openableAddress(attachment.url, undefined);
    if (address !== undefined) return { attachment, address, page: undefined, ...elapsed() };
    const { url } = await backlogs.tracker(key).getStory(ref, elapsed());
    return { ...current(attachment, url), ...elapsed() };
  } catch (thrown) {
    if (!failureMeans(kindOf(thrown), 'notOffered')) throw thrown;
    const { attachments, url } = await backlogs.refreshStory(key, storyId, elapsed());
    const attachment = attachments.find(({ id }) => id === attachmentId);
    if (!attachment) throw thrown;
    return { ...current(attachment, url), ...elapsed() };
  }
}

function current(attachment: Attachment, storyUrl: string | undefined): Omit<CurrentAttachment, 'waited'> {
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

const DAY = /^\d{4}\/\d{1,2}\/\d{1,2}(?= )/;

/** How large, by whom and on which day, as far as the server tells: "12 KB · Ada Fenn · 2026/03/03". */
export function attachmentFacts(attachment: Attachment): string {
  const { uploadedAt } = attachment;
  return facts(attachment, uploadedAt && (DAY.exec(uploadedAt.text)?.[0] ?? uploadedAt.text));
}

/** As `attachmentFacts`, with the time as the server wrote it. */
export function attachmentDetails(attachment: Attachment): string {
  return facts(attachment, attachment.uploadedAt?.text);
}

/** As `attachmentFacts`, without any time. */
export function attachmentOrigin(attachment: Attachment): string {
  return facts(attachment, undefined);
}

function facts({ size, uploadedBy }: Attachment, when: string | undefined): string {
  return [size === undefined ? '' : byteText(size), uploadedBy, when].filter((fact) => fact).join(' · ');
}

/** How VS Code shows a file by itself; `other` files are for other programs. */
export type KindOfContents = 'text' | 'image' | 'other';

const IMAGES = /\.(?:png|jpe?g|jpe|gif|bmp|ico|webp|avif)$/i;
/** Documents of other programs that may begin like text. */
const OTHERS = /\.(?:pdf|ps|eps|rtf)$/i;

/** What an attachment is, by its name and its first bytes. A zero byte is in no text but UTF-16, which begins with a mark. */
export function kindOfContents(filename: string, start: Uint8Array): KindOfContents {
  if (IMAGES.test(filename)) return 'image';
  if (OTHERS.test(filename)) return 'other';
  const [first, second] = start;
  const isUtf16 = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  return isUtf16 || !start.includes(0) ? 'text' : 'other';
}
