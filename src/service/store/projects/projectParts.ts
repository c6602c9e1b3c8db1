import type { Membership } from '../../../core/story/project.ts';
import type { Tx } from '../database.ts';
import { byProject } from '../rows.ts';
import { labelsOfProjects } from '../stories/labels.ts';
import { type IntegrationRow, integrationsOfProjects } from './integrations.ts';
import { type IterationOverride, overridesOfProjects } from './iterationOverrides.ts';
import { membershipsOfProjects } from './memberships.ts';

/** What is stored of a project beside its own row and its stories. */
export interface ProjectParts {
  /** Sorted. */
  readonly labels: readonly string[];
  readonly memberships: readonly Membership[];
  readonly integrations: readonly IntegrationRow[];
  readonly overrides: readonly IterationOverride[];
}

/** Those of several projects at once, in as many queries as for one. */
export async function partsOfProjects(
  tx: Tx,
  projectIds: readonly number[],
): Promise<(projectId: number) => ProjectParts> {
  const labels = byProject(await labelsOfProjects(tx, projectIds));
  const memberships = byProject(await membershipsOfProjects(tx, projectIds));
  const integrations = byProject(await integrationsOfProjects(tx, projectIds));
  const overrides = byProject(await overridesOfProjects(tx, projectIds));
  return (id) => ({
    labels: labels(id)
      .map(({ name }) => name)
      .sort(),
    memberships: memberships(id).map(({ membership }) => membership),
    integrations: integrations(id),
    overrides: overrides(id),
  });
}
