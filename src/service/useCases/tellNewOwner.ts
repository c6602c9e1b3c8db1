import { randomUUID } from 'node:crypto';
import type { Change } from '../auth/projectAccess.ts';
import { freeAtNow, LONGEST_WAIT, nextTurn } from '../ground/deliveryTimes.ts';
import { lockedCounters, setCounters } from '../store/counters.ts';
import { addJob } from '../store/jobs/queues.ts';
import { mailPreferences, reachesNobody } from '../store/people/users.ts';
import type { StoryRow } from '../store/stories/storyRows.ts';

/** What is kept of an assignment until its mail is sent; all else is looked up then. */
export interface AssignmentJob {
  readonly storyId: number;
  readonly userId: number;
  /** Name of who assigned it. */
  readonly by: string;
}

/**
 * Queues a mail to the new owner of a story, when that is someone else than who made them so and they want it (api-v3.md, Events).
 * Where too many were queued it goes out later, and the log says so.
 */
export async function tellNewOwner(change: Change, previousOwner: number | null, story: StoryRow): Promise<void> {
  const { tx, project, user, now, log } = change;
  const { id: storyId, ownerId } = story;
  if (ownerId === null || ownerId === previousOwner || ownerId === user.id) return;
  const wanted = await mailPreferences(tx, project.id, ownerId);
  if (!wanted?.everywhere || !wanted.project || reachesNobody(wanted.email)) return;
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
/** Mails that changes in one project, and of one person in any, may bring about: so many at once, and so many an hour after that. */
const OF_PROJECT = 100;
const OF_PERSON = 300;

/**
 * When a mail that a change brings about may go out, so that nobody has floods of mail sent to addresses of their choice; undefined
 * when so many wait already that it would be a day.
 */
async function mailTurn({ tx, project, user, now }: Change): Promise<number | undefined> {
  const rules = [
    { name: `mailsOfProject:${project.id}`, perHour: OF_PROJECT },
    { name: `mailsOfPerson:${user.id}`, perHour: OF_PERSON },
  ];
  const names = rules.flatMap(({ name }) => [name, momentOf(name)]);
  const known = await lockedCounters(tx, names);
  let dueAt = now;
  const counters = new Map<string, number>();
  for (const { name, perHour } of rules) {
    const freeAt = freeAtNow(known.get(name) ?? 0, known.get(momentOf(name)) ?? 0, now);
    const turn = nextTurn(freeAt, now, perHour);
    dueAt = Math.max(dueAt, turn.dueAt);
    counters.set(name, turn.freeAt).set(momentOf(name), now);
  }
  if (dueAt > now + LONGEST_WAIT) return undefined;
  await setCounters(tx, counters);
  return dueAt;
}

/** The counter that holds when the other one was set. */
function momentOf(name: string): string {
  return `${name}:at`;
}
