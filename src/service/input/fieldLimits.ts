import { fieldNames } from '../../core/fieldNames.ts';
import {
  MAX_COMMENTS_OF_STORY,
  MAX_LABELS_OF_STORY,
  MAX_LINE,
  MAX_TASKS_OF_STORY,
  MAX_TEXT_OF_STORY,
} from '../../core/limits.ts';
import type { StoryEdit } from '../../core/story/story.ts';
import { TEXT_LIMITS } from '../../core/story/storyFields.ts';
import { type Refusal, unprocessable } from '../ground/errors.ts';

/** Throws `Refusal` 422 when a text is longer than it may be. */
export function refuseTooLong(what: string, text: string | null | undefined, most: number): void {
  if ((text?.length ?? 0) > most) throw unprocessable(`${what} has at most ${counted(most)} characters.`);
}

/** Throws `Refusal` 422 for what an edit sets and is too long or too much; what a story has already stays as it is. */
export function refuseTooMuch(edit: StoryEdit): void {
  for (const field of fieldNames(TEXT_LIMITS)) {
    const { what, longest } = TEXT_LIMITS[field];
    refuseTooLong(what, edit[field], longest);
  }
  const { ticket, labels = [] } = edit;
  refuseTooLong('The id of a ticket', ticket?.externalId, MAX_LINE);
  if (new Set(labels).size > MAX_LABELS_OF_STORY)
    throw unprocessable(`A story has at most ${MAX_LABELS_OF_STORY} labels.`);
  for (const label of labels) refuseTooLong('A label', label, MAX_LINE);
}

/** What a change would add to a story. */
export interface AddedContent {
  readonly comments?: number;
  readonly tasks?: number;
  /** Of texts, in UTF-8; less than none where they become shorter. */
  readonly bytes: number;
}

/**
 * Why a story that holds so much cannot hold more, if it cannot (protocol.md, Limits). One that holds too much already, from before there
 * was a limit, can still be made to hold less.
 */
export function fullStory(
  held: { readonly comments: number; readonly tasks: number; readonly bytes: number },
  { comments = 0, tasks = 0, bytes }: AddedContent,
): Refusal | undefined {
  if (comments > 0 && held.comments + comments > MAX_COMMENTS_OF_STORY)
    return full('comments', MAX_COMMENTS_OF_STORY, 'Go on in a new story, and name this one there.');
  if (tasks > 0 && held.tasks + tasks > MAX_TASKS_OF_STORY)
    return full('tasks', MAX_TASKS_OF_STORY, 'Remove some, or add them to another story.');
  if (bytes > 0 && held.bytes + bytes > MAX_TEXT_OF_STORY) {
    const mend = 'Shorten it, attach it as a file, or go on in a new story.';
    return unprocessable(
      `The description, comments and tasks of a story have at most ${counted(MAX_TEXT_OF_STORY)} bytes together. ${mend}`,
    );
  }
  return undefined;
}

function full(what: string, most: number, mend: string): Refusal {
  return unprocessable(`A story has at most ${counted(most)} ${what}. ${mend}`);
}

function counted(most: number): string {
  return most.toLocaleString('en');
}
