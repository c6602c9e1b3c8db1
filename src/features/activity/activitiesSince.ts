import { isCancelled, messageOf } from '../../core/errors.ts';
import type { Activity } from '../../core/story/activity.ts';
import { replicaAccount } from '../../host/accounts/replicaAccount.ts';
import type { App } from '../../host/app.ts';
import type { ProjectEntry } from '../../host/projects/projectList.ts';
import { ANSWER_LIMIT, askedDay, type Day, type Gap, gapIn } from './sinceDay.ts';

type Needs = Pick<App, 'backlogs' | 'engine' | 'log'>;

interface FoundActivities {
  readonly activities: readonly Activity[];
  readonly gap?: Gap;
}

/** More than the replica keeps of all projects together is never asked for. */
const KNOWN_LIMIT = 10_000;

/**
 * What happened in a project since a day. The protocol has no way to ask for what is older than an answer's last one, so
 * the replica fills in what it was told before.
 */
export async function activitiesSince(needs: Needs, entry: ProjectEntry, day: Day): Promise<FoundActivities> {
  const known = await knownSince(needs, entry, day);
  try {
    const query = { projectId: entry.key.projectId, occurredSince: askedDay(day), limit: ANSWER_LIMIT };
    const answer = await needs.backlogs.tracker(entry.key).listActivities(query);
    const activities = merged(answer, known).filter((one) => isSince(one, day));
    const gap = gapIn(answer, day);
    return { activities, ...(gap && { gap }) };
  } catch (thrown) {
    if (isCancelled(thrown)) throw thrown;
    needs.log.warn(messageOf(thrown));
    return { activities: known, gap: { kind: 'unanswered' } };
  }
}

async function knownSince({ engine }: Needs, { account, key }: ProjectEntry, since: Day): Promise<readonly Activity[]> {
  const told = await engine.activityLog.told({ accounts: [replicaAccount(account)], since, limit: KNOWN_LIMIT });
  return told.filter(({ project }) => project.projectId === key.projectId).map(({ activity }) => activity);
}

function merged(answer: readonly Activity[], known: readonly Activity[]): readonly Activity[] {
  return [...answer, ...known.filter((one) => !answer.some((other) => isSame(one, other)))];
}

function isSame(one: Activity, other: Activity): boolean {
  return one.id === other.id && one.version === other.version;
}

/** One whose time nobody can read is better told than left out. */
function isSince({ occurredAt }: Activity, day: Day): boolean {
  return occurredAt?.time === undefined || occurredAt.time >= day;
}
