import {
  MAX_ATTACHMENTS_OF_STORY,
  MAX_COMMENTS_OF_STORY,
  MAX_LABELS_OF_PROJECT,
  MAX_TASKS_OF_STORY,
  MAX_TEXT_OF_STORY,
} from '../../core/limits.ts';
import type { Attachment } from '../../core/story/attachment.ts';
import type { Iteration } from '../../core/story/iteration.ts';
import type { CutStory, Note, Story, Task } from '../../core/story/story.ts';
import { readAttachment } from '../../v3/attachment.ts';
import type { Element } from '../../v3/element.ts';
import { expectRoot } from '../../v3/fields.ts';
import { readIterationOf } from '../../v3/iteration.ts';
import { expectList } from '../../v3/list.ts';
import { readNote } from '../../v3/note.ts';
import { type Chunks, readDocument, readItems } from '../../v3/read.ts';
import { readStory } from '../../v3/story.ts';
import { readTask } from '../../v3/task.ts';
import { XmlError } from '../../v3/xmlError.ts';
import { GatheredBytes } from './answerBody.ts';

/** Bytes; a story with all its comments and tasks is far shorter. */
const LONGEST_OF_ONE = 8 * 1024 * 1024;

/** Turns the body of an answer into a value while it arrives. Throws `XmlError`, and what the body throws. */
export type AnswerReader<T> = (body: Chunks) => Promise<T>;

/** The answer is one resource. */
export function one<T>(name: string, read: (element: Element) => T): AnswerReader<T> {
  return async (body) => {
    const root = await readDocument(body);
    expectRoot(root, name);
    return read(root);
  };
}

/** The answer is a list; each item is decoded and its XML dropped as soon as it is complete. */
export function listOf<T>(name: string, item: string, read: (element: Element) => T): AnswerReader<readonly T[]> {
  return async (body) => {
    const items: T[] = [];
    const root = await readItems(body, [item], (element) => items.push(read(element)));
    expectList(root, name);
    return items;
  };
}

/** The answer is a story. */
export async function story(body: Chunks): Promise<Story> {
  const reader = new StoryReader();
  const root = await readItems(body, reader.paths, (element) => reader.read(element));
  expectRoot(root, 'story');
  const whole = reader.read(root);
  if (!whole) throw new XmlError('It is not a story.');
  return whole;
}

/** The answer is a list of stories. */
export async function stories(body: Chunks): Promise<readonly Story[]> {
  const items: Story[] = [];
  const reader = new StoryReader('story');
  const root = await readItems(body, ['story', ...reader.paths], (element) => {
    const whole = reader.read(element);
    if (whole) items.push(whole);
  });
  expectList(root, 'stories');
  return items;
}

/**
 * Stories are decoded before their iteration is complete, so that one long backlog is never held as XML. The first iteration
 * is also told to `onFirst` as soon as it is complete. A story that is in an iteration twice is there where it is first.
 */
export async function iterationList(
  body: Chunks,
  onFirst?: (iteration: Iteration) => void,
): Promise<readonly Iteration[]> {
  const iterations: Iteration[] = [];
  const reader = new StoryReader('iteration/stories/story');
  let known = new Map<number, Story>();
  const root = await readItems(body, ['iteration', 'iteration/stories/story', ...reader.paths], (element) => {
    if (element.name === 'iteration') {
      const iteration = readIterationOf(element, [...known.values()]);
      if (iterations.push(iteration) === 1) onFirst?.(iteration);
      known = new Map();
      return;
    }
    const whole = reader.read(element);
    if (whole && !known.has(whole.id)) known.set(whole.id, whole);
  });
  expectList(root, 'iterations');
  return iterations;
}

/** For answers the document does not show: undefined when there is nothing of the kind in them. */
export function perhaps<T>(read: AnswerReader<T>): AnswerReader<T | undefined> {
  return async (body) => {
    const bytes = await gathered(body);
    try {
      return await read([bytes]);
    } catch (error) {
      if (error instanceof XmlError) return undefined;
      throw error;
    }
  };
}

/** As `perhaps`, where nothing at all says enough and anything else does not: undefined when the answer is empty. */
export function unlessEmpty<T>(read: AnswerReader<T>): AnswerReader<T | undefined> {
  return async (body) => {
    const bytes = await gathered(body);
    return bytes.toString('latin1').trim() === '' ? undefined : read([bytes]);
  };
}

/** @throws XmlError */
async function gathered(body: Parameters<AnswerReader<unknown>>[0]): Promise<Buffer> {
  const all = new GatheredBytes();
  for await (const chunk of body) {
    all.add(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
    if (all.length > LONGEST_OF_ONE) throw new XmlError('It is too long for an answer to a change.');
  }
  return Buffer.from(all.bytes());
}

const PARTS = ['notes/note', 'tasks/task', 'attachments/attachment'] as const;

/**
 * Decodes stories whose comments, tasks and files come one by one, before the story around them. No more of them is kept than a
 * story may have (protocol.md, Limits): of more, the newest, so that one story of an endless list holds nobody up.
 */
class StoryReader {
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
