import type { Activity } from '../../../src/core/story/activity.ts';
import type { Iteration } from '../../../src/core/story/iteration.ts';
import type { Membership, Project } from '../../../src/core/story/project.ts';
import type { Note, Story, Task } from '../../../src/core/story/story.ts';
import { readActivity } from '../../../src/v3/activity.ts';
import { arrayElement, type Element, listDocument } from '../../../src/v3/element.ts';
import { longIterations, readIterationOf } from '../../../src/v3/iteration.ts';
import { expectList, readChildList } from '../../../src/v3/list.ts';
import { type LongElement, longDocument } from '../../../src/v3/longDocument.ts';
import { readMembership } from '../../../src/v3/membership.ts';
import { readNote } from '../../../src/v3/note.ts';
import { readProject } from '../../../src/v3/project.ts';
import { readText } from '../../../src/v3/read.ts';
import { readStory, storyElement } from '../../../src/v3/story.ts';
import { readTask } from '../../../src/v3/task.ts';
import { writeElement } from '../../../src/v3/write.ts';

// Documents that are lists, and iterations, read and written as a whole: client and service do it story after story.

export function readActivities(root: Element): readonly Activity[] {
  return readList(root, 'activities', 'activity', readActivity);
}

export function readIteration(element: Element): Iteration {
  return readIterationOf(element, readChildList(element, 'stories', 'story', readStory));
}

export function readIterations(root: Element): readonly Iteration[] {
  return readList(root, 'iterations', 'iteration', readIteration);
}

export function readMemberships(root: Element): readonly Membership[] {
  return readList(root, 'memberships', 'membership', readMembership);
}

export function readNotes(root: Element): readonly Note[] {
  return readList(root, 'notes', 'note', readNote);
}

export function readProjects(root: Element): readonly Project[] {
  return readList(root, 'projects', 'project', readProject);
}

export function readStories(root: Element): readonly Story[] {
  return readList(root, 'stories', 'story', readStory);
}

export function readTasks(root: Element): readonly Task[] {
  return readList(root, 'tasks', 'task', readTask);
}

/** The service writes stories one after the other; this is the whole document that comes of it. */
export function storiesElement(stories: readonly Story[], facts: StoryListFacts = {}): Element {
  const { total = stories.length, limit, filter } = facts;
  const attributes = {
    count: String(stories.length),
    total: String(total),
    ...(limit !== undefined && { limit: String(limit) }),
    ...(filter !== undefined && { filter }),
  };
  const list = arrayElement('stories', stories.map(storyElement), attributes);
  return stories.length === 0 ? { ...list, hasClosingTag: true } : list;
}

/** What comes of a document that the service writes in pieces. */
export function wholeDocument(long: LongElement): string {
  return [...longDocument(long)].join('');
}

/** One of the iterations that the service writes one after the other. */
export function iterationElement(iteration: Iteration): Element {
  const item = (story: Story) => (depth: number) => writeElement(storyElement(story), depth);
  const [element] = readText(wholeDocument(longIterations([iteration], item))).children;
  if (!element) throw new Error('The iteration was not written.');
  return element;
}

/** As `storiesElement`, of iterations. */
export function iterationsElement(iterations: readonly Iteration[]): Element {
  return listDocument('iterations', iterations.map(iterationElement));
}

interface StoryListFacts {
  readonly total?: number;
  readonly limit?: number;
  readonly filter?: string;
}

/** Throws `XmlError` for what is not a list of this name; an empty one may be called by another. */
function readList<T>(root: Element, name: string, item: string, read: (item: Element) => T): readonly T[] {
  expectList(root, name);
  return root.children.filter((element) => element.name === item).map(read);
}
