import type { Tx } from '../store/database.ts';
import { discardQueue } from '../store/jobs/queues.ts';
import { deleteProject, type ProjectRow } from '../store/projects/projects.ts';
import { hookSecret } from '../store/projects/webHook.ts';
import { dropSecret } from '../store/secrets.ts';
import { storedNamesOfProject } from '../store/stories/attachments.ts';

/** Removes a project with all that is in it, and gives the stored names of its files, to be removed once that is certain. */
export async function removeProject(tx: Tx, { id }: Pick<ProjectRow, 'id'>): Promise<readonly string[]> {
  const files = await storedNamesOfProject(tx, id);
  await discardQueue(tx, { kind: 'web_hook', key: String(id) });
  await dropSecret(tx, hookSecret(id));
  await deleteProject(tx, id);
  return files;
}
