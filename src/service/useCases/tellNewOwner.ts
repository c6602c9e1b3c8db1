import { randomUUID } from 'node:crypto';
import type { Change } from '../auth/projectAccess.ts';
import { addJob } from '../store/jobs/addJob.ts';
import { mailPreferences } from '../store/people/mailPreferences.ts';
import type { StoryRow } from '../store/stories/storyRows.ts';
import { mailTurn } from './mailTurns.ts';

/** What is kept of an assignment until its mail is sent; all else is looked up then. */
export interface AssignmentJob {
  readonly storyId: number;
  readonly userId: number;
  /** Name of who assigned it. */
  readonly by: string;
}

/** Addresses of people who were taken in with stories, and of who works alone. */
const NOBODY = /[@.](?:invalid|localhost)$/;

/**
 * Queues a mail to the new owner of a story, when that is somebody else than who made them so and they want it (api-v3.md, Events).
 * Where too many were queued it goes out later, and the log says so.
 */
export async function tellNewOwner(change: Change, previousOwner: number | null, story: StoryRow): Promise<void> {
  const { tx, project, user, now, log } = change;
  const { id: storyId, ownerId } = story;
  if (ownerId === null || ownerId === previousOwner || ownerId === user.id) return;
  const wanted = await mailPreferences(tx, project.id, ownerId);
  if (!wanted?.everywhere || !wanted.project || NOBODY.test(wanted.email)) return;
  const payload: AssignmentJob = { storyId, userId: ownerId, by: user.name };
  const dueAt = await mailTurn(change);
  if (dueAt === undefined) return log({ event: 'mailDropped', project: project.id, story: storyId, by: user.id });
  await addJob(tx, { kind: 'mail', key: randomUUID(), payload }, now, dueAt);
  if (dueAt === now) return;
  log({
    event: 'mailHeldBack',
    project: project.id,
    story: storyId,
    by: user.id,
    until: new Date(dueAt).toISOString(),
  });
}
