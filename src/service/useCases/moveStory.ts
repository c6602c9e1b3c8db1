import type { MovePlace } from '../../core/backlog/ordering.ts';
import { isScheduled } from '../../core/backlog/workflow.ts';
import { type Story, type StoryEdit, type StoryFields, UNESTIMATED } from '../../core/story/story.ts';
import type { Change } from '../auth/projectAccess.ts';
import { unprocessable } from '../ground/errors.ts';
import { refuseTooMuch } from '../input/fieldLimits.ts';
import type { ProjectRow } from '../store/projects/projects.ts';
import { addLabels, forgetUnusedLabels } from '../store/stories/labels.ts';
import { rankAtEnd, rankNextTo } from '../store/stories/places.ts';
import {
  putInProject,
  type StoryChange,
  type StoryRow,
  storyRowsOf,
  updateStoryRow,
} from '../store/stories/storyRows.ts';
import { wholeStory } from '../store/stories/wholeStory.ts';
import { quoted, record } from './recordActivity.ts';
import { refuseLongerText, uniqueLabels } from './stories.ts';
import { editedFields, UNLINKED } from './storyFields.ts';
import { changedStory, noStory, refuseWrongStory } from './storyRules.ts';
import { tellNewOwner } from './tellNewOwner.ts';

/**
 * Endpoint 3: puts a story directly before or after another of the project. Crossing between icebox and backlog schedules or
 * unschedules it. Nothing is recorded when it stands there already.
 */
export async function moveStory(change: Change, storyId: number, place: MovePlace, targetId: number): Promise<Story> {
  const { tx, project, now } = change;
  const rows = await storyRowsOf(tx, project.id, [storyId, targetId]);
  const [story, target] = [storyId, targetId].map((id) => rows.find((row) => row.id === id));
  if (!story) throw noStory(storyId);
  if (storyId === targetId) throw unprocessable('A story cannot be moved next to itself.');
  if (!target) throw unprocessable(`The target story ${targetId} is not in this project.`);
  const crossing = crossed(story, target);
  const list = { projectId: project.id, inIcebox: target.inIcebox };
  const rank = await rankNextTo(tx, list, storyId, place, target);
  if (rank === undefined) return wholeStory(tx, project, story);
  const row = await updateStoryRow(tx, storyId, { ...crossing, rank, updatedAt: now });
  const moved = await wholeStory(tx, project, row);
  const changed = { ...(crossing.state !== undefined && { state: moved.state }), rank };
  const text = `moved ${quoted(story.name)} ${place} ${quoted(target.name)}`;
  await record(change, 'story_update', text, [{ id: storyId, changed, cleared: [] }]);
  return moved;
}

function crossed(story: StoryRow, target: StoryRow): StoryChange & { readonly state?: string } {
  if (story.inIcebox === target.inIcebox) return {};
  if (target.inIcebox === 0) return { inIcebox: 0, state: 'unstarted' };
  if (story.state !== 'unstarted') {
    throw unprocessable(`Only an unstarted story can be moved to the icebox. This one is ${story.state}.`);
  }
  return { inIcebox: 1, state: 'unscheduled' };
}

/**
 * Moves a story to another project, with its number, comments, tasks, files and commits, to the end of the same list; what else the edit says
 * is done there (protocol.md, Proven since). The new project judges all of it. A link to a ticket is one of the old project's integrations
 * and ends. For those who follow the old project the story is deleted, for those who follow the new one it is new; neither is told which
 * the other project is, of which they may not be members.
 */
export async function moveToProject(from: Change, to: Change, storyId: number, edit: StoryEdit): Promise<Story> {
  const { tx, project, now } = to;
  const row = await changedStory(from, storyId);
  refuseTooMuch(edit);
  const before = await wholeStory(tx, from.project, row);
  refuseParts(project, before);
  const fields = await editedFields(to, withoutOldProject(row, before), withoutOldTicket(edit, row));
  refuseWrongStory(fields, project);
  await refuseLongerText(to, row, fields);
  const inIcebox = isScheduled(fields.state) ? 0 : 1;
  const rank = await rankAtEnd(tx, { projectId: project.id, inIcebox });
  const place = { projectId: project.id, inIcebox, rank };
  const moved = await putInProject(tx, storyId, { ...fields, ...place, updatedAt: now });
  await addLabels(tx, project.id, storyId, uniqueLabels(edit.labels ?? before.labels));
  await forgetUnusedLabels(tx, from.project.id);
  const after = await wholeStory(tx, project, moved);
  await recordMove(from, to, before, after);
  await tellNewOwner(to, row.ownerId, moved);
  return after;
}

/** What the new project would not have let anyone add. */
function refuseParts({ allowAttachments, enableTasks }: ProjectRow, { attachments, tasks }: Story): void {
  const sentences: string[] = [];
  if (allowAttachments === 0 && attachments.length > 0)
    sentences.push('This story has attachments, but they are turned off in the settings of the other project.');
  if (enableTasks === 0 && tasks.length > 0)
    sentences.push('This story has tasks, but they are turned off in the settings of the other project.');
  if (sentences.length > 0) throw unprocessable(sentences);
}

/** An estimate that did not count there any more, and that nobody saw, is not one that the new project could refuse. */
function withoutOldProject(row: StoryRow, { estimate = UNESTIMATED }: Story): StoryRow {
  return { ...row, ...UNLINKED, estimate: estimate === UNESTIMATED ? null : estimate };
}

/** Who sends a whole story back names the ticket that it has; only another one is to be linked. */
function withoutOldTicket({ ticket, ...edit }: StoryEdit, row: StoryRow): StoryEdit {
  return ticket === undefined || (ticket !== null && isTicketOf(row, ticket)) ? edit : { ...edit, ticket };
}

function isTicketOf(row: StoryRow, { externalId, integrationId }: NonNullable<StoryFields['ticket']>): boolean {
  return externalId.trim() === row.externalId && (integrationId ?? row.integrationId) === row.integrationId;
}

/** Comments, tasks and files were told of when they were made; there may be more of them than an activity should hold. */
async function recordMove(from: Change, to: Change, before: Story, after: Story): Promise<void> {
  const { id, notes: _, tasks: __, attachments: ___, ...changed } = after;
  const unlinked = before.ticket && !after.ticket ? `, without its link to ticket ${before.ticket.externalId}` : '';
  await record(from, 'story_delete', `moved ${quoted(before.name)} to another project`, [
    { id, changed: {}, cleared: [] },
  ]);
  await record(to, 'story_create', `moved ${quoted(after.name)} here from another project${unlinked}`, [
    { id, changed, cleared: [] },
  ]);
}
