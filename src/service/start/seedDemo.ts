import type { AttachmentFiles } from '../attachments/attachmentFiles.ts';
import type { Service } from '../call/service.ts';
import { addCounter, counterValue } from '../store/counters.ts';
import type { Tx } from '../store/database.ts';
import { addUser, allUsers, type UserRow, userByEmail } from '../store/people/users.ts';
import { addIntegration } from '../store/projects/integrations.ts';
import { addMember, roleIn } from '../store/projects/memberships.ts';
import { addProject, projectById } from '../store/projects/projects.ts';
import { type DemoAttachment, type DemoBacklog, demoBacklog } from './demo/demoBacklog.ts';
import { type DemoFiles, storeDemoStories } from './demoStories.ts';

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
export async function refuseUsed(database: Pick<Service['database'], 'read'>): Promise<void> {
  const isUsed = await database.read(async (tx) => !(await isSeeded(tx)) && (await allUsers(tx)).length > 0);
  if (isUsed)
    throw new Error(
      '--demo fills a new store, and this one is in use. Name a new folder with --data, or leave --demo away.',
    );
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
    const name = files.newName();
    const sink = await files.create(name);
    await sink.write(Buffer.from(attachment.content));
    await files.keep(name, sink);
    stored.set(attachment, name);
  }
  await files.syncFolder();
  return stored;
}
