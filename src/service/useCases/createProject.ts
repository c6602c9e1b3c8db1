import type { NewProject } from '../../core/project.ts';
import type { Tx } from '../store/database.ts';
import type { UserRow } from '../store/people/users.ts';
import { addMember } from '../store/projects/memberships.ts';
import { addProject, type ProjectRow } from '../store/projects/projects.ts';
import { projectSettings } from './projectSettings.ts';

/** Makes a project; the user owns it unless the request says `no_owner` (api-v3.md, Endpoints, rule 3). */
export async function createProject(tx: Tx, user: UserRow, wanted: NewProject, now: number): Promise<ProjectRow> {
  const project = await addProject(tx, wanted.name.trim(), projectSettings(wanted), now);
  if (wanted.noOwner !== true) await addMember(tx, project.id, user.id, 'Owner');
  return project;
}
