import type { Project } from '../../core/project.ts';
import { zonedDate } from '../../v3/dates.ts';
import type { Tx } from '../store/database.ts';
import { orderOfView } from './orderOfView.ts';
import type { ProjectView } from './projectViews.ts';
import { storedProject } from './storedProject.ts';

/** The project as its element tells of it, with what follows from its plan. */
export async function projectOf(tx: Tx, view: ProjectView): Promise<Project> {
  const { project, plan } = view;
  return {
    ...(await storedProject(tx, project)),
    firstIterationStartTime: zonedDate((plan.done[0] ?? plan.current).start),
    currentIterationNumber: plan.current.number,
    currentVelocity: plan.velocity,
    orderDigest: orderOfView(view),
  };
}
