import { type Backlog, findStory, withStory } from '../backlog/backlog.ts';
import { withMove } from '../backlog/ordering.ts';
import { isInProgress, isScheduled } from '../backlog/workflow.ts';
import type { Iteration } from '../story/iteration.ts';
import type { Note, Story, StoryEdit, Task } from '../story/story.ts';
import { editedStory, pendingStory } from './editedStory.ts';
import { type Intent, withLabels } from './intent.ts';

/**
 * The backlog as it will look once a server has done what is wanted; unchanged where the story is not in it. Applied twice it
 * is as applied once. `place` is the entry's in the outbox, which tells its comment from an equal one.
 */
export function withIntent(backlog: Backlog, intent: Intent, place = 0): Backlog {
  const story = findStory(backlog, intent.storyId);
  if (!story) return intent.kind === 'newStory' ? withNewStory(backlog, intent) : backlog;
  switch (intent.kind) {
    case 'edit':
      return withEdit(backlog, story, intent.edit);
    case 'move':
      return withMove(backlog, story.id, intent.place, intent.targetId);
    case 'comment':
      return withStory(backlog, { ...story, notes: withPendingNote(story.notes, intent.text, place) });
    case 'labels':
      return withStory(backlog, { ...story, labels: withLabels(story.labels, intent.change) });
    case 'task':
      return withStory(backlog, { ...story, tasks: withTick(story.tasks, intent) });
    case 'newTask':
      return withStory(backlog, { ...story, tasks: withPendingTask(story.tasks, intent.description, place) });
    case 'newStory':
    case 'link':
      return backlog;
  }
}

/** A story as it is shown while something that was done to it waits in the outbox; no server says so. */
interface UnsentStory extends Story {
  readonly isUnsent: true;
}

/** The backlog with a story marked as one that waits for its server. */
export function withUnsent(backlog: Backlog, storyId: number): Backlog {
  const story = findStory(backlog, storyId);
  if (!story || isUnsent(story)) return backlog;
  const marked: UnsentStory = { ...story, isUnsent: true };
  return withStory(backlog, marked);
}

export function isUnsent(story: Story): story is UnsentStory {
  return 'isUnsent' in story;
}

/** A comment that no server has yet has a negative id, which none gives, and neither author nor date. */
export function isPendingNote({ id }: Pick<Note, 'id'>): boolean {
  return id < 0;
}

/** A task that no server has yet has a negative id, which none gives. */
export function isPendingTask({ id }: Pick<Task, 'id'>): boolean {
  return id < 0;
}

function withPendingTask(tasks: readonly Task[], description: string, place: number): readonly Task[] {
  const pending: Task = { id: -1 - place, description, complete: false };
  return [...tasks.filter(({ id }) => id !== pending.id), pending];
}

function withTick(tasks: readonly Task[], { taskId, complete }: Extract<Intent, { kind: 'task' }>): readonly Task[] {
  return tasks.map((task) => (task.id === taskId && task.complete !== complete ? { ...task, complete } : task));
}

/** On top of the icebox, else at the end of the backlog, where our service puts it too. */
function withNewStory(backlog: Backlog, { storyId, story }: Extract<Intent, { kind: 'newStory' }>): Backlog {
  const added = pendingStory(storyId, story);
  if (!isScheduled(added.state)) return { ...backlog, icebox: [added, ...backlog.icebox] };
  return outOfIcebox(backlog, added);
}

function withPendingNote(notes: readonly Note[], text: string, place: number): readonly Note[] {
  const pending: Note = { id: -1 - place, text };
  return [...notes.filter(({ id }) => id !== pending.id), pending];
}

function withEdit(backlog: Backlog, story: Story, edit: StoryEdit): Backlog {
  const edited = editedStory(story, edit);
  const inPlace = withStory(backlog, edited);
  if (edit.state === undefined) return inPlace;
  const isFrozen = backlog.icebox.some(({ id }) => id === story.id);
  if (!isScheduled(edited.state)) return isFrozen ? inPlace : intoIcebox(inPlace, edited);
  return isFrozen ? outOfIcebox(inPlace, edited) : inPlace;
}

const without = (stories: readonly Story[], { id }: Story) => stories.filter((story) => story.id !== id);

function intoIcebox(backlog: Backlog, story: Story): Backlog {
  const iterations = backlog.iterations.map((one) => ({ ...one, stories: without(one.stories, story) }));
  const done = backlog.done.map((one) => ({ ...one, stories: without(one.stories, story) }));
  return { ...backlog, done, iterations, icebox: [...without(backlog.icebox, story), story] };
}

/** Into the current iteration when work has begun, else into the last; with none there it shows once the project was read again. */
function outOfIcebox(backlog: Backlog, story: Story): Backlog {
  const index = isInProgress(story.state) || story.state === 'accepted' ? 0 : backlog.iterations.length - 1;
  const home = backlog.iterations[index];
  if (!home) return backlog;
  const filled: Iteration = { ...home, stories: [...without(home.stories, story), story] };
  return {
    ...backlog,
    iterations: backlog.iterations.with(index, filled),
    icebox: without(backlog.icebox, story),
  };
}
