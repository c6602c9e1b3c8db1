import type { DatabaseSync } from 'node:sqlite';
import { kindOf, messageOf } from '../../core/errors.ts';
import type { Intent } from '../../core/intents/intent.ts';
import { withoutTask, withTaskAt } from '../../core/intents/task.ts';
import type { EntryProblem } from '../../core/outbox/outbox.ts';
import type { Story } from '../../core/story/story.ts';
import { rememberLinked } from '../commits/linkedCommits.ts';
import { putStory, storyIn } from '../file/replicaRows.ts';
import { removeStory } from '../replica/removedStory.ts';
import type { Done, RefusedTask } from './attempted.ts';
import { claimNotes } from './linksInDoubt.ts';
import { deleteRow, insertFailedRow, numberBeside, type OutboxRow } from './outboxRows.ts';
import { isStuck, markPassed } from './outboxTurns.ts';

/** The number of the story that a server has made for an entry. */
export function createdBy({ intent }: OutboxRow, { story }: Done): number | undefined {
  return intent.kind === 'newStory' ? story?.id : undefined;
}

/** Puts what a server has made of an entry into the local copy in its place; nothing where another window has done so. */
export function storeAnswer(database: DatabaseSync, row: OutboxRow, done: Done, now: number): void {
  const { project, intent, id } = row;
  const { story } = done;
  const created = createdBy(row, done);
  if (!deleteRow(database, id)) return;
  if (story) putStory(database, project, story);
  if (created !== undefined) {
    numberBeside(database, project, intent.storyId, created);
    keepRefusedTasks(database, row, created, done.refusedTasks ?? []);
  }
  if (done.isGone) removeStory(database, project, intent.storyId);
  const known = storyIn(database, project, intent.storyId);
  const after = known && withParts(known, intent, done);
  if (after && after !== known) putStory(database, project, after);
  if (!isStuck(row)) markPassed(database, project);
  if (intent.kind !== 'link') return;
  rememberLinked(database, project, intent.commit.commitId, intent.stories, now);
  claimNotes(database, row, done.commitNoteIds ?? []);
}

/** As changes of their own that were refused, so that what was written is told and can be tried again. */
function keepRefusedTasks(
  database: DatabaseSync,
  { id, project, addedAt }: OutboxRow,
  storyId: number,
  tasks: readonly RefusedTask[],
): void {
  for (const [index, { description, complete, refusal }] of tasks.entries()) {
    const own = `${id}-${index}`;
    const intent: Intent = { kind: 'newTask', storyId, description, ...(complete && { complete }) };
    insertFailedRow(database, { id: own, batch: own, project, intent, addedAt }, problemOf(refusal));
  }
}

/** The story with the comment or the task that a server has answered, or without one that it has deleted; the same where that is no other. */
function withParts(story: Story, intent: Intent, { note, task, deletedTask }: Done): Story {
  if (note) return story.notes.some(({ id }) => id === note.id) ? story : { ...story, notes: [...story.notes, note] };
  if (deletedTask !== undefined) return { ...story, tasks: withoutTask(story.tasks, deletedTask) };
  if (!task) return story;
  const at = story.tasks.findIndex(({ id }) => id === task.id);
  const tasks = at < 0 ? [...story.tasks, task] : story.tasks.with(at, task);
  const position = intent.kind === 'moveTask' || intent.kind === 'newTask' ? intent.position : undefined;
  return {
    ...story,
    tasks: position === undefined ? tasks : withTaskAt(tasks, task.id, task.position ?? position),
  };
}

export function problemOf(thrown: unknown): EntryProblem {
  return { kind: kindOf(thrown) ?? 'protocol', message: messageOf(thrown) };
}
