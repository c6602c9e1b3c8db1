import type { Attachment } from '../../../core/story/attachment.ts';
import type { Note, Task } from '../../../core/story/story.ts';
import type { DetailNode } from '../../../host/tree/nodes.ts';

export type Detail =
  | { readonly kind: 'task'; readonly task: Task }
  | { readonly kind: 'attachment'; readonly attachment: Attachment }
  | { readonly kind: 'note'; readonly note: Note };

/** What a row below a story stands for; `undefined` once the story has it no more. */
export function detailOf({ parent: { story }, kind, id }: DetailNode): Detail | undefined {
  const named = <T extends { readonly id: number }>(parts: readonly T[]) => parts.find((part) => part.id === id);
  if (kind === 'task') {
    const task = named(story.tasks);
    return task && { kind, task };
  }
  if (kind === 'attachment') {
    const attachment = named(story.attachments);
    return attachment && { kind, attachment };
  }
  const note = named(story.notes);
  return note && { kind, note };
}
