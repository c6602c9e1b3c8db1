import { MAX_LABELS_OF_STORY, MAX_LINE, MAX_TEXT } from '../../core/limits.ts';
import type { StoryEdit } from '../../core/story.ts';
import { unprocessable } from '../refusal.ts';

/** Throws `Refusal` 422 when a text is longer than it may be. */
export function refuseTooLong(what: string, text: string | null | undefined, most: number): void {
  if ((text?.length ?? 0) > most) throw unprocessable(`${what} has at most ${most.toLocaleString('en')} characters.`);
}

/** Throws `Refusal` 422 for what an edit sets and is too long or too much; what a story has already stays as it is. */
export function refuseTooMuch({ description, requestedBy, ownedBy, ticket, labels = [] }: StoryEdit): void {
  refuseTooLong('The description of a story', description, MAX_TEXT);
  refuseTooLong('The name of a requester', requestedBy, MAX_LINE);
  refuseTooLong('The name of an owner', ownedBy, MAX_LINE);
  refuseTooLong('The id of a ticket', ticket?.externalId, MAX_LINE);
  if (new Set(labels).size > MAX_LABELS_OF_STORY)
    throw unprocessable(`A story has at most ${MAX_LABELS_OF_STORY} labels.`);
  for (const label of labels) refuseTooLong('A label', label, MAX_LINE);
}
