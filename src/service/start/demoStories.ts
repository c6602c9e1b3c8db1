import { isEstimatable } from '../../core/workflow.ts';
import { zonedDate } from '../../v3/dates.ts';
import { insertActivity, type NewActivity } from '../store/activities.ts';
import type { Tx } from '../store/database.ts';
import type { UserRow } from '../store/people/users.ts';
import { type ProjectRow, rulesOf } from '../store/projects/projects.ts';
import { insertAttachment, toAttachment } from '../store/stories/attachments.ts';
import { setLabels } from '../store/stories/labels.ts';
import { insertNote } from '../store/stories/notes.ts';
import { rankAtEnd } from '../store/stories/places.ts';
import { insertStory, type StoryRow } from '../store/stories/storyRows.ts';
import { insertTask } from '../store/stories/tasks.ts';
import { wholeStory } from '../store/stories/wholeStory.ts';
import { quoted } from '../useCases/record.ts';
import type { DemoAttachment, DemoStory } from './demo/demoBacklog.ts';

/** Names of stored files, by attachment; they are on disk before the store names them. */
export type DemoFiles = ReadonlyMap<DemoAttachment, string>;

export interface DemoPlace {
  readonly project: ProjectRow;
  /** By name. */
  readonly users: ReadonlyMap<string, UserRow>;
  readonly integrationId: number;
  readonly files: DemoFiles;
}

/** Stores the stories in their order, and what happened to them as the project's history. */
export async function storeDemoStories(tx: Tx, place: DemoPlace, stories: readonly DemoStory[]): Promise<void> {
  const history: NewActivity[] = [];
  for (const demo of stories) history.push(...(await storeStory(tx, place, demo)));
  history.sort((one, other) => one.occurredAt - other.occurredAt);
  for (const activity of history) await insertActivity(tx, activity);
}

async function storeStory(tx: Tx, place: DemoPlace, demo: DemoStory): Promise<NewActivity[]> {
  const { project } = place;
  const story = await insertStory(tx, await rowOf(tx, place, demo));
  await setLabels(tx, project.id, story.id, demo.labels);
  for (const task of demo.tasks) await insertTask(tx, { ...task, projectId: project.id, storyId: story.id });
  const created = await creation(tx, place, demo, story);
  return [
    created,
    ...(await storeNotes(tx, place, demo, story)),
    ...(await storeAttachments(tx, place, demo, story)),
    ...acceptance(place, demo, story),
  ];
}

async function rowOf(tx: Tx, { project, users, integrationId }: DemoPlace, demo: DemoStory) {
  const { labels: _labels, notes: _notes, tasks: _tasks, attachments: _attachments, ...fields } = demo;
  const list = { projectId: project.id, inIcebox: demo.state === 'unscheduled' ? 1 : 0 };
  return {
    ...fields,
    ...list,
    estimate: isEstimatable(demo.type, rulesOf(project)) ? demo.estimate : null,
    rank: await rankAtEnd(tx, list),
    requesterId: users.get(demo.requestedBy)?.id ?? null,
    ownerId: demo.ownedBy === null ? null : (users.get(demo.ownedBy)?.id ?? null),
    integrationId: demo.externalId === null ? null : integrationId,
  };
}

async function creation(tx: Tx, place: DemoPlace, demo: DemoStory, story: StoryRow): Promise<NewActivity> {
  const { name, type, state, projectId } = await wholeStory(tx, place.project, story);
  const changed = { name, type, state: state === 'unscheduled' ? state : 'unstarted', ...(projectId && { projectId }) };
  const text = `added ${quoted(name)}`;
  return activity(place, demo.requestedBy, demo.createdAt, 'story_create', text, {
    id: story.id,
    changed,
    cleared: [],
  });
}

function acceptance(place: DemoPlace, demo: DemoStory, story: StoryRow): NewActivity[] {
  if (demo.acceptedAt === null) return [];
  const text = `accepted ${quoted(demo.name)}`;
  const changed = { state: 'accepted', acceptedAt: zonedDate(demo.acceptedAt) };
  const told = { id: story.id, changed, cleared: [] };
  return [activity(place, demo.requestedBy, demo.acceptedAt, 'story_update', text, told)];
}

async function storeNotes(tx: Tx, place: DemoPlace, demo: DemoStory, story: StoryRow): Promise<NewActivity[]> {
  const told: NewActivity[] = [];
  for (const { author, text, notedAt } of demo.notes) {
    const authorId = place.users.get(author)?.id ?? null;
    const note = await insertNote(tx, {
      projectId: place.project.id,
      storyId: story.id,
      text,
      author,
      authorId,
      notedAt,
    });
    const changed = { id: story.id, changed: { notes: [note] }, cleared: [] };
    const sentence = `added comment: ${quoted(text)} to ${quoted(demo.name)}`;
    told.push(activity(place, author, notedAt, 'note_create', sentence, changed));
  }
  return told;
}

async function storeAttachments(tx: Tx, place: DemoPlace, demo: DemoStory, story: StoryRow): Promise<NewActivity[]> {
  const told: NewActivity[] = [];
  for (const attachment of demo.attachments) {
    const { content, ...fields } = attachment;
    const row = await insertAttachment(tx, {
      ...fields,
      projectId: place.project.id,
      storyId: story.id,
      size: Buffer.byteLength(content),
      storedAs: place.files.get(attachment) ?? '',
      uploaderId: place.users.get(attachment.uploadedBy)?.id ?? null,
    });
    const changed = { id: story.id, changed: { attachments: [toAttachment(row)] }, cleared: [] };
    const sentence = `added attachment ${quoted(attachment.filename)} to ${quoted(demo.name)}`;
    told.push(activity(place, attachment.uploadedBy, attachment.uploadedAt, 'attachment_create', sentence, changed));
  }
  return told;
}

function activity(
  { project, users }: DemoPlace,
  author: string,
  occurredAt: number,
  eventType: string,
  sentence: string,
  story: NewActivity['stories'][number],
): NewActivity {
  return {
    projectId: project.id,
    eventType,
    occurredAt,
    author,
    authorId: users.get(author)?.id ?? null,
    description: `${author} ${sentence}`,
    stories: [story],
  };
}
