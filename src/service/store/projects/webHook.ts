import type { Tx } from '../database.ts';
import { addJob, retryQueue } from '../jobs/queues.ts';
import { dropSecret, keepSecret } from '../secrets.ts';
import type { ProjectRow } from './projects.ts';

type WithHook = Pick<ProjectRow, 'id' | 'webHookUrl'>;

/** The name under which the store keeps with what a project's posts are signed. */
export function hookSecret(projectId: number): string {
  return `webHook:${projectId}`;
}

/** Queues an activity for the project's web hook, where it has one, in the transaction that records it. */
export async function tellWebHook(tx: Tx, project: WithHook, activityId: number, now: number): Promise<void> {
  if (project.webHookUrl === null) return;
  await addJob(tx, { kind: 'web_hook', key: String(project.id), payload: { activityId } }, now);
}

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
