import type { PlannedStory } from '../../core/plannedIteration.ts';
import type { Plan } from '../../core/planning.ts';
import type { Project } from '../../core/project.ts';
import { zonedDate } from '../../v3/dates.ts';
import type { Tx } from '../store/database.ts';
import { type ProjectParts, partsOfProjects } from '../store/projects/projectParts.ts';
import type { ProjectRow } from '../store/projects/projects.ts';
import { orderOfPlan, orderOfView } from './orderOfView.ts';
import type { ProjectView } from './projectViews.ts';
import { storedProject } from './storedProject.ts';

/** The project as its element tells of it, with what follows from its plan. */
export async function projectOf(tx: Tx, view: ProjectView): Promise<Project> {
  const { project, plan } = view;
  const partsOf = await partsOfProjects(tx, [project.id]);
  return { ...toldOf(project, partsOf(project.id), plan), orderDigest: orderOfView(view) };
}

export function projectWith(project: ProjectRow, parts: ProjectParts, plan: Plan<PlannedStory>): Project {
  return { ...toldOf(project, parts, plan), orderDigest: orderOfPlan(plan) };
}

function toldOf(project: ProjectRow, parts: ProjectParts, { done, current, velocity }: Plan<PlannedStory>): Project {
  return {
    ...storedProject(project, parts),
    firstIterationStartTime: zonedDate((done[0] ?? current).start),
    currentIterationNumber: current.number,
    currentVelocity: velocity,
  };
}
