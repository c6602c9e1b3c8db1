import type { Integration, Project } from '../../core/project.ts';
import { velocityScheme } from '../../core/velocity.ts';
import { writeDay, zonedDate } from '../../v3/dates.ts';
import type { IntegrationRow } from '../store/projects/integrations.ts';
import { withoutProject } from '../store/projects/memberships.ts';
import type { ProjectParts } from '../store/projects/projectParts.ts';
import { type ProjectRow, scaleOf } from '../store/projects/projects.ts';

/** The project as its element tells of it, without what follows from its stories and the day. */
export function storedProject(project: ProjectRow, { labels, memberships, integrations }: ProjectParts): Project {
  return {
    id: project.id,
    name: project.name,
    iterationLength: project.iterationLength,
    weekStartDay: project.weekStartDay,
    pointScale: scaleOf(project),
    account: project.account,
    ...(project.startDate !== null && { startDate: { text: writeDay(project.startDate), time: project.startDate } }),
    enableTasks: project.enableTasks === 1,
    velocityScheme: velocityScheme(project.averagedIterations),
    initialVelocity: project.initialVelocity,
    numberOfDoneIterationsToShow: project.doneIterationsToShow,
    labels,
    ...(project.lastActivityAt !== null && { lastActivityAt: zonedDate(project.lastActivityAt) }),
    allowAttachments: project.allowAttachments === 1,
    public: project.isPublic === 1,
    useHttps: project.useHttps === 1,
    bugsAndChoresAreEstimatable: project.bugsAndChoresAreEstimatable === 1,
    commitMode: project.commitMode === 1,
    memberships: memberships.map(withoutProject),
    integrations: integrations.map(integrationOf),
  };
}

function integrationOf({ id, type, name, fieldName, fieldLabel, active }: IntegrationRow): Integration {
  return { id, type, name, fieldName, fieldLabel, active: active === 1 };
}
