import { MAX_ATTACHMENT_TEXT, MAX_LABELS_OF_STORY, MAX_LINE, MAX_TEXT } from '../../../core/limits.ts';
import { ownCopy } from '../../../v3/ownedText.ts';
import type { ImportedNote, ImportedStory } from './importedStory.ts';
import type { Remarking } from './remarks.ts';

type Texts = Pick<
  ImportedStory,
  'description' | 'requestedBy' | 'ownedBy' | 'labels' | 'notes' | 'tasks' | 'attachments'
>;

/**
 * The story with texts no longer than this service takes them, since a longer one would keep readers from the whole project. A comment
 * becomes several; what else is too long is cut and remarked.
 */
export function fittedTexts(story: ImportedStory, remark: Remarking): ImportedStory {
  const cut = (column: string, text: string, most: number): string => {
    if (text.length > most) remark(column, text, `It was cut after ${most} characters.`);
    return head(text, most);
  };
  const { description, requestedBy, ownedBy, labels } = story;
  const texts: Texts = {
    ...(description && { description: cut('Description', description, MAX_TEXT) }),
    ...(requestedBy && { requestedBy: cut('Requested By', requestedBy, MAX_LINE) }),
    ...(ownedBy && { ownedBy: cut('Owned By', ownedBy, MAX_LINE) }),
    ...(labels && { labels: fewLabels(labels, remark).map((label) => cut('Labels', label, MAX_LINE)) }),
    notes: story.notes.flatMap((note) => shortNotes({ ...note, author: cut('Comment', note.author, MAX_LINE) })),
    tasks: story.tasks.map((task) => ({ ...task, description: cut('Task', task.description, MAX_TEXT) })),
    attachments: story.attachments.map((each) => ({
      ...each,
      filename: cut('Attachment', each.filename, MAX_LINE),
      description: cut('Attachment', each.description, MAX_ATTACHMENT_TEXT),
      uploadedBy: cut('Attachment', each.uploadedBy, MAX_LINE),
    })),
  };
  return { ...story, ...texts };
}

function fewLabels(labels: readonly string[], remark: Remarking): readonly string[] {
  const surplus = labels.slice(MAX_LABELS_OF_STORY);
  if (surplus.length > 0) remark('Labels', surplus.join(', '), `A story has at most ${MAX_LABELS_OF_STORY} labels.`);
  return labels.slice(0, MAX_LABELS_OF_STORY);
}

function shortNotes(note: ImportedNote): readonly ImportedNote[] {
  const first = head(note.text, MAX_TEXT);
  if (first.length === note.text.length) return [note];
  return [{ ...note, text: first }, ...shortNotes({ ...note, text: note.text.slice(first.length) })];
}

/** Of a pair of units that are one character both or none. */
function head(text: string, most: number): string {
  const isPair = text.length > most && /[\uD800-\uDBFF]/.test(text.charAt(most - 1));
  return text.length > most ? ownCopy(text.slice(0, isPair ? most - 1 : most)) : text;
}
