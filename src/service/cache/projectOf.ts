import type { Integration, Project } from '../../core/project.ts';
import { velocityScheme } from '../../core/velocity.ts';
import { writeDay, zonedDate } from '../../v3/dates.ts';
import type { Tx } from '../store/database.ts';
import { type IntegrationRow, integrationsOfProject } from '../store/integrations.ts';
import { labelsOfProject } from '../store/labels.ts';
import { membershipsOfProject, withoutProject } from '../store/memberships.ts';
import { scaleOf } from '../useCases/storyRules.ts';
import { orderOfView } from './orderOfView.ts';
import type { ProjectView } from './projectViews.ts';

/** The project as its element tells of it, with what follows from its plan. */
export async function projectOf(tx: Tx, view: ProjectView): Promise<Project> {
  const { project, plan } = view;
  return {
    id: project.id,
    name: project.name,
    iterationLength: project.iterationLength,
    weekStartDay: project.weekStartDay,
    pointScale: scaleOf(project),
    account: project.account,
    ...(project.startDate !== null && { startDate: { text: writeDay(project.startDate), time: project.startDate } }),
    firstIterationStartTime: zonedDate((plan.done[0] ?? plan.current).start),
    currentIterationNumber: plan.current.number,
    enableTasks: project.enableTasks === 1,
    velocityScheme: velocityScheme(project.averagedIterations),
    currentVelocity: plan.velocity,
    initialVelocity: project.initialVelocity,
    numberOfDoneIterationsToShow: project.doneIterationsToShow,
    labels: await labelsOfProject(tx, project.id),
    ...(project.lastActivityAt !== null && { lastActivityAt: zonedDate(project.lastActivityAt) }),
    orderDigest: orderOfView(view),
    allowAttachments: project.allowAttachments === 1,
    public: project.isPublic === 1,
    useHttps: project.useHttps === 1,
    bugsAndChoresAreEstimatable: project.bugsAndChoresAreEstimatable === 1,
    commitMode: project.commitMode === 1,
    memberships: (await membershipsOfProject(tx, project.id)).map(withoutProject),
    integrations: (await integrationsOfProject(tx, project.id)).map(integrationOf),
  };
}

export function integrationOf({ id, type, name, fieldName, fieldLabel, active }: IntegrationRow): Integration {
  return { id, type, name, fieldName, fieldLabel, active: active === 1 };
}
