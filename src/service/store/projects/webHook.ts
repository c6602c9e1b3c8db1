import { sql } from 'kysely';
import { LAST_ACTIVITY } from '../activities.ts';
import type { Tx } from '../database.ts';
import { addJob, addJobAtEnd, retryQueue } from '../jobs/queues.ts';
import { dropSecret, keepSecret } from '../secrets.ts';
import type { TransactionEnd } from '../transactionEnd.ts';
import type { ProjectRow } from './projects.ts';

type WithHook = Pick<ProjectRow, 'id' | 'webHookUrl'>;

/** The name under which the store keeps with what a project's posts are signed. */
export function hookSecret(projectId: number): string {
  return `webHook:${projectId}`;
}

/**
 * Queues an activity for the project's web hook, where it has one, in the transaction that records it; `activity` is its id, or the end
 * of the transaction, which adds it.
 */
export async function tellWebHook(
  tx: Tx,
  project: WithHook,
  activity: number | TransactionEnd,
  now: number,
): Promise<void> {
  if (project.webHookUrl === null) return;
  const queue = { kind: 'web_hook', key: String(project.id) } as const;
  if (typeof activity === 'number') await addJob(tx, { ...queue, payload: { activityId: activity } }, now);
  else await addJobAtEnd(tx, activity, { ...queue, payload: LAST_ACTIVITY_TOLD }, now);
}

const LAST_ACTIVITY_TOLD = sql<string>`'{"activityId":' || cast(${LAST_ACTIVITY} as text) || '}'`;

export interface WebHookChange {
  /** None any more when null. */
  readonly url?: string | null;
  /** Nothing is signed any more when null. */
  readonly secret?: string | null;
}

/** Changes where a project's activity goes and with what it is signed; what waits goes there at once. */
export async function setWebHook(
  tx: Tx,
  projectId: number,
  { url, secret }: WebHookChange,
  now: number,
): Promise<void> {
  if (url !== undefined) {
    await tx.updateTable('projects').set({ webHookUrl: url }).where('id', '=', projectId).execute();
  }
  if (secret === null) await dropSecret(tx, hookSecret(projectId));
  else if (secret !== undefined) await keepSecret(tx, hookSecret(projectId), secret);
  await retryQueue(tx, { kind: 'web_hook', key: String(projectId) }, now);
}
