import type { Attachment } from '../../core/story/attachment.ts';
import { byteText } from '../shell/plainText.ts';

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
