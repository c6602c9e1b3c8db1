import type { Tx } from '../../store/database.ts';
import type { Job } from '../../store/jobs/queues.ts';
import { mailPreferences, userById } from '../../store/people/users.ts';
import { projectById } from '../../store/projects/projects.ts';
import { placesOfStories, storyRow } from '../../store/stories/storyRows.ts';
import type { AssignmentJob } from '../../useCases/tellNewOwner.ts';
import type { MailContext } from '../mailContext.ts';
import { preferencesPath } from '../preferencesPage.ts';
import { replyLocalPart } from '../replyAddress.ts';
import { deliverMail } from '../sendMail.ts';
import { type AssignedMail, composedMail } from './composedMail.ts';

/** Sends the mail of a job as things are now; nothing when the story is gone or no longer the recipient's, or they want no more mails. */
export async function deliverAssigned(room: MailContext, job: Job, signal: AbortSignal): Promise<void> {
  const mail = await room.database.read((tx) => assignedMail(room, tx, job));
  if (!mail) return;
  const told = { event: 'mail', story: mail.story.id, delivery: job.deliveryId };
  await deliverMail(room, composedMail(mail), { told, name: fileName(mail) }, signal);
}

async function assignedMail(room: MailContext, tx: Tx, job: Job): Promise<AssignedMail | undefined> {
  const { storyId, userId, by } = assignmentOf(job);
  const [place] = await placesOfStories(tx, [storyId]);
  const story = place && (await storyRow(tx, place.projectId, storyId));
  const project = story && (await projectById(tx, story.projectId));
  const user = await userById(tx, userId);
  if (!project || !user || story.ownerId !== userId) return undefined;
  const wanted = await mailPreferences(tx, project.id, userId);
  if (!wanted?.everywhere || !wanted.project) return undefined;
  const { settings, key } = room;
  const { replyDomain } = settings;
  const url = room.url();
  const { name, type, state, estimate } = story;
  return {
    ...{ key: job.deliveryId, at: job.queuedAt, by, from: settings.from, project: project.name },
    to: { name: user.name, address: user.email },
    story: {
      id: storyId,
      url: `${url}/story/show/${storyId}`,
      ...(project.useHttps === 0 && { shown: { name, type, state, estimate, description: story.description ?? '' } }),
    },
    preferencesUrl: url + preferencesPath({ userId, projectId: project.id }, key),
    ...(replyDomain !== undefined && { replyTo: `${replyLocalPart({ storyId, userId }, key)}@${replyDomain}` }),
  };
}

function assignmentOf({ payload }: Job): AssignmentJob {
  if (typeof payload === 'object' && payload && 'storyId' in payload && 'userId' in payload && 'by' in payload) {
    return { storyId: Number(payload.storyId), userId: Number(payload.userId), by: String(payload.by) };
  }
  throw new Error('The job is no assignment.');
}

/** Sorts by time. */
function fileName({ at, key, story }: AssignedMail): string {
  return `${new Date(at).toISOString().replace(/[:.]/g, '-')}-story-${story.id}-${key}.eml`;
}
