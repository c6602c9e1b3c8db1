import { isEstimatable } from '../../core/backlog/workflow.ts';
import { zonedDate } from '../../v3/dates.ts';
import { type AttachmentFiles, newStoredName } from '../attachments/attachmentFiles.ts';
import type { Service } from '../call/service.ts';
import { insertActivity, type NewActivity } from '../store/activities.ts';
import { addCounter, counterValue } from '../store/counters.ts';
import type { Tx } from '../store/database.ts';
import { addUser, allUsers, type UserRow, userByEmail } from '../store/people/users.ts';
import { addMember, roleIn } from '../store/projects/memberships.ts';
import { addIntegration } from '../store/projects/projectParts.ts';
import { addProject, type ProjectRow, projectById, rulesOf } from '../store/projects/projects.ts';
import { insertAttachment, toAttachment } from '../store/stories/attachments.ts';
import { setLabels } from '../store/stories/labels.ts';
import { insertNote } from '../store/stories/notes.ts';
import { rankAtEnd } from '../store/stories/places.ts';
import { insertStory, type StoryRow } from '../store/stories/storyRows.ts';
import { insertTask } from '../store/stories/tasks.ts';
import { wholeStory } from '../store/stories/wholeStory.ts';
import { quoted } from '../useCases/recordActivity.ts';
import { type DemoAttachment, type DemoBacklog, type DemoStory, demoBacklog } from './demo/demoBacklog.ts';

/** Names the project that the demo made, so that it is made once only. */
const DEMO_PROJECT = 'demoProject';

/** Fills the store with the demo project, unless that was done before. */
export async function seedDemo({ database, files }: Service, now: number): Promise<void> {
  if (await database.read(isSeeded)) return;
  const demo = demoBacklog(now);
  const stored = await writeFiles(demo, files);
  const seeded = await database.write(async (tx) => {
    if (await isSeeded(tx)) return false;
    await storeDemo(tx, demo, stored, now);
    return true;
  });
  if (seeded) files.noteNamed();
  else for (const name of stored.values()) await files.remove(name);
}

/** Throws where people use the store for something else: what the demo would add to it, and whom, nobody takes away again. */
export async function refuseUsed(database: Pick<Service['database'], 'read'>, folder?: string): Promise<void> {
  const isUsed = await database.read(async (tx) => !(await isSeeded(tx)) && (await allUsers(tx)).length > 0);
  if (!isUsed) return;
  const place = folder ?? 'the database';
  const mend = folder === undefined ? 'Pass a new database with --database' : 'Pass a new folder with --data';
  throw new Error(`--demo requires a new store, but ${place} already has data. ${mend}, or remove --demo.`);
}

/** The first member of the demo, who is signed in; a new user where that one was removed. */
export async function demoUser(tx: Tx, now: number): Promise<UserRow> {
  const [first] = demoBacklog(now).members;
  if (!first) throw new Error('The demo has no user.');
  return (await userByEmail(tx, first.email)) ?? addUser(tx, first, now);
}

/** Makes a user an owner of the demo project, if it is still there. */
export async function joinDemo(tx: Tx, user: UserRow): Promise<void> {
  const projectId = await counterValue(tx, DEMO_PROJECT);
  if (
    projectId === undefined ||
    !(await projectById(tx, projectId)) ||
    (await roleIn(tx, projectId, user.id)) !== undefined
  )
    return;
  await addMember(tx, projectId, user.id, 'Owner');
}

async function isSeeded(tx: Tx): Promise<boolean> {
  return (await counterValue(tx, DEMO_PROJECT)) !== undefined;
}

async function storeDemo(tx: Tx, demo: DemoBacklog, files: DemoFiles, now: number): Promise<void> {
  const { name, ...settings } = demo.project;
  const project = await addProject(tx, name, settings, now);
  const users = new Map<string, UserRow>();
  for (const member of demo.members) {
    const user = (await userByEmail(tx, member.email)) ?? (await addUser(tx, member, settings.createdAt));
    users.set(member.name, user);
    await addMember(tx, project.id, user.id, member.role);
  }
  const integrationId = await addIntegration(tx, { ...demo.integration, projectId: project.id, active: 1 });
  await storeDemoStories(tx, { project, users, integrationId, files }, demo.stories);
  await addCounter(tx, DEMO_PROJECT, project.id);
}

async function writeFiles(demo: DemoBacklog, files: AttachmentFiles): Promise<DemoFiles> {
  const stored = new Map<DemoAttachment, string>();
  for (const attachment of demo.stories.flatMap(({ attachments }) => attachments)) {
    const name = newStoredName();
    const sink = await files.create(name);
    await sink.write(Buffer.from(attachment.content));
    await files.keep(name, sink);
    stored.set(attachment, name);
  }
  await files.sync();
  return stored;
}

/** Names of stored files, by attachment; they are on disk before the store names them. */
type DemoFiles = ReadonlyMap<DemoAttachment, string>;

interface DemoPlace {
  readonly project: ProjectRow;
  /** By name. */
  readonly users: ReadonlyMap<string, UserRow>;
  readonly integrationId: number;
  readonly files: DemoFiles;
}

/** Stores the stories in their order, and what happened to them as the project's history. */
async function storeDemoStories(tx: Tx, place: DemoPlace, stories: readonly DemoStory[]): Promise<void> {
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
