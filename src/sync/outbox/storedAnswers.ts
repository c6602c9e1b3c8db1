import type { DatabaseSync } from 'node:sqlite';
import { kindOf, messageOf } from '../../core/errors.ts';
import type { Intent } from '../../core/intents/intent.ts';
import { withoutTask, withTaskAt } from '../../core/intents/task.ts';
import type { EntryProblem } from '../../core/outbox/outbox.ts';
import type { ReplicaProject } from '../../core/replica/replica.ts';
import type { Story, StoryRef } from '../../core/story/story.ts';
import { rememberLinked } from '../commits/linkedCommits.ts';
import { putStory, rowOf, rowsOf, storyIn, valueIn } from '../file/replicaRows.ts';
import { removeStory } from '../replica/listsCache.ts';
import type { Done, RefusedTask } from './attempts.ts';
import { type Before, type Doubt, deleteRow, insertFailedRow, numberBeside, type OutboxRow } from './outboxRows.ts';
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

const OF_ACCOUNT = `accountId = ?1 AND address = ?2 AND intent ->> '$.kind' = 'link' AND sentAt IS NOT NULL`;

interface LinkInDoubt {
  readonly id: string;
  readonly before: Before;
}

/** The other commits for the same stories that were sent and never answered. */
export function linksInDoubt(database: DatabaseSync, { id, project, intent }: OutboxRow): readonly LinkInDoubt[] {
  if (intent.kind !== 'link') return [];
  const sql = `SELECT id, before, intent -> '$.stories' AS stories FROM outbox
    WHERE ${OF_ACCOUNT} AND before IS NOT NULL AND id <> ?3`;
  const isShared = (stories: readonly StoryRef[]) =>
    stories.some(({ storyId }) => intent.stories.some((one) => one.storyId === storyId));
  return rowsOf(database, sql, project.accountId, project.address, id).flatMap((row) =>
    isShared(valueIn<readonly StoryRef[]>(row, 'stories'))
      ? [{ id: String(row.id), before: valueIn<Before>(row, 'before') }]
      : [],
  );
}

/** These comments came of this commit, and so of none of those in doubt. */
function claimNotes(database: DatabaseSync, row: OutboxRow, noteIds: readonly number[]): void {
  if (noteIds.length === 0) return;
  const update = database.prepare('UPDATE outbox SET before = ? WHERE id = ?');
  for (const { id, before } of linksInDoubt(database, row)) {
    if (before.noteIds) update.run(JSON.stringify({ ...before, noteIds: [...before.noteIds, ...noteIds] }), id);
  }
}

/**
 * Forgets that a commit could not be linked to the same stories before: it is tried anew. What is known where the server may
 * have taken it all the same goes over to the new entry.
 */
export function deleteFailedLink(database: DatabaseSync, project: ReplicaProject, intent: Intent): Doubt | undefined {
  if (intent.kind !== 'link') return undefined;
  const failed = `accountId = ?1 AND address = ?2 AND project = ?3 AND state = 'failed'
    AND intent ->> '$.commit.commitId' = ?4 AND json(intent -> '$.stories') = json(?5)`;
  const { accountId, address, projectId } = project;
  const values = [accountId, address, projectId, intent.commit.commitId, JSON.stringify(intent.stories)] as const;
  const sql = `SELECT sentAt, before FROM outbox WHERE ${failed} AND sentAt IS NOT NULL AND before IS NOT NULL
    ORDER BY place LIMIT 1`;
  const row = rowOf(database, sql, ...values);
  database.prepare(`DELETE FROM outbox WHERE ${failed}`).run(...values);
  return row && { sentAt: Number(row.sentAt), before: valueIn<Before>(row, 'before') };
}
