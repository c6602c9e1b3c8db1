import {
  MAX_ATTACHMENTS_OF_STORY,
  MAX_COMMENTS_OF_STORY,
  MAX_LABELS_OF_PROJECT,
  MAX_TASKS_OF_STORY,
  MAX_TEXT_OF_STORY,
} from '../../core/limits.ts';
import type { Attachment } from '../../core/story/attachment.ts';
import type { CutStory, Note, Story, Task } from '../../core/story/story.ts';
import { readAttachment } from '../../v3/attachment.ts';
import type { Element } from '../../v3/element.ts';
import { readNote } from '../../v3/note.ts';
import { readStory } from '../../v3/story.ts';
import { readTask } from '../../v3/task.ts';
import { XmlError } from '../../v3/xmlError.ts';

const PARTS = ['notes/note', 'tasks/task', 'attachments/attachment'] as const;

/**
 * Decodes stories whose comments, tasks and files come one by one, before the story around them. No more of them is kept than a
 * story may have (protocol.md, Limits): of more, the newest, so that one story of an endless list holds nobody up.
 */
export class StoryReader {
  /** Names below the root of what is to be given to `read`, other than stories. */
  readonly paths: readonly string[];
  private notes = new Newest<Note>(MAX_COMMENTS_OF_STORY);
  private tasks = new Newest<Task>(MAX_TASKS_OF_STORY);
  private attachments = new Newest<Attachment>(MAX_ATTACHMENTS_OF_STORY);

  /** `at` is where stories are below the root; empty when the root is one. */
  constructor(at = '') {
    this.paths = PARTS.map((part) => (at === '' ? part : `${at}/${part}`));
  }

  /** Takes a part of a story, and gives the story when that is complete. Throws `XmlError`. */
  read(element: Element): Story | CutStory | undefined {
    switch (element.name) {
      case 'note':
        this.notes.add(readNote(element));
        return undefined;
      case 'task':
        this.tasks.add(readTask(element));
        return undefined;
      case 'attachment':
        this.attachments.add(readAttachment(element));
        return undefined;
      default:
        return this.story(element);
    }
  }

  private story(element: Element): Story | CutStory {
    const story = readStory(element);
    // Those of a story are written back whole, so that none may be left out.
    if (story.labels.length > MAX_LABELS_OF_PROJECT) throw new XmlError(`The story ${story.id} has too many labels.`);
    const { notes, tasks, attachments } = this;
    this.notes = new Newest(MAX_COMMENTS_OF_STORY);
    this.tasks = new Newest(MAX_TASKS_OF_STORY);
    this.attachments = new Newest(MAX_ATTACHMENTS_OF_STORY);
    const parts = {
      attachments: attachments.items,
      notes: withinText(notes.items, ({ text }) => text.length),
      tasks: withinText(tasks.items, ({ description }) => description.length),
    };
    const older = {
      attachments: attachments.count - parts.attachments.length,
      notes: notes.count - parts.notes.length,
      tasks: tasks.count - parts.tasks.length,
    };
    const isMore = older.attachments + older.notes + older.tasks > 0;
    return { ...story, ...parts, ...(isMore && { older }) };
  }
}

/** The last that come of many. */
class Newest<T> {
  count = 0;
  private kept: T[] = [];
  private readonly most: number;

  constructor(most: number) {
    this.most = most;
  }

  add(item: T): void {
    this.count += 1;
    this.kept.push(item);
    if (this.kept.length >= 2 * this.most) this.kept = this.kept.slice(-this.most);
  }

  get items(): readonly T[] {
    return this.kept.length > this.most ? this.kept.slice(-this.most) : this.kept;
  }
}

/** The last of them whose texts together are no longer than those of a story may be. */
function withinText<T>(items: readonly T[], lengthOf: (item: T) => number): readonly T[] {
  let left = MAX_TEXT_OF_STORY;
  for (let at = items.length - 1; at >= 0; at--) {
    const item = items[at];
    if (item !== undefined) left -= lengthOf(item);
    if (left < 0) return items.slice(at + 1);
  }
  return items;
}
