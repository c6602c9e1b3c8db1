import { MAX_NUMBER } from '../core/limits.ts';
import { type Attachment, lastOfPath } from '../core/story/attachment.ts';
import { ATTACHMENT_SIZE_ELEMENT } from './assumptions.ts';
import { dateElement, type Element, integerElement, parent, textElement } from './element.ts';
import { date, filledText, id, present, rawText, word } from './fields.ts';

export function readAttachment(element: Element): Attachment {
  return present({
    id: id(element),
    filename: lastOfPath(rawText(element, 'filename') ?? ''),
    description: rawText(element, 'description'),
    uploadedBy: filledText(element, 'uploaded_by'),
    uploadedAt: date(element, 'uploaded_at'),
    url: word(element, 'url'),
    size: sizeIn(element),
    status: word(element, 'status'),
  });
}

/** What else a server may call so says nothing to us, and must not make its story unreadable. */
function sizeIn(element: Element): number | undefined {
  const text = word(element, ATTACHMENT_SIZE_ELEMENT);
  const size = text !== undefined && text.length <= MAX_NUMBER && /^\d+$/.test(text) ? Number(text) : undefined;
  return size !== undefined && Number.isSafeInteger(size) ? size : undefined;
}

export function attachmentElement(attachment: Attachment): Element {
  return parent('attachment', [
    integerElement('id', attachment.id),
    textElement('filename', attachment.filename),
    textElement('description', attachment.description),
    textElement('uploaded_by', attachment.uploadedBy),
    dateElement('uploaded_at', attachment.uploadedAt),
    textElement('url', attachment.url),
    integerElement(ATTACHMENT_SIZE_ELEMENT, attachment.size),
    textElement('status', attachment.status),
  ]);
}

/** The answer to an upload, as recordings show it: an id and a status only. */
export function uploadedAttachmentElement(attachment: { readonly id: number; readonly status: string }): Element {
  return parent('attachment', [integerElement('id', attachment.id), textElement('status', attachment.status)]);
}
