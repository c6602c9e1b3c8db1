import type { KnownProjects } from '../../core/replica/replica.ts';
import type { Project } from '../../core/story/project.ts';
import type { Account } from '../accounts/accounts.ts';
import type { ProjectKey } from './nodes.ts';

/** A project in the list of those of all accounts. */
export interface ProjectEntry {
  readonly account: Account;
  readonly key: ProjectKey;
  readonly project: Project;
}

export function projectEntries(account: Account, known: KnownProjects | undefined): readonly ProjectEntry[] {
  const projects = known?.projects ?? [];
  return projects.map((project) => ({ account, project, key: { accountId: account.id, projectId: project.id } }));
}
